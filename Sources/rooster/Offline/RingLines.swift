// A planned ring as a line: for people, and for scripts.

import Alarms
import CivilTime
import JSON
import Text

struct RingLines {
    private let alarms: [Alarm.ID: Alarm]
    private let zones: [Alarm.ID: Zone]
    private let deviceZone: Zone

    init(of plan: Plan, _ file: AlarmsFile, deviceZone: Zone) {
        alarms = Dictionary(file.alarms.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        zones = Dictionary(plan.schedules.map { ($0.alarm, $0.zone) }, uniquingKeysWith: { first, _ in first })
        self.deviceZone = deviceZone
    }

    func json(_ ring: PlannedRing) -> String {
        let (at, id) = (ring.occurrence.at, ring.occurrence.alarm)
        return JSON.object([
            .init("at", .text(at)),
            .init("local", .text(zone(of: id).text(at))),
            .init("alarm", .string(id)),
            .init("label", .string(alarms[id]?.label ?? "")),
            .init("layer", .string(ring.layer.rawValue)),
        ]).description
    }

    /// As in "Tue 2026-01-13 07:45  School morning  (Tue has its own time)".
    func words(_ ring: PlannedRing) -> String {
        let id = ring.occurrence.alarm
        let local = deviceZone.local(ring.occurrence.at)
        let why =
            switch ring.layer {
            case .base: alarms[id]?.daysInWords ?? ""
            case .weekly: "\(WeekdaySet([ring.date.weekday]).words) has its own time"
            case .date: "this date has its own time"
            }
        let zone = zone(of: id)
        let own = zone.local(ring.occurrence.at)
        let there = zone == deviceZone ? nil : "\(weekday(own)) \(own.time) in \(zone.name)"
        let note = [why, there, alarms[id]?.wordsOfGap(at: own, ring.layer)].compactMap(\.self).joined(separator: "; ")
        let label = alarms[id].map { $0.label.isEmpty ? $0.id : $0.label } ?? id
        return "\(weekday(local)) \(local.date) \(local.time)  \(label.inOneLine)  (\(note))"
    }

    private func weekday(_ local: CivilDateTime) -> String { WeekdaySet([local.date.weekday]).words }

    private func zone(of id: Alarm.ID) -> Zone { zones[id] ?? deviceZone }
}
