// The next ring of an alarm, or the reason why there is none, in the same words for all commands.

import API
import Alarms
import CivilTime

/// The texts for the next rings of alarms, derived from the status.
struct Outlook {
    let status: StatusReport
    let clock: DeviceClock
    /// The last past ring of each alarm.
    private let endings: [Alarm.ID: PastRingReport]

    static let allOff = "all alarms are off"
    static let enableAll = "'rooster settings --enabled on' switches them on"
    static let isOver = "its only day is over"
    static let noRing = "no ring to come"

    init(_ status: StatusReport, endings: [Alarm.ID: PastRingReport] = [:]) {
        (self.status, clock, self.endings) = (status, DeviceClock(status.device), endings)
    }

    /// Returns text such as "rings in 7 h 12 min, Tue 07:00, locked; skipped 2026-01-14", or the reason why
    /// the alarm does not ring. A ring in progress comes first.
    func text(_ listed: ListedAlarm) -> String {
        let open = listed.report.openRing.map { "not done since \(clock.day($0.local.dateTime)); " } ?? ""
        let now = present(listed.alarm).map { "\($0); " } ?? open
        guard listed.alarm.isEnabled, status.enabled else { return now + next(listed) }
        let lock = listed.isLocked ? ", locked" : isUnlocked(listed) ? ", unlocked" : ""
        let asides = [listed.alarm.daysOff, listed.replacedText].compactMap(\.self)
        return now + ([next(listed) + lock] + asides).joined(separator: "; ")
    }

    private func isUnlocked(_ listed: ListedAlarm) -> Bool {
        status.unlocked.contains { $0.alarm == listed.alarm.id }
    }

    /// Returns the ring in progress, such as "RINGS" or "snoozed until 07:09"; nil if there is none.
    func present(_ alarm: Alarm) -> String? {
        guard let session = status.sessions.first(where: { $0.alarm == alarm.id }) else { return nil }
        let until = session.secondsLeft.map { " until \(clock.time(afterSeconds: $0))" } ?? ""
        return switch session.state {
        case .ringing, .challenged: "RINGS"
        case .waiting: "waits to ring"
        case .snoozed: "snoozed\(until)"
        case .resting: "pauses\(until)"
        case .checking: "wake-up check\(until)"
        }
    }

    /// Returns text such as "rings in 7 h 12 min, Tue 07:00", or the reason why the alarm does not ring.
    func next(_ listed: ListedAlarm) -> String {
        let alarm = listed.alarm
        guard alarm.isEnabled else { return whyOff(listed) }
        guard status.enabled else { return Outlook.allOff }
        if let next = listed.next { return clock.text(next, of: alarm) }
        if isOpen(alarm) { return "no other ring to come" }
        return clock.isOver(alarm) ? Outlook.isOver : Outlook.noRing
    }

    /// Returns true if the alarm has a session: it rings, or will ring again after a pause.
    func isOpen(_ alarm: Alarm) -> Bool { status.sessions.contains { $0.alarm == alarm.id } }

    /// Returns a note for the status: the problem that keeps an alarm off, or its skipped and paused days and
    /// its challenges that others would replace. Nil if there are none.
    func aside(_ listed: ListedAlarm) -> String? {
        let alarm = listed.alarm
        if let reason = whyUnmet(listed) { return "\(alarm.shownName) is off: \(reason)" }
        let asides = [alarm.daysOff].compactMap(\.self) + listed.replacedTexts
        return alarm.isEnabled && !asides.isEmpty ? "\(alarm.shownName): \(asides.joined(separator: "; "))" : nil
    }

    private func whyOff(_ listed: ListedAlarm) -> String {
        if let reason = whyUnmet(listed) { return "off: \(reason)" }
        let alarm = listed.alarm
        let missed = status.recentProblems.first {
            $0.alarm == alarm.id && $0.ended == .missed && alarm.recurrence == nil
        }
        if let missed { return "off: missed \(clock.day(missed.local.dateTime))" }
        guard clock.isOver(alarm), let date = alarm.onlyDate else { return "off" }
        if alarm.skipped.contains(date) { return "off: its only day was skipped" }
        if alarm.paused.contains(date) { return "off: its only day was in a pause" }
        switch endings[alarm.id]?.ended {
        case .missed: return "off: it was missed"
        case .dismissed, .unanswered, .emergency: return "off: it has rung"
        case .done: return "off: it is done"
        case .cancelled, .postponed, nil: return "off: \(Outlook.isOver)"
        }
    }

    private func whyUnmet(_ listed: ListedAlarm) -> String? {
        listed.report.unmet.first.map { OptionNames.ofAlarm(listed.alarm).reason($0).asSentence }
    }

    /// Returns advice on switching on an alarm that is off.
    func howToEnable(_ listed: ListedAlarm) -> String {
        let name = listed.alarm.shellName
        if let problem = listed.report.unmet.first { return OptionNames.mending(name, listed.alarm).remedy(problem) }
        return "'rooster enable \(name.asWord)' switches it on"
    }
}

extension RunningService {
    /// Returns the last past ring of each alarm. Asks for them only if an alarm's only day is over.
    func endings(of alarms: [ListedAlarm], _ status: StatusReport) throws(CommandError) -> [Alarm.ID: PastRingReport] {
        let clock = DeviceClock(status.device)
        let days = alarms.filter { !$0.alarm.isEnabled && clock.isOver($0.alarm) }.compactMap(\.alarm.onlyDate)
        guard let first = days.min() else { return [:] }
        let rings = try ask(GetHistory(days: first.days(until: clock.today) + 2)).body.history
        return Dictionary(rings.map { ($0.alarm, $0) }) { $1 }
    }
}

extension Alarm {
    /// Text such as "skipped 2026-01-13; paused 2026-01-20 to 2026-01-25"; nil if no day is skipped or
    /// paused.
    fileprivate var daysOff: String? {
        let parts = [("skipped", skipped), ("paused", paused)].filter { !$0.1.isEmpty }
        return parts.isEmpty ? nil : parts.map { "\($0) \($1.text(atMost: 2))" }.joined(separator: "; ")
    }

    /// The only date on which the alarm can ring; nil if it can ring on other dates.
    var onlyDate: CivilDate? {
        recurrence == nil && weekly.isEmpty && dates.isEmpty ? date ?? anchor : nil
    }
}

extension DateSet {
    /// Returns text such as "2026-01-13, 2026-01-20 to 2026-01-25".
    func text(atMost count: Int, _ to: String = " to ", _ separator: String = ", ") -> String {
        let parts = runs.prefix(count).map { run in
            run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)\(to)\(run.upperBound)"
        }
        return (parts + (runs.count > count ? ["…"] : [])).joined(separator: separator)
    }
}
