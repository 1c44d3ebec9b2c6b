// The table of what moves cursors and anchors, row by row.
//
// An alarm's cursor is an instant: rings at or before it have rung, were missed, or were not wanted. Its anchor is the day that
// its rule counts from where its owner named none. Two rows are part of applying their facts, in AlarmBook: a ring and a miss
// set the cursor to themselves, and a step back of the clock sets the cursor back. Where a row errs, it errs towards ringing.

import Alarms
import CivilTime

extension Agenda {
    // MARK: the owner saves an alarm

    /// New, switched on, or its *when* changed: the cursor is the instant at which the owner asked, and the anchor is resolved.
    /// Skipped, paused, or a skip or pause taken back: the later of the cursor and now. Any other change moves neither.
    func position(
        saving alarm: Alarm, at asked: Instant, revision: Int, isImport: Bool = false,
        in planningContext: PlanningContext
    ) -> ScheduleState {
        let old = alarms[alarm.id]
        // Dates that are long past are dropped automatically: that is no change by the owner.
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
            hasRing(alarm.ruleAlone, anchor, after: asked, rung: old.rung, in: planningContext)
        {
            return anchor
        }
        return planningContext.anchor(of: alarm, after: asked, rung: old?.rung ?? [])
    }

    // MARK: what alarms depend on changes

    /// The master switch goes on, or a day calendar changes: no ring before now was wanted, so all cursors are now or later.
    func moves(passingNow entries: [AlarmEntry], in new: PlanningContext) -> [Fact] {
        moves(of: entries.filter(\.alarm.isEnabled)) { entry, position in
            position.cursor = max(position.cursor, clock.instant)
            position.anchor = anchor(changing: entry, from: position.cursor, before: planningContext, in: new)
        }
    }

    /// The zone changes: a ring that the new zone puts before now is late or missed, as after a step of the clock.
    func moves(changingZone entries: [AlarmEntry], before: PlanningContext, in new: PlanningContext) -> [Fact] {
        moves(of: entries) { entry, position in
            position.anchor = anchor(changing: entry, from: oldest(entry, position), before: before, in: new)
        }
    }

    /// An anchor whose ring has not come is resolved again, and so is one whose last ring this change removes.
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

    /// The clock was set forward. Rings between the last setting back and now have rung or were missed before: they are passed
    /// over, and not recorded as missed again. An anchor that is passed over like that, or that a trusted clock jumped over, is
    /// resolved again instead of being missed.
    func moves(steppingFrom before: Instant) -> [Fact] {
        moves(of: alarms.all.filter(\.alarm.isEnabled)) { entry, position in
            // If the cursor has moved since the clock was set back, the alarm did not exist before.
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

    /// The clock was set back: no cursor stays ahead of it. An anchor that Rooster resolved is resolved again if it is later
    /// than tomorrow, or if a step forward resolved it.
    func movesAfterStepBack(_ entries: [AlarmEntry]) -> [Fact] {
        moves(of: entries) { entry, position in
            position.cursor = min(position.cursor, clock.instant)
            guard let anchor = position.anchor, !anchor.isHandled,
                anchor.source == .steppedForward || anchor.date > today(of: entry.alarm).advanced(by: 1)
            else { return }
            position.anchor = anchorAnew(entry, from: oldest(entry, position), in: planningContext)
        }
    }

    /// The clock became trusted by a step, or was set while it was not trusted. The cursor of an alarm that was saved meanwhile
    /// moves to when it was saved, by uptime. After a restart that uptime is lost: the cursor is one late window ago.
    func movesOfProvisional(_ entries: [AlarmEntry]) -> [Fact] {
        moves(of: entries.filter(\.position.isProvisional)) { entry, position in
            position.cursor =
                savedUptimes[entry.id].map(instant(atUptime:)) ?? clock.instant.advanced(by: -entry.lateSecondsMax)
            if position.anchor?.isHandled == false {
                position.anchor = anchorAnew(entry, from: position.cursor, in: planningContext)
            }
        }
    }

    // MARK: it rings, or has rung

    /// The alarm was saved again, or the clock was set back by hours, while this occurrence rings: the cursor passes it.
    func pass(_ occurrence: Occurrence, _ entry: AlarmEntry) -> Fact {
        var position = entry.position
        position.pass(occurrence.at)
        return .planMoved(entry.id, position)
    }

    /// A move that has become durable, with its cursor moved past a ring that the alarm had while the move was being written.
    func movedPastLatestRing(_ fact: Fact) -> Fact {
        guard case .planMoved(let id, var position) = fact,
            let rung = alarms[id]?.rung.last(where: { $0 <= clock.instant }), rung > position.cursor
        else { return fact }
        position.pass(rung)
        return .planMoved(id, position)
    }

    // MARK: parts

    /// Applies a row of the table to the position of each alarm. Returns a fact for each alarm that moves.
    private func moves(of entries: [AlarmEntry], _ row: (AlarmEntry, inout ScheduleState) -> Void) -> [Fact] {
        entries.compactMap { entry in
            var position = entry.position
            row(entry, &position)
            return position == entry.position ? nil : .planMoved(entry.id, position)
        }
    }

    /// The cursor, or the start of the late window: rings from then on still ring.
    private func oldest(_ entry: AlarmEntry, _ position: ScheduleState) -> Instant {
        max(position.cursor, clock.instant.advanced(by: -entry.lateSecondsMax))
    }

    /// The anchor of an alarm, resolved again. A day that the owner left out stays, and so does an anchor that no other day can
    /// replace. Of a day that the owner named, only the instant of its ring may change.
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
    /// How late it still rings: its late window, but at least the two seconds that count as on time.
    var lateSecondsMax: Int { max(alarm.lateWindowSeconds, Agenda.lateSecondsMin) }
}
