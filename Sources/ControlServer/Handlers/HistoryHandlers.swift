// The handlers of requests about past rings and events.

import API
import Alarms
import CivilTime
import Engine
import Records
import Service
import Text

extension GetHistory: Query {
    var isLong: Bool { true }

    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        if let days, !(1...GetHistory.daysMax).contains(days) {
            let range = "must be between 1 and \(GetHistory.daysMax), not \(days)"
            throw ErrorResponse(.problems([Problem("days", range)]))
        }
        let start = start(in: engine)
        let categories = Dictionary(uniqueKeysWithValues: engine.alarms.map { ($0.id, $0.category) })
        func isMeant(_ id: Alarm.ID?) -> Bool {
            (alarm == nil || alarm == id) && (category == nil || category == id.flatMap { categories[$0] })
        }
        let rings = engine.history.filter { $0.endedMilliseconds >= start && isMeant($0.occurrence.alarm) }
        let reports = rings.map { engine.report($0) }
        let events = engine.events.entries.suffix(EventLog.countMax).filter { $0.millisecondsSince1970 >= start }
        return Response(
            history: reports,
            events: self.events == true
                ? events.map { EventReport($0, in: engine) }.filter { isMeant($0.alarm) } : nil,
            success: rings.success?.rate, successRings: rings.success?.count,
            successes: successes(of: reports, categories))
    }

    /// Returns the time from which rings and events are meant, in milliseconds since 1970.
    private func start(in engine: Engine) -> Int {
        let now = engine.status(nextCount: 0).nowMilliseconds
        let midnight = since.map { engine.zone.instants(of: CivilDateTime($0, .midnight)).first.milliseconds }
        return max(midnight ?? .min, days.map { now - $0 * 86_400_000 } ?? .min)
    }

    private func successes(of rings: [PastRingReport], _ categories: [Alarm.ID: String]) -> [SuccessReport] {
        var (alarms, kinds, weeks): ([String: SuccessReport], [String: SuccessReport], [String: SuccessReport]) = (
            [:], [:], [:]
        )
        for ring in rings where ring.fired != nil {
            alarms[ring.alarm, default: SuccessReport(.alarm, ring.label, alarm: ring.alarm)].count(ring)
            // The newest label of an alarm is its name.
            alarms[ring.alarm]?.name = ring.label
            if let category = categories[ring.alarm], !category.isEmpty {
                kinds[category, default: SuccessReport(.category, category)].count(ring)
            }
            let date = ring.local.dateTime.date
            let monday = "\(date.advanced(by: 1 - date.weekday.rawValue))"
            weeks[monday, default: SuccessReport(.week, monday)].count(ring)
        }
        return [alarms, kinds, weeks].flatMap { groups in
            groups.values.sorted { ($0.name, $0.alarm ?? "") < ($1.name, $1.alarm ?? "") }
        }
    }
}

extension EventReport {
    init(_ entry: Entry, in engine: Engine) {
        let (at, line) = (Timestamp(milliseconds: entry.millisecondsSince1970), LogLine(entry.fact, in: engine))
        let id = line.fields["ROOSTER_ALARM"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(
            at: at, local: LocalTime(at.instant, in: engine.zone), name: entry.fact.name, text: line.text, alarm: id,
            label: id.flatMap { engine.alarm($0)?.alarm.label ?? engine.label(ofDeleted: $0) },
            ring: line.fields["ROOSTER_AT"].flatMap { Timestamp(text: $0) })
    }
}

extension ClearHistory: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.clearHistory, []) }

    func warning(ifUnwritten outcome: Outcome) -> String? {
        "This is not saved yet: after a restart the history may be back"
    }
}
