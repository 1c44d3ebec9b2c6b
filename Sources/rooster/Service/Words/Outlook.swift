// What an alarm rings next, or why nothing: the same wherever that is seen.

import Alarms
import CivilTime

/// How the alarms stand, as the house is now.
struct Outlook {
    let status: Status
    let clock: HouseClock
    /// What keeps alarms that are off from being switched on, by their ids.
    private var unmet: [Alarm.ID: Problem] = [:]

    init(_ alarms: [ListedAlarm], _ status: Status, _ service: RunningService) throws(Refusal) {
        (self.status, clock) = (status, HouseClock(status))
        let off = alarms.map(\.alarm).filter { !$0.isEnabled && !$0.challenges.isEmpty }
        guard !off.isEmpty else { return }
        let codes = try service.codes()
        var surroundings = Surroundings()
        surroundings.codes = Set(codes.filter { $0.kind == Challenge.Kind.qr.rawValue }.map(\.label))
        surroundings.tags = Set(codes.filter { $0.kind == Challenge.Kind.tag.rawValue }.map(\.label))
        for alarm in off { unmet[alarm.id] = alarm.problems(among: &surroundings).first { $0.weight == .unmet } }
    }

    /// "rings in 7 h 12 min, Tue 07:00, locked; skipped 2026-01-14", or why it does not.
    func words(_ listed: ListedAlarm) -> String {
        guard listed.alarm.isEnabled, status.isEnabled else { return next(listed) }
        return next(listed) + (listed.isLocked ? ", locked" : "") + (listed.alarm.daysOff.map { "; \($0)" } ?? "")
    }

    /// "rings in 7 h 12 min, Tue 07:00", or why it does not.
    func next(_ listed: ListedAlarm) -> String {
        let alarm = listed.alarm
        guard alarm.isEnabled else { return whyOff(alarm) }
        guard status.isEnabled else { return "all alarms are off" }
        if let next = listed.next { return clock.words(next, of: alarm) }
        if isOpen(alarm) { return "no other ring to come" }
        return clock.isOver(alarm) ? "its time has passed" : "no ring to come"
    }

    /// Whether it rings, or will again by itself.
    func isOpen(_ alarm: Alarm) -> Bool { status.sessions.contains { $0.alarm == alarm.id } }

    /// What there is to know of an alarm beside when it rings, for a glance at the whole; nil where there is nothing.
    func aside(_ listed: ListedAlarm) -> String? {
        let alarm = listed.alarm
        if let problem = unmet[alarm.id] { return "\(alarm.shownName) is off: \(problem.reason.asSentence)" }
        return alarm.isEnabled ? alarm.daysOff.map { "\(alarm.shownName): \($0)" } : nil
    }

    private func whyOff(_ alarm: Alarm) -> String {
        if let problem = unmet[alarm.id] { return "off: \(problem.reason.asSentence)" }
        let missed = status.lately.first {
            $0.alarm == alarm.id && $0.ended == "missed" && alarm.recurrence == nil
        }
        if let missed { return "off: missed \(TimeWords.day(missed.local, today: clock.today))" }
        return clock.isOver(alarm) ? "off: its time has passed" : "off"
    }

    /// What switches on an alarm that is off.
    func howToEnable(_ listed: ListedAlarm) -> String {
        let name = listed.alarm.shellName
        if let problem = unmet[listed.alarm.id] { return OptionNames.mending(name, listed.json).words("\(problem)") }
        return "'rooster enable \(name.asWord)' switches it on"
    }
}

extension Alarm {
    /// "skipped 2026-01-13; paused 2026-01-20 to 2026-01-25"; nil where neither is.
    fileprivate var daysOff: String? {
        let parts = [("skipped", skipped), ("paused", paused)].filter { !$0.1.isEmpty }
        return parts.isEmpty ? nil : parts.map { "\($0) \($1.words(atMost: 2))" }.joined(separator: "; ")
    }

    /// The only date on which it can ring; nil where there may be others.
    var onlyDate: CivilDate? {
        recurrence == nil && weekly.isEmpty && dates.isEmpty ? date ?? anchor : nil
    }
}

extension DateSet {
    /// "2026-01-13, 2026-01-20 to 2026-01-25".
    func words(atMost count: Int, _ to: String = " to ", _ separator: String = ", ") -> String {
        let words = runs.prefix(count).map { run in
            run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)\(to)\(run.upperBound)"
        }
        return (words + (runs.count > count ? ["…"] : [])).joined(separator: separator)
    }
}
