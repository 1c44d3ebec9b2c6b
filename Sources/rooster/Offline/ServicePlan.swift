// The plan of the running service: its rings, and the days that its alarms leave out.

import API
import Alarms
import CivilTime
import Text

enum ServicePlan {
    /// Prints the plan between two instants, for a week from now if they are not given.
    static func show(
        _ call: ServiceCall, from: ((Zone) -> Instant)?, until: ((Zone) -> Instant)?
    ) throws(CommandError) {
        let clock = DeviceClock(try call.service.status().device)
        // The zone of a bound matters only for a date.
        let zone = clock.zone ?? .utc
        let begin = from?(zone) ?? clock.now
        let end = until?(zone) ?? begin.advanced(by: 7 * 86_400)
        guard begin <= end else { throw call.arguments.wrong("--until is before --from") }
        let plan = try call.service.ask(PlanRings(until: Timestamp(end), from: Timestamp(begin))).body
        guard !call.isJSON else {
            for ring in plan.rings { print(ring.line) }
            for day in plan.leftOut { print(day.line) }
            return
        }
        // The days of an alarm that is off are no news.
        let days = plan.leftOut.filter { $0.reason != .off }
        let lines =
            plan.rings.map { (clock.local($0), text($0, clock)) }
            + days.map { day in
                // A day without a time comes before the rings of that date.
                let at = day.instead.map { clock.local(at: $0.at.instant)?.dateTime ?? $0.local.dateTime }
                return (at ?? CivilDateTime(day.date, .midnight), text(day, clock))
            }
        for line in lines.sorted(by: { $0.0 < $1.0 }) { print(line.1) }
        if lines.isEmpty { print("Nothing rings in that time") }
    }

    private static func text(_ ring: RingReport, _ clock: DeviceClock) -> String {
        let other = ring.insteadOf.map { "instead of \(clock.hours.text($0.local.dateTime.time))" }
        let why = [clock.early(ring), NextText.ownTime(ring), other].compactMap(\.self).joined(separator: ", ")
        return "\(clock.local(ring).text(clock.hours))  \(ring.shownName)\(why.isEmpty ? "" : "  (\(why))")"
    }

    private static func text(_ day: LeftOutReport, _ clock: DeviceClock) -> String {
        let weekday = WeekdaySet([day.date.weekday]).summary
        let reason =
            switch day.reason {
            case .off: "off"
            case .skip: "skipped"
            case .date: "this date is off"
            case .pause: "paused"
            case .calendar: "not a day of its calendar"
            case .weekday: "\(weekday) is off"
            }
        let other = day.instead.map { "instead of \(clock.hours.text($0.local.dateTime.time))" }
        let why = [reason, other].compactMap(\.self).joined(separator: ", ")
        return "\(weekday) \(day.date) –  \(day.shownName)  (\(why))"
    }
}
