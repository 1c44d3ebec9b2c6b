// The log: its lines, and facts as lines, without secrets.

import Alarms
import CivilTime
import Engine
import Records
import Text

package struct LogLine: Hashable, Sendable {
    package enum Level: Int, Hashable, Sendable, Comparable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    package var level: Level
    package var text: String
    /// Fields for scripts, by name.
    package var fields: [String: String]

    package init(_ level: Level, _ text: String, _ fields: [String: String] = [:]) {
        (self.level, self.text, self.fields) = (level, text, fields)
    }
}

package typealias Log = @Sendable (LogLine) -> Void

extension LogLine {
    /// Creates the line for a fact. The engine provides the names of alarms, and the times in their zones.
    package init(_ fact: Fact, in engine: Engine) {
        var fields = ["ROOSTER_EVENT": fact.name]
        switch fact {
        case .alarmSaved(let alarm, _): fields["ROOSTER_ALARM"] = alarm.id
        case .alarmDeleted(let id, _): fields["ROOSTER_ALARM"] = id
        default:
            if let occurrence = fact.occurrence {
                fields["ROOSTER_ALARM"] = occurrence.alarm
                fields["ROOSTER_AT"] = "\(occurrence.at)"
            }
        }
        self.init(fact.level, fact.text(in: engine), fields)
    }
}

extension Engine {
    /// `"Work" on 2024-03-10 at 07:00`.
    package func text(of occurrence: Occurrence) -> String {
        let local = zone(of: occurrence.alarm).local(occurrence.at)
        return "\(name(ofAlarm: occurrence.alarm)) on \(local.date) at \(local.time)"
    }

    fileprivate func name(ofAlarm id: Alarm.ID) -> String {
        if id.isEmpty { return "The test ring" }
        var named = alarm(id)?.alarm ?? Alarm(id: id)
        if named.label.isEmpty { named.label = label(ofDeleted: id) ?? "" }
        return named.nameInLog
    }

    fileprivate func time(_ milliseconds: Int) -> String {
        let local = zone.local(Instant(milliseconds: milliseconds))
        return "\(local.date) \(local.time)"
    }
}

extension Alarm {
    fileprivate var nameInLog: String { label.isEmpty ? "Alarm \(id.prefix(8))" : label.quoted }
}

extension Fact {
    /// True if the fact is a client's change, which holds once it is durable. Other facts have happened
    /// already.
    var isRequested: Bool {
        switch self {
        case .alarmSaved, .alarmDeleted, .settingsSaved, .calendarSaved, .calendarDeleted, .codeEnrolled,
            .codeForgotten, .snoozed, .postponed, .done, .clientAdded, .clientForgotten:
            true
        default: false
        }
    }

    fileprivate func text(in engine: Engine) -> String {
        switch self {
        case .alarmSaved(let alarm, _): "\(alarm.nameInLog) is saved and \(alarm.isEnabled ? "on" : "off")"
        case .alarmDeleted(let id, let label):
            "\(label.isEmpty ? engine.name(ofAlarm: id) : label.quoted) is deleted"
        case .settingsSaved(let settings): "The settings are saved: alarms are \(settings.isEnabled ? "on" : "off")"
        case .calendarSaved(let name, _): "The calendar \(name.quoted) is saved"
        case .calendarDeleted(let name): "The calendar \(name.quoted) is deleted"
        case .codeEnrolled(let code): "\(code.label.quoted) is enrolled"
        case .codeForgotten(let label): "\(label.quoted) is forgotten"
        case .shakerStarted(let occurrence): "The shaker shakes for \(engine.text(of: occurrence))"
        case .fired(let session):
            "\(engine.text(of: session.occurrence)) rings"
                + (session.lateSeconds > 0 ? ", \(session.lateSeconds) s late" : "")
                + (session.earlySeconds > 0 ? ", \(session.earlySeconds) s early, because somebody moves" : "")
        case .audioStarted(let occurrence, let route, let latency):
            "\(engine.text(of: occurrence)) plays on \(route)" + (latency.map { ", \($0) ms after its order" } ?? "")
        case .audioFailed(let occurrence, let route, let reason):
            "\(engine.text(of: occurrence)) does not play on \(route) (\(reason))"
        case .scanRefused(let occurrence, _): "A wrong code was shown for \(engine.text(of: occurrence))"
        case .challengeDone(let occurrence, let index, let replacement):
            "Challenge \(index + 1) of \(engine.text(of: occurrence)) is done"
                + (replacement.map { ", replaced by \($0.summary)" } ?? "")
        case .sumSolved(let occurrence, _, let count): "Sum \(count) of \(engine.text(of: occurrence)) is solved"
        case .lockedOut(let occurrence, let until):
            "Too many wrong answers for \(engine.text(of: occurrence)): no answer is accepted until \(engine.time(until))"
        case .snoozed(let occurrence, let count, let until):
            "\(engine.text(of: occurrence)) is snoozed until \(engine.time(until)), snooze number \(count)"
        case .rested(let occurrence, _, let until):
            "\(engine.text(of: occurrence)) had no answer, and pauses until \(engine.time(until))"
        case .checkBegan(let occurrence, _, let until):
            "\(engine.text(of: occurrence)) waits for its wake-up check, and rings again at \(engine.time(until)) without an answer"
        case .checkFailed(let occurrence):
            "\(engine.text(of: occurrence)) rings again: nobody answered the wake-up check"
        case .stopRefused(let occurrence, let sender):
            "A stop of \(engine.text(of: occurrence)) by \(sender.name) was refused"
        case .ended(let occurrence, let ending, let sender, _, _):
            "\(engine.text(of: occurrence)) is over: \(ending.rawValue)\(sender.map { " by \($0.name)" } ?? "")"
        case .missed(let missed): "\(engine.text(of: missed.occurrence)) was missed"
        case .resumed(let occurrence): "\(engine.text(of: occurrence)) rings again"
        case .postponed(let id, let postponed, _, _):
            "\(engine.text(of: Occurrence(alarm: id, at: postponed.ring))) is put off until "
                + engine.time(postponed.until.milliseconds)
        case .postponementEnded(let occurrence): "\(engine.text(of: occurrence)) is no longer put off"
        case .done(let occurrence, let ahead, let sender):
            "\(engine.text(of: occurrence)) is done\(ahead == nil ? "" : " ahead of time"), reported by \(sender.name)"
        case .noticeGiven(let ring, _): "\(engine.text(of: ring)) is going to ring: a notice was given"
        case .bedtimeGiven: "It is bedtime"
        case .inBed(_, let sender): "The owner goes to bed, by \(sender.name)"
        case .clientAdded(let client): "The client \(client.name.quoted) got a token (\(client.may.rawValue))"
        case .clientForgotten(_, let name): "The client \(name.quoted) is forgotten"
        case .clientSeen(let id, _):
            "The client \((engine.clients[id]?.name ?? id).quoted) sent its first request of the day"
        case .snoozeTakenBack(let occurrence):
            "The snooze of \(engine.text(of: occurrence)) is taken back: both buttons are held"
        case .noted(let occurrence, let note, let sender): note.text(of: engine.text(of: occurrence), by: sender)
        case .historyCleared(let before, let sender):
            "The history before \(engine.time(before)) was cleared by \(sender.name)"
        case .clockStepped(let from, let to): "The clock was set from \(engine.time(from)) to \(engine.time(to))"
        case .clockTrusted(let isTrusted):
            isTrusted ? "The clock is known to be right" : "The clock may be wrong from now on"
        case .zoneChanged(let name): "The time zone of the machine is \(name)"
        case .healthChanged(let part, let health):
            "Health of the \(part.name): \(health.grade.rawValue)\(health.text.isEmpty ? "" : ". \(health.text)")"
        case .partRemoved(let part): "The configuration has no \(part.name) any more"
        // Thousands of the following may occur at once. They are logged for debugging only.
        case .planMoved(let id, _): "The rings of \(engine.name(ofAlarm: id)) are planned again"
        case .planned(let occurrence, _): "\(engine.text(of: occurrence)) is planned"
        case .lockBegan(let occurrence): "\(engine.text(of: occurrence)) is locked from now on"
        case .codeKeyAdded: "A key for codes is saved"
        case .alarmKept(let alarm, _, _): "\(alarm.nameInLog) is kept"
        case .pastKept(let past): "\(engine.text(of: past.occurrence)) is kept"
        case .eventKept(let event): event.fact.text(in: engine)
        }
    }
}

extension Note {
    fileprivate func text(of ring: String, by sender: Sender?) -> String {
        let by = sender.map { " by \($0.name)" } ?? ""
        return switch self {
        case .wrong(.tag): "A wrong tag was held to the reader for \(ring)"
        case .wrong(.pattern): "A wrong button was pressed in the pattern of \(ring)"
        case .wrong(let kind): "A wrong answer to the \(kind.name) challenge of \(ring) was given\(by)"
        case .unlocked: "\(ring) was unlocked\(by): its challenges were done ahead of time"
        case .skipped: "\(ring) did not ring: the day was skipped"
        case .paused: "\(ring) did not ring: the alarm was paused"
        }
    }
}

extension LogLine {
    /// Describes an answer that was wrong. Nil for a code: its fact has a line already.
    init?(wrong kind: Challenge.Kind, in engine: Engine) {
        let answer: String
        switch kind {
        case .qr: return nil
        case .tag: answer = "A wrong tag was held to the reader"
        case .pattern: answer = "A wrong button was pressed"
        case .math, .steps, .roulette: answer = "A wrong answer was given"
        }
        let status = engine.status(nextCount: 0)
        let heard = status.sessions.first { $0.isHeard }.map { engine.text(of: $0.session.occurrence) }
        let unlocked = status.unlocking.map { engine.name(ofAlarm: $0.alarm.id) }
        self.init(.info, "\(answer)\((heard ?? unlocked).map { " for \($0)" } ?? "")")
    }
}

extension Fact {
    fileprivate var level: LogLine.Level {
        switch self {
        case .missed, .audioFailed: .warning
        case .ended(_, let ending, _, _, _): ending == .dismissed || ending == .cancelled ? .info : .warning
        case .healthChanged(_, let health): health.grade == .ok ? .info : .warning
        // The service logs wrong answers when it prompts.
        case .planned, .planMoved, .lockBegan, .alarmKept, .pastKept, .eventKept, .noted(_, .wrong, _), .clientSeen:
            .debug
        default: .info
        }
    }

    /// The ring that the fact concerns; nil for none.
    fileprivate var occurrence: Occurrence? {
        switch self {
        case .planned(let occurrence, _), .lockBegan(let occurrence), .audioStarted(let occurrence, _, _),
            .audioFailed(let occurrence, _, _), .shakerStarted(let occurrence), .scanRefused(let occurrence, _),
            .challengeDone(let occurrence, _, _),
            .snoozed(let occurrence, _, _), .rested(let occurrence, _, _), .stopRefused(let occurrence, _),
            .checkBegan(let occurrence, _, _), .checkFailed(let occurrence),
            .lockedOut(let occurrence, _), .noted(let occurrence, _, _), .ended(let occurrence, _, _, _, _),
            .resumed(let occurrence), .snoozeTakenBack(let occurrence), .noticeGiven(let occurrence, _):
            occurrence
        case .missed(let missed): missed.occurrence
        case .fired(let session): session.occurrence
        case .pastKept(let past): past.occurrence
        case .postponed(let id, let postponed, _, _): Occurrence(alarm: id, at: postponed.ring)
        case .postponementEnded(let occurrence), .done(let occurrence, _, _): occurrence
        default: nil
        }
    }
}
