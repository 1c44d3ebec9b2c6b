// The requests about past rings and events.

import CivilTime
import Text

package struct GetHistory: Request {
    package struct Response: Codable, SparselyCoded, Sendable {
        package let history: [PastRingReport]
        /// The events, the oldest first; missing if the request does not ask for them.
        package let events: [EventReport]?
        /// The share of rings with challenges that their challenges ended, from 0 to 1.
        package let success: Double?
        /// The number of those rings; missing if there is none.
        package let successRings: Int?
        /// The rings and their success by alarm, by category and by week.
        package let successes: [SuccessReport]?

        package init(
            history: [PastRingReport], events: [EventReport]?, success: Double?, successRings: Int?,
            successes: [SuccessReport]?
        ) {
            (self.history, self.events, self.success, self.successes) = (history, events, success, successes)
            self.successRings = successRings
        }
    }

    package let days: Int?
    package let since: CivilDate?
    package let alarm: String?
    package let category: String?
    package let events: Bool?

    package init(
        days: Int? = nil, since: CivilDate? = nil, alarm: String? = nil, category: String? = nil, events: Bool? = nil
    ) {
        (self.days, self.since, self.alarm, self.category, self.events) = (days, since, alarm, category, events)
    }

    package static let daysMax = 4000

    package static let spec = RequestSpec(
        "history", .get, "/history", changes: false, may: .look, "Returns the rings that are over, the oldest first",
        fields: [
            "days": "only those of the last days, 1 to \(daysMax); default: all",
            "since": "only those since the beginning of this day in the device's zone; default: all",
            "alarm": "only those of the alarm with this id, which may be deleted; default: all",
            "category": "only those of alarms that have this category now; default: all",
            "events": "true adds the newest events; default: false",
        ])
}

package struct ClearHistory: Request {
    package init() {}

    package static let spec = RequestSpec(
        "clearHistory", .delete, "/history", changes: true, may: .change,
        "Clears past rings and events, but not those of the last 24 hours, and records that")
}

/// An event: a refusal, a wrong answer, a failed sound, a skipped day and so on.
package struct EventReport: Codable, SparselyCoded, Hashable, Sendable {
    package let at: Timestamp
    package let local: LocalTime
    /// The name of the event, as in the records of `follow`.
    package let name: String
    package let text: String
    package let alarm: String?
    /// The alarm's label, also that of a deleted alarm if it is known.
    package let label: String?
    /// The planned instant of the ring that the event concerns.
    package let ring: Timestamp?

    package init(
        at: Timestamp, local: LocalTime, name: String, text: String, alarm: String?, label: String?, ring: Timestamp?
    ) {
        (self.at, self.local, self.name, self.text) = (at, local, name, text)
        (self.alarm, self.label, self.ring) = (alarm, label, ring)
    }
}

/// The rings of one alarm, one category or one week, and how many of them got the owner up.
package struct SuccessReport: Codable, SparselyCoded, Hashable, Sendable {
    package enum Group: String, Choice, Sendable { case alarm, category, week }

    /// The kind of group.
    package let group: Group
    /// The label of the alarm, the category, or the Monday with which the week begins.
    package var name: String
    /// The alarm's id, for a group of one alarm.
    package let alarm: String?
    /// The rings that are over. Missed rings and tests do not count.
    package var rings = 0
    /// The rings that were ended by their challenges, or by a stop if they had none.
    package var dismissed = 0
    /// Those of them whose challenges were done, or that were stopped, within 10 minutes.
    package var inTenMinutes = 0

    package init(_ group: Group, _ name: String, alarm: String? = nil) {
        (self.group, self.name, self.alarm) = (group, name, alarm)
    }

    private static let quickSeconds = 600

    package mutating func count(_ ring: PastRingReport) {
        // A ring that was put off counts when it rings again, and a chore that is done was not missed.
        guard ring.ended != .postponed, ring.fired != nil || ring.doneAt != nil else { return }
        rings += 1
        guard ring.ended == .dismissed || ring.doneAt != nil else { return }
        dismissed += 1
        guard let fired = ring.fired else { return }
        // A wake-up check follows the challenges.
        let up = ring.challenges.last?.done ?? ring.end
        if up.instant.seconds(since: fired.instant) <= SuccessReport.quickSeconds { inTenMinutes += 1 }
    }
}
