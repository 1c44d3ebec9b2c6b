// The requests that a Rooster accepts, one row each in the table.

import JSON

/// A request. Its stored properties are its fields.
package protocol Request: Codable, Sendable {
    associatedtype Response: Codable & Sendable = EmptyResponse
    /// The request's row in the table.
    static var spec: RequestSpec { get }
}

/// A response without members: the request has succeeded.
package struct EmptyResponse: Codable, Hashable, Sendable {
    package init() {}
}

/// A request's row in the table.
package struct RequestSpec: Sendable {
    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    /// A condition that a client may put on a request.
    package enum Condition: String, Sendable { case ifRing, ifRevision }

    package let name: String
    /// The method and the path over HTTP. A word in braces is the field of that name.
    package let method: Method
    package let path: String
    /// Whether the request changes the state or uses a device. Any other may be repeated freely.
    package let changes: Bool
    package let summary: String
    package let fieldDescriptions: [String: String]
    /// The conditions that the request supports. It refuses the others.
    package let conditions: [Condition]

    init(
        _ name: String, _ method: Method, _ path: String, changes: Bool, _ summary: String,
        fields: [String: String] = [:], if conditions: [Condition] = []
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.changes = changes
        self.summary = summary
        self.conditions = conditions
        fieldDescriptions = fields
    }
}

extension Request {
    package static var fields: [Schema.Field] { Schema(of: Self.self).fields }
    package static var response: Schema { Schema(of: Response.self) }
}

extension RequestSpec {
    package static let all: [any Request.Type] = [
        GetStatus.self, Follow.self, Doctor.self, TrySpeakers.self, ListSounds.self, GetCapabilities.self,
        GetSettings.self, Configure.self, ListCalendars.self, SaveCalendar.self, DeleteCalendar.self, GetHistory.self,
        ExportAll.self, ImportFile.self, SimulateBedside.self,
        ListAlarms.self, ShowAlarm.self, AddAlarm.self, SaveAlarm.self, EditAlarm.self, EnableAlarm.self,
        DeleteAlarm.self, SkipRing.self, UnskipRings.self, PauseAlarm.self, PlanRings.self, ValidateAlarm.self,
        Snooze.self, Stop.self, AnswerSum.self, Unlock.self, Emergency.self, TestRing.self,
        ListCodes.self, EnrolCode.self, TestCode.self, CancelScan.self, ForgetCode.self, PreviewCamera.self,
        PrintCode.self,
    ]

    /// The types by their names. Their fields are read from a type when they are needed: those of all take a megabyte.
    static let typesByName = Dictionary(uniqueKeysWithValues: all.map { ($0.spec.name, $0) })
}
