// The report of a part's health in responses.

import Alarms
import CivilTime
import Engine
import Health
import Text

package struct HealthReport: Codable, SparselyCoded, Hashable, Sendable {
    package let part: Part
    package let grade: Health.Grade
    /// The fault, or a detail of a part that works.
    package var text: String
    /// The causes of the fault, by which a client chooses its advice.
    package let causes: [Cause]
    /// The time of the last test or report of the part; missing if there was none since the start.
    package let at: Timestamp?

    /// The name of the part that owners read.
    package var name: String { part.name }

    package init(_ part: Part, _ health: Health, _ text: String? = nil, at: Instant? = nil) {
        self.part = part
        self.at = at.map { Timestamp($0) }
        grade = health.grade
        self.text = text ?? health.text
        causes = health.causes
    }
}

extension HealthReport {
    /// The report of a clock that may be wrong.
    package static let clockUnknown = HealthReport(.clock, Health(.clockUnknown))
}

extension Engine {
    /// The next ring of any alarm, or the reason why there is none, as the health of a part.
    package var outlookReport: HealthReport {
        if settings.isEnabled, !replacedTexts.isEmpty {
            return HealthReport(.alarms, Health(.challengesReplaced(replacedTexts.prefix(5).map(\.self))))
        }
        switch outlook {
        case .rings(let next):
            // The device's zone, which the status uses as well.
            let (id, at) = (next.occurrence.alarm, zone.local(next.at))
            return HealthReport(
                .alarms, .ok, "\(name(alarm(id)?.alarm ?? Alarm(id: id))) rings next, on \(at.date) at \(at.time)")
        case .allOff: return HealthReport(.alarms, Health(.allOff))
        case .noRing: return HealthReport(.alarms, Health(.noRing))
        case .noOtherRing: return HealthReport(.alarms, .ok, "No other alarm is going to ring")
        }
    }

    private func name(_ alarm: Alarm) -> String { alarm.label.isEmpty ? "Alarm \(alarm.id.prefix(8))" : alarm.label }

    /// The challenges of alarms that others would replace now.
    private var replacedTexts: [String] {
        alarms.filter(\.isEnabled).flatMap { alarm in
            replaced(in: alarm).map { "\(name(alarm)): \($0.text)" }
        }
    }
}
