// The warnings about alarms and calendars that are saved. They refuse nothing: the owner may know better.

import Alarms
import CivilTime
import Text

extension Engine {
    /// Returns the warnings about a valid alarm that is saved with this position and next ring. Their paths
    /// are members of the alarm. A warning about a rule is repeated only if the save brings it about.
    func warnings(
        saving alarm: Alarm, _ position: ScheduleState, next: PlannedRing?, in planningContext: PlanningContext
    ) -> [Problem] {
        let dropped = postponementWarnings(alarm, position)
        guard alarm.isEnabled else { return dropped }
        let old = agenda.alarms[alarm.id]?.alarm
        let known = old.map { timesOnDaysOff($0, in: agenda.planningContext) } ?? []
        let times = timesOnDaysOff(alarm, in: planningContext).filter { !known.contains($0) }
        return dropped + singleCodeWarnings(alarm) + snoozeClampWarnings(alarm) + brokenPartWarnings(alarm)
            + times.prefix(Engine.datesWarnedMax).map { Problem(.ownTimeOnDayOff, $0.path, $0.reason) }
            + (next == nil ? noRingWarnings(alarm, position, in: planningContext) : [])
    }

    /// The bound on dates that one response warns of.
    private static let datesWarnedMax = 5

    // MARK: names

    /// Returns the warning if another alarm has the label of a saved one. An old label is not warned of
    /// again.
    func labelWarnings(_ alarm: Alarm) -> [Problem] {
        guard !alarm.label.isEmpty, agenda.alarms[alarm.id]?.alarm.label != alarm.label else { return [] }
        let name = alarm.label.lowercased()
        let isTaken = agenda.alarms.all.contains { $0.id != alarm.id && $0.alarm.label.lowercased() == name }
        return isTaken ? [Engine.sameLabel(alarm)] : []
    }

    /// Returns the same for the alarms of a file, which may also share labels with each other.
    func labelWarnings(importing alarms: [(index: Int, alarm: Alarm)]) -> [Problem] {
        let ids = Set(alarms.map(\.alarm.id))
        let all = agenda.alarms.all.map(\.alarm).filter { !ids.contains($0.id) } + alarms.map(\.alarm)
        let counts = all.reduce(into: [:]) { $0[$1.label.lowercased(), default: 0] += 1 }
        return alarms.filter { _, alarm in
            !alarm.label.isEmpty && agenda.alarms[alarm.id]?.alarm.label != alarm.label
                && counts[alarm.label.lowercased()] ?? 0 > 1
        }.map { Engine.sameLabel($0.alarm).within("alarms[\($0.index)]") }
    }

    private static func sameLabel(_ alarm: Alarm) -> Problem {
        Problem(.sameLabel, "label", "another alarm is also called \(alarm.label.quoted): only their ids differ")
    }

    // MARK: devices

    /// The warning that no speaker works, as the last test has found.
    var speakerWarnings: [Problem] {
        guard let health = preflight.health[.speaker] else { return [] }
        if health.causes.contains(where: { $0.code == .buzzerOnly }) {
            return [Problem(.noSpeaker, "", "no speaker works now, so only the buzzer sounds")]
        }
        guard health.grade == .broken else { return [] }
        return [Problem(.noSpeaker, "", "no speaker works now, so the alarm may be silent")]
    }

    /// Warns of each challenge, and of an early ring, whose device is known to be broken or gone.
    private func brokenPartWarnings(_ alarm: Alarm) -> [Problem] {
        let needed = alarm.challenges.enumerated().flatMap { index, challenge in
            challenge.kinds.compactMap(\.device).map { (path: "challenges[\(index)]", part: $0) }
        }
        return (needed + (alarm.earlySeconds > 0 ? [("early", .steps)] : [])).filter {
            preflight.health[$0.part]?.grade == .broken
        }.map { Problem(.brokenPart, $0.path, "\($0.part.faultText) now") }
    }

    // MARK: days

    /// Dates with their own time that a skip, a pause or the calendar leaves out. A pause and a calendar do
    /// not silence such a date, which an owner may not expect; a skip does (BEHAVIOUR, 1.2).
    private func timesOnDaysOff(_ alarm: Alarm, in planningContext: PlanningContext) -> [TimeOnDayOff] {
        guard !alarm.dates.isEmpty, alarm.isEnabled else { return [] }
        let today = planningContext.zone(of: alarm).local(clock.instant).date
        let calendar = alarm.calendarName.flatMap { name in planningContext.calendars[name].map { (name, $0) } }
        return alarm.dates.filter { $0.key >= today }.sorted { $0.key < $1.key }.compactMap { date, rule in
            guard case .at(let time) = rule else { return nil }
            if alarm.skipped.contains(date) { return TimeOnDayOff(date: date, time: time, cause: nil) }
            if alarm.paused.contains(date) {
                return TimeOnDayOff(date: date, time: time, cause: "the alarm is paused then")
            }
            guard let (name, calendar) = calendar, !calendar.counts(date) else { return nil }
            return TimeOnDayOff(date: date, time: time, cause: "the calendar \(name.quoted) leaves that date out")
        }
    }

    /// Returns the warning that a new schedule, or the switch, drops the ring that was put off.
    private func postponementWarnings(_ alarm: Alarm, _ position: ScheduleState) -> [Problem] {
        guard let old = agenda.alarms[alarm.id], old.alarm.isEnabled, let postponed = old.postponed,
            !alarm.isEnabled || position.revision != old.position.revision
        else { return [] }
        let zone = agenda.planningContext.zone(of: old.alarm)
        let (ring, until) = (zone.local(postponed.ring), zone.local(postponed.until))
        let text = "the ring of \(ring.date) at \(ring.time) was put off to \(until.date) at \(until.time)"
        return [Problem(.postponementEnded, "", "\(text), and no longer rings then")]
    }

    /// Returns the warning that an alarm has no day left, with the rule that leaves out its last days.
    private func noRingWarnings(
        _ alarm: Alarm, _ position: ScheduleState, in planningContext: PlanningContext
    ) -> [Problem] {
        guard planningContext.settings.isEnabled else { return [] }
        let now = max(position.cursor, clock.instant)
        let reason = "the alarm is on, but has no day left to ring on"
        for (path, rule, rest) in alarm.withoutEachRule {
            let anchor = position.anchor ?? planningContext.anchor(of: rest, after: now, rung: [])
            guard planningContext.schedule(rest, anchor).next(after: now) != nil else { continue }
            return [Problem(.noRing, path, "\(reason): \(rule) leaves out every one")]
        }
        return [Problem(.noRing, "", reason)]
    }

    /// Returns the warnings about the alarms that use a changed calendar: dates with their own time that it
    /// leaves out now, and alarms that it leaves without a ring.
    func warnings(saving name: String, in new: PlanningContext) -> [Problem] {
        let users = agenda.alarms.all.filter { $0.alarm.calendarName == name && $0.alarm.isEnabled }
        var warnings: [Problem] = []
        for entry in users where warnings.count < Engine.datesWarnedMax {
            let alarm = entry.alarm
            let shown = (alarm.label.isEmpty ? alarm.id : alarm.label).quoted
            let known = timesOnDaysOff(alarm, in: agenda.planningContext)
            warnings += timesOnDaysOff(alarm, in: new).filter { !known.contains($0) }.map {
                let reason = "\(shown) still rings on \($0.date) at \($0.time), its own time for that date"
                return Problem(.ownTimeOnDayOff, $0.path, reason).within("alarms.\(alarm.id)")
            }
            guard agenda.due[alarm.id] != nil, agenda.settings.isEnabled,
                agenda.ring(of: entry, after: clock.instant, in: new) == nil
            else { continue }
            warnings.append(
                Problem(.noRing, "alarms.\(alarm.id)", "\(shown) is on, but has no day left to ring on"))
        }
        return warnings
    }
}

/// A date with its own time that another rule leaves out.
private struct TimeOnDayOff: Hashable {
    let date: CivilDate
    let time: ClockTime
    /// The rule that leaves the date out, and does not silence it; nil for a skip, which does.
    let cause: String?

    var path: String { "dates.\(date)" }

    var reason: String {
        guard let cause else { return "has its own time, \(time), but is skipped, so the alarm does not ring then" }
        return "has its own time, so the alarm rings at \(time), although \(cause)"
    }
}

extension Alarm {
    /// The alarm without each rule that leaves out days, with the rule's path and name.
    fileprivate var withoutEachRule: [(path: String, rule: String, rest: Alarm)] {
        func rest(_ change: (inout Alarm) -> Void) -> Alarm {
            var alarm = self
            change(&alarm)
            return alarm
        }
        return [
            ("days", "the calendar \((calendarName ?? "").quoted)", rest { $0.calendarName = nil }),
            ("pause", "the pause", rest { $0.paused = DateSet() }),
            ("skip", "the skip", rest { $0.skipped = DateSet() }),
            ("weekly", "\"weekly\"", rest { $0.weekly = [:] }),
            ("dates", "\"dates\"", rest { $0.dates = [:] }),
        ].filter { $0.2 != self }
    }
}
