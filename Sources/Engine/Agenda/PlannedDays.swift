// The plan that clients show: the rings of an interval, and the days that alarms leave out.

import Agenda
import Alarms
import CivilTime

package struct PlannedDays: Sendable {
    /// The rings in order, each with the ring that the layers below would give on its date.
    package var rings: [(ring: PlannedRing, below: PlannedRing?)] = []
    /// The left-out days in the order of the rings that they replace.
    package var leftOut: [LeftOutDay] = []
}

extension Engine {
    /// Returns the rings and the left-out days of all alarms in [from, until), at most `countMax` each. If
    /// there are more rings, the days end with the last ring that is returned.
    package func plannedDays(from: Instant, until: Instant, countMax: Int) -> PlannedDays {
        let (rings, context) = (rings(from: from, until: until, countMax: countMax), agenda.planningContext)
        // This also bounds the search for left-out days, which are few beside the rings.
        let end = rings.count == countMax ? rings.last?.occurrence.at.advanced(by: 1) ?? until : until
        func layers(_ entry: AlarmEntry) -> ScheduleLayers {
            ScheduleLayers(entry.alarm, entry.position.anchor, in: context)
        }
        var plan = PlannedDays()
        plan.rings = rings.map { ring in
            guard ring.layer != .base, let entry = agenda.alarms[ring.occurrence.alarm] else { return (ring, nil) }
            return (ring, layers(entry).below(ring))
        }
        let entries = agenda.alarms.all.filter { ScheduleLayers.canLeaveOut($0.alarm, in: context) }
        let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, layers($0)) })
        let days = RingsInOrder(entries.compactMap { byID[$0.id]?.everyDay }, from: from, until: end).lazy
            .compactMap { byID[$0.occurrence.alarm]?.leftOut($0.date) }
        plan.leftOut = Array(days.prefix(countMax))
        return plan
    }
}
