// The log: its lines, and facts as lines, without secrets.

import Alarms
import CivilTime
import Engine

package struct LogLine: Hashable, Sendable {
    package enum Level: Int, Hashable, Sendable, Comparable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    package var level: Level
    package var words: String
    /// Fields for scripts, by name.
    package var fields: [String: String]

    package init(_ level: Level, _ words: String, _ fields: [String: String] = [:]) {
        self.level = level
        self.words = words
        self.fields = fields
    }
}

package typealias Log = @Sendable (LogLine) -> Void

extension LogLine {
    package init(_ fact: Fact) {
        var fields = ["ROOSTER_EVENT": fact.kind.name]
        if let occurrence = fact.occurrence {
            fields["ROOSTER_ALARM"] = occurrence.alarm
            fields["ROOSTER_AT"] = "\(occurrence.at)"
        }
        var words = fact.occurrence.map { "\(fact.kind.name): \($0)" } ?? fact.kind.name
        switch fact {
        case .alarmSaved(let alarm, _):
            fields["ROOSTER_ALARM"] = alarm.id
            words +=
                ": \(alarm.id)\(alarm.label.isEmpty ? "" : " (\(alarm.label))") is \(alarm.isEnabled ? "on" : "off")"
        case .alarmDeleted(let id):
            fields["ROOSTER_ALARM"] = id
            words += ": \(id)"
        case .settingsSaved(let settings): words += ": alarms are \(settings.isEnabled ? "on" : "off")"
        case .clockTrusted(let isTrusted): words += isTrusted ? "" : ": no longer"
        case .clockStepped(let from, let to):
            words += ": from \(Instant(secondsSince1970: from / 1000)) to \(Instant(secondsSince1970: to / 1000))"
        case .healthChanged(let part, let health):
            words += ": \(part.rawValue) is \(health.grade.rawValue)\(health.words.isEmpty ? "" : ": \(health.words)")"
        case .zoneChanged(let name): words += ": \(name)"
        default: break
        }
        self.init(fact.level, words, fields)
    }
}

extension Fact {
    fileprivate var level: LogLine.Level {
        switch self {
        case .missed, .audioFailed: .warning
        case .ended(_, let ending, _, _, _): ending == .dismissed || ending == .cancelled ? .info : .warning
        case .healthChanged(_, let health): health.grade == .ok ? .info : .warning
        case .planned, .planMoved, .lockBegan, .alarmKept, .pastKept: .debug
        default: .info
        }
    }

    fileprivate var occurrence: Occurrence? {
        switch self {
        case .planned(let occurrence, _), .lockBegan(let occurrence), .audioStarted(let occurrence, _, _),
            .audioFailed(let occurrence, _, _), .scanRefused(let occurrence, _), .challengeDone(let occurrence, _),
            .snoozed(let occurrence, _, _), .rested(let occurrence, _, _), .stopRefused(let occurrence, _),
            .ended(let occurrence, _, _, _, _), .resumed(let occurrence):
            occurrence
        case .missed(let missed): missed.occurrence
        case .fired(let session): session.occurrence
        case .pastKept(let past): past.occurrence
        default: nil
        }
    }
}
