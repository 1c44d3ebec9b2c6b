// The events that move cursors and anchors: the table of docs/BEHAVIOUR.md, 2.0.
//
// Clocks are set, zones change and power fails, in any order. A stored next ring is wrong after any of
// these. A stored list of finished rings does not show whether an older ring was wanted. So each alarm keeps
// two values in the journal, and its next ring is computed from them. The *cursor* is an instant: rings at
// or before it have rung, were missed, or were not wanted. The *anchor* is the day from which its rule
// counts; Rooster fixes it if the owner named none. The next ring is the first of the plan after the cursor,
// without the last rings (`AlarmEntry.rung`).
//
// 1. A ring or a miss moves the cursor to itself.
// 2. A save moves it to the time of the request if the alarm is new, is switched on, or has another
//    schedule.
// 3. The master switch and day calendars move it to now: earlier rings were not wanted. A zone leaves it.
// 4. A step forward of the clock leaves it: a ring that was jumped over is late, or missed.
// 5. A step back moves it to now at the latest, and before misses that lie ahead or can still ring late.
// 6. If an untrusted clock is set, or becomes trusted by a step, it corrects the alarms saved by that clock.
//
// Rules 3 to 6 may also fix an anchor again. `AlarmBook` applies rule 1 and part of rule 5. If a rule errs, it
// errs towards ringing once more.
//
// Example: an alarm rings daily at 07:00. At 06:00 the clock is set to 11:00. 07:00 is four hours old, so it
// is missed (rule 1). Then the clock is set right, to 07:20. The miss lies within the late window, so it is
// taken back (rule 5): the cursor is just before 07:00, and the alarm rings, 20 minutes late.

import Alarms
import CivilTime

/// A move of an alarm in its plan, to be recorded.
package struct PlanMove: Hashable, Sendable {
    package let alarm: Alarm.ID
    package let position: ScheduleState
}

extension Agenda {
    // MARK: the owner saves an alarm

    /// Returns the position of a saved alarm. If the alarm is new, is switched on, or has another schedule,
    /// the cursor is the time of the request and the anchor is fixed. After a skip, a pause or the end of
    /// one, the cursor is the later of the old cursor and now. Any other change moves neither.
    package func position(
        saving alarm: Alarm, at asked: Instant, revision: Int, isImport: Bool = false,
        in planningContext: PlanningContext
    ) -> ScheduleState {
        let old = alarms[alarm.id]
        // Rooster drops dates that are long past. The owner did not change them.
        if let old, case let before = pruned(old.alarm), before.hasSameSchedule(as: alarm),
            before.isEnabled || !alarm.isEnabled
        {
            var position = old.position
            if !alarm.hasDaysOff(of: before) { position.cursor = max(position.cursor, clock.instant) }
            return position
        }
        return ScheduleState(
            revision: revision, cursor: asked,
            anchor: anchor(saving: alarm, over: old, at: asked, isImport: isImport, in: planningContext),
            isProvisional: !clock.isTrusted)
    }

    private func anchor(
        saving alarm: Alarm, over old: AlarmEntry?, at asked: Instant, isImport: Bool,
        in planningContext: PlanningContext
    ) -> Anchor? {
        if let date = alarm.anchor, old == nil || isImport,
            let anchor = planningContext.anchor(imported: date, for: alarm, after: asked)
        {
            return anchor
        }
        // A rule keeps its anchor while the rule stays the same and has a ring left.
        if let old, alarm.recurrence != nil, alarm.recurrence == old.alarm.recurrence, alarm.start == old.alarm.start,
            let anchor = old.position.anchor,
            hasRing(alarm.ruleAlone, anchor, after: asked, rung: old.rungForNewSchedule, in: planningContext)
        {
            return anchor
        }
        return planningContext.anchor(of: alarm, after: asked, rung: old?.rungForNewSchedule ?? [])
    }

    // MARK: the master switch, a calendar or a zone changes

    /// Moves after the master switch goes on or a day calendar changes: no ring before now was wanted.
    package func moves(passingNow entries: [AlarmEntry], in new: PlanningContext) -> [PlanMove] {
        moves(of: entries.filter(\.alarm.isEnabled)) { entry, position in
            position.cursor = max(position.cursor, clock.instant)
            position.anchor = anchor(changing: entry, from: position.cursor, before: planningContext, in: new)
        }
    }

    /// Moves after a zone changes. The cursors stay: a ring that is in the past now is late or missed.
    package func moves(changingZone entries: [AlarmEntry], before: PlanningContext, in new: PlanningContext)
        -> [PlanMove]
    {
        moves(of: entries) { entry, position in
            position.anchor = anchor(changing: entry, from: oldest(entry, position), before: before, in: new)
        }
    }

    /// Returns the anchor, fixed again if its ring has not come or if the change removes its last ring.
    private func anchor(
        changing entry: AlarmEntry, from cursor: Instant, before: PlanningContext, in new: PlanningContext
    ) -> Anchor? {
        guard entry.alarm.isEnabled else { return entry.position.anchor }
        if let anchor = entry.position.anchor, anchor.isHandled {
            guard entry.alarm.needsAnchor else { return anchor }
            let hadRing = hasRing(entry.alarm, anchor, after: cursor, rung: entry.rung, in: before)
            guard hadRing, !hasRing(entry.alarm, anchor, after: cursor, rung: entry.rung, in: new) else {
                return anchor
            }
        }
        return anchorAnew(entry, from: cursor, in: new)
    }

    // MARK: the clock is set

    /// Moves after a step forward. Rings between the last step back and now have rung or were missed before,
    /// so the cursor passes them, and they are not missed again. If such a ring was the anchor's, or a
    /// trusted clock jumped over the anchor, the anchor is fixed again instead of being missed.
    package func moves(steppingFrom before: Instant) -> [PlanMove] {
        moves(of: alarms.all.filter(\.alarm.isEnabled)) { entry, position in
            // If the cursor lies after the last step back, it has moved since, and the step does not concern
            // it.
            let setBack = setBack.flatMap { position.cursor <= $0.instant ? $0 : nil }
            if clock.isTrusted || setBack != nil, let anchor = position.anchor, !anchor.isHandled, before < anchor.at,
                anchor.at <= tooOld(entry)
            {
                position.anchor = anchorAnew(entry, from: clock.instant, source: .steppedForward, in: planningContext)
            }
            if let setBack {
                let known = min(setBack.fromInstant.advanced(by: -1), tooOld(entry))
                if hasRing(
                    entry.alarm, position.anchor, after: position.cursor, until: known, rung: entry.rung,
                    in: planningContext)
                {
                    position.cursor = known
                }
            }
        }
    }

    /// Moves after a step back. No cursor stays ahead of the clock. An anchor that Rooster fixed is fixed
    /// again if it is later than tomorrow, or if a step forward fixed it.
    package func movesAfterStepBack(_ entries: [AlarmEntry]) -> [PlanMove] {
        moves(of: entries) { entry, position in
            position.cursor = min(position.cursor, clock.instant)
            guard let anchor = position.anchor, !anchor.isHandled,
                anchor.source == .steppedForward || anchor.date > today(of: entry.alarm).advanced(by: 1)
            else { return }
            position.anchor = anchorAnew(entry, from: oldest(entry, position), in: planningContext)
        }
    }

    /// Moves of alarms saved by an untrusted clock that became trusted by a step, or was set. The cursor
    /// becomes the time of the save, by uptime. A restart loses that time; the cursor is then one late
    /// window ago.
    package func movesOfProvisional(_ entries: [AlarmEntry]) -> [PlanMove] {
        moves(of: entries.filter(\.position.isProvisional)) { entry, position in
            position.cursor =
                savedUptimes[entry.id].map(instant(atUptime:)) ?? clock.instant.advanced(by: -entry.lateSecondsMax)
            if position.anchor?.isHandled == false {
                position.anchor = anchorAnew(entry, from: position.cursor, in: planningContext)
            }
        }
    }

    // MARK: an alarm rings, or has rung

    /// Returns the move of the cursor past an occurrence that rings already: the alarm was saved again
    /// meanwhile, or the clock was set back by hours.
    package func pass(_ occurrence: Occurrence, _ entry: AlarmEntry) -> PlanMove {
        var position = entry.position
        position.pass(occurrence.at)
        return PlanMove(alarm: entry.id, position: position)
    }

    /// Returns the position to which an alarm was moved, past a ring that came while the move was being written.
    package func pastLatestRing(_ position: ScheduleState, of id: Alarm.ID) -> ScheduleState {
        guard let rung = alarms[id]?.rung.last(where: { $0 <= clock.instant }), rung > position.cursor else {
            return position
        }
        var passed = position
        passed.pass(rung)
        return passed
    }

    // MARK: parts

    /// Applies a row of the table to the position of each alarm. Returns the moves of those that move.
    private func moves(of entries: [AlarmEntry], _ row: (AlarmEntry, inout ScheduleState) -> Void) -> [PlanMove] {
        entries.compactMap { entry in
            var position = entry.position
            row(entry, &position)
            return position == entry.position ? nil : PlanMove(alarm: entry.id, position: position)
        }
    }

    /// Returns the later of the cursor and the start of the late window: rings from then on still ring.
    private func oldest(_ entry: AlarmEntry, _ position: ScheduleState) -> Instant {
        max(position.cursor, clock.instant.advanced(by: -entry.lateSecondsMax))
    }

    /// Returns the anchor fixed again. The anchor stays if the owner left out its day, or if no other day
    /// can replace it. If the owner named the day, only the instant of its ring may change.
    private func anchorAnew(
        _ entry: AlarmEntry, from cursor: Instant, source: Anchor.Source = .resolved,
        in planningContext: PlanningContext
    ) -> Anchor? {
        guard !entry.excludesAnchorDate || !entry.alarm.needsAnchor,
            var anchor = planningContext.anchor(of: entry.alarm, after: cursor, rung: entry.rung)
        else { return entry.position.anchor }
        if anchor.source != .owner { anchor.source = source }
        return anchor
    }

    private func hasRing(
        _ alarm: Alarm, _ anchor: Anchor?, after start: Instant, until end: Instant = .latest, rung: [Instant],
        in planningContext: PlanningContext
    ) -> Bool {
        guard start < end, let ring = planningContext.schedule(alarm, anchor).first(after: start, but: rung) else {
            return false
        }
        return ring.occurrence.at <= end
    }
}

extension AlarmEntry {
    /// The late window in seconds, but at least the two seconds that count as on time.
    var lateSecondsMax: Int { max(alarm.lateWindowSeconds, Agenda.lateSecondsMin) }
}
