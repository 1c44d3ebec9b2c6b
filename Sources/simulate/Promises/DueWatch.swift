// Promise 1: whatever is due rings within a second of the first moment at which it could, or is recorded missed by the rule.

import Alarms
import CivilTime
import Engine

/// Works out by itself what is due.
struct DueWatch {
    private struct Line {
        var schedule: Schedule?
        /// Since when it has been as it is.
        var since = Instant.earliest
        /// What is due after this has not been asked for yet.
        var cursor: Instant
    }

    private var lines: [Alarm.ID: Line] = [:]
    private var isStale = true
    private var zone: Zone?
    private var zoneName: String?
    private var zoneSince = Instant.earliest
    /// How far the best time that the engine knows is from what it really is.
    private var clockError = 0
    private(set) var nextLookAt: Int?

    /// So long after its time an alarm may begin.
    private static let graceMilliseconds = 1000

    /// Records have become durable, some of which may plan alarms anew.
    mutating func changed(by entries: [Entry]) {
        for entry in entries {
            switch entry.fact {
            case .alarmSaved(let alarm, _): lines[alarm.id] = nil
            case .alarmDeleted(let id): lines[id] = nil
            case .clockStepped: lines = lines.mapValues { Line(schedule: nil, cursor: $0.cursor) }
            case .settingsSaved(let settings, _, _):
                let saved = Instant(secondsSince1970: entry.millisecondsSince1970 / 1000)
                let hasMoved = settings.zoneName != zoneName
                zoneName = settings.zoneName
                if hasMoved { zoneSince = saved }
                lines = lines.mapValues { Line(schedule: nil, cursor: hasMoved ? max($0.cursor, saved) : $0.cursor) }
            case .ended(let occurrence, _, _, _?), .missed(let occurrence, _, _?):
                lines[occurrence.alarm]?.schedule = nil
            default: continue
            }
            isStale = true
        }
    }

    /// The service has started again: whatever has become due meanwhile is asked for.
    mutating func restarted(_ model: Model, in zone: Zone) {
        // Since when it is in another zone was not written down: nobody knows what was due in between.
        if model.zoneName != zone.name || model.settings.zoneName != zoneName { self.zone = nil }
        zoneName = model.settings.zoneName
        lines = lines.mapValues { Line(schedule: nil, cursor: $0.cursor) }
        isStale = true
    }

    /// When an alarm rings next after an instant, by what is durable.
    func next(_ id: Alarm.ID, after instant: Instant) -> Instant? {
        lines[id]?.schedule?.next(after: instant)?.occurrence.at
    }

    /// Whether an alarm rings at an instant, by what is durable.
    func isPlanned(_ occurrence: Occurrence) -> Bool {
        next(occurrence.alarm, after: occurrence.at.advanced(by: -1)) == occurrence.at
    }

    /// Plans what has changed, as of now.
    mutating func prepare(_ status: Status, _ world: World, _ model: Model) {
        let error = status.nowMilliseconds - world.givenAt
        let now = Instant(secondsSince1970: (world.now + error) / 1000)
        if zone != world.zone || error != clockError {
            // In another zone, and when the clock was set, all is planned anew.
            lines = lines.mapValues { Line(schedule: nil, cursor: zone != world.zone ? now : min($0.cursor, now)) }
            if zone != world.zone { zoneSince = now }
            zone = world.zone
            isStale = true
        }
        clockError = error
        if isStale { plan(model, now, world) }
    }

    /// Looks whether everything that is due has had its turn.
    mutating func look(_ status: Status, _ world: World, _ watcher: Watcher) {
        let nowMilliseconds = world.now + clockError
        let now = Instant(secondsSince1970: nowMilliseconds / 1000)
        guard status.isClockTrusted else {
            nextLookAt = nil
            return
        }
        var first = Instant.latest
        for id in lines.keys.sorted() {
            guard var line = lines[id], let schedule = line.schedule else { continue }
            line.cursor = max(line.cursor, min(line.since, now), min(zoneSince, now))
            while let at = schedule.next(after: line.cursor)?.occurrence.at {
                guard at.secondsSince1970 * 1000 + DueWatch.graceMilliseconds <= nowMilliseconds else {
                    first = min(first, at)
                    break
                }
                line.cursor = at
                let occurrence = Occurrence(alarm: id, at: at)
                // One that rang its only ring is off before that is durable.
                let isOn = world.engine.alarm(id)?.alarm.isEnabled == true
                guard isOn, !watcher.sessions.isKnown(occurrence, world) else { continue }
                // What was saved by a clock that nobody trusted counts from another time as soon as that is set.
                if watcher.hoped.alarms[id].map({ $0.since < at }) ?? false {
                    watcher.broke(1, "\(occurrence) is due, and neither rings nor was missed")
                }
            }
            lines[id] = line
        }
        nextLookAt =
            first == .latest
            ? nil : first.secondsSince1970 * 1000 + DueWatch.graceMilliseconds - clockError
    }

    private func zone(of alarm: Alarm, _ model: Model, _ world: World) -> Zone {
        let name = alarm.zoneName ?? model.settings.zoneName
        return name.flatMap { name in SimulatedZones.all.first { $0.name == name } } ?? world.zone
    }

    /// Whether an alarm rings at an instant, by what may not be durable yet.
    func isPlanned(_ occurrence: Occurrence, by model: Model, _ world: World) -> Bool {
        guard let kept = model.alarms[occurrence.alarm], kept.alarm.isEnabled else { return false }
        let before = occurrence.at.advanced(by: -1)
        let schedule = Schedule(kept.alarm, in: zone(of: kept.alarm, model, world), since: min(kept.since, before))
        return schedule.next(after: before)?.occurrence.at == occurrence.at
    }

    private mutating func plan(_ model: Model, _ now: Instant, _ world: World) {
        isStale = false
        lines = lines.filter { model.alarms[$0.key] != nil }
        for (id, kept) in model.alarms {
            guard lines[id]?.schedule == nil else { continue }
            guard kept.alarm.isEnabled, model.settings.isEnabled else {
                lines[id] = Line(schedule: nil, cursor: now)
                continue
            }
            let zone = zone(of: kept.alarm, model, world)
            let since = min(kept.since, now)
            lines[id] = Line(
                schedule: Schedule(kept.alarm, in: zone, since: since), since: max(kept.since, model.enabledSince),
                cursor: max(lines[id]?.cursor ?? .earliest, min(max(since, model.enabledSince), now)))
        }
    }
}
