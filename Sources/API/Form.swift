// The forms: everything that can be asked of a Rooster, one row each.

import JSON

/// One thing that can be asked. A value of it is a form that is filled in; what it decodes from are its fields.
package protocol Form: Codable, Sendable {
    /// What it is answered with when it is done.
    associatedtype Answer: Codable & Sendable = Nothing
    /// What is known of it without a value.
    static var row: FormRow { get }
}

/// An answer that says no more than that it is done.
package struct Nothing: Codable, Hashable, Sendable {
    package init() {}
}

/// A form's row in the table.
package struct FormRow: Sendable {
    /// How it is to be asked over HTTP.
    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package let name: String
    /// What it is for, in one line.
    package let words: String
    package let method: Method
    /// A word in braces is the field of that name.
    package let path: String
    package let fieldWords: [String: String]
    /// The members of every request that mean something for this one: in others they are refused, for nobody would keep to them.
    package let conditions: [Condition]

    package enum Condition: String, Sendable { case meant, basedOn }

    package init(
        _ name: String, _ method: Method, _ path: String, _ words: String, fields: [String: String] = [:],
        if conditions: [Condition] = []
    ) {
        (self.name, self.method, self.path, self.words) = (name, method, path, words)
        (fieldWords, self.conditions) = (fields, conditions)
    }

    /// Whether it changes anything: a question may be asked again, and by whoever may only look.
    package var isChange: Bool { method != .get }
}

extension Form {
    /// Its fields, as its type has them.
    package static var fields: [Schema.Field] { Schema(of: Self.self).fields }
    package static var answer: Schema { Schema(of: Answer.self) }
}

package enum Forms {
    package static let all: [any Form.Type] = [house, alarms, sessions, codes].flatMap { $0 }

    private static let house: [any Form.Type] = [
        AskStatus.self, Follow.self, Doctor.self, TrySpeakers.self, ListSounds.self, AskCapabilities.self,
        AskSettings.self, Configure.self, ListCalendars.self, SaveCalendar.self, AskHistory.self, ExportAll.self,
        ImportFile.self, SimulateBedside.self,
    ]
    private static let alarms: [any Form.Type] = [
        ListAlarms.self, ShowAlarm.self, SaveAlarm.self, EditAlarm.self, EnableAlarm.self, DeleteAlarm.self,
        SkipRing.self, UnskipRings.self, PauseAlarm.self, PlanRings.self, JudgeAlarm.self,
    ]
    private static let sessions: [any Form.Type] = [
        Snooze.self, Stop.self, AnswerSum.self, Unlock.self, Emergency.self, TestRing.self,
    ]
    private static let codes: [any Form.Type] = [
        ListCodes.self, EnrolCode.self, TestCode.self, CancelLook.self, ForgetCode.self, PreviewCamera.self,
        PrintCode.self,
    ]

    /// By their names. Their fields are read from a type when it is asked for: those of all would take a megabyte.
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.row.name, $0) })
}
