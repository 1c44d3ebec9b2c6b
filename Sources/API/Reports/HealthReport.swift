// The health of each part as responses report it.

import Alarms
import Engine

package struct HealthReport: Codable, Hashable, Sendable {
    package let part: Part
    package let grade: Health.Grade
    /// What is wrong with it, or what was found.
    package var text: String
    /// Clients choose their advice by these.
    package let causes: [Cause]

    package init(_ part: Part, _ health: Health, _ text: String? = nil) {
        self.part = part
        grade = health.grade
        self.text = text ?? health.text
        causes = health.causes
    }
}

extension Engine {
    /// Whether any alarm is going to ring, as the health of a part.
    package var outlookReport: HealthReport {
        switch outlook {
        case .rings(let next):
            // In the device's zone, as the status.
            let (id, at) = (next.occurrence.alarm, zone.local(next.occurrence.at))
            let label = alarm(id)?.alarm.label ?? ""
            let name = label.isEmpty ? "Alarm \(id.prefix(8))" : label
            return HealthReport(.alarms, .ok, "\(name) rings next, on \(at.date) at \(at.time)")
        case .allOff: return HealthReport(.alarms, Health(.allOff))
        case .noRing: return HealthReport(.alarms, Health(.noRing))
        case .noOtherRing: return HealthReport(.alarms, .ok, "No other alarm is going to ring")
        }
    }
}
