// The request to follow events, and the events that followers receive.

import Engine
import Text

package struct Follow: Request {
    package enum Topic: String, Choice, Sendable { case status, records, prompts, level }

    package typealias Response = FollowEvent

    package let topics: [Topic]?
    package let since: Int?

    package init(topics: [Topic]? = nil, since: Int? = nil) { (self.topics, self.since) = (topics, since) }

    package static let spec = RequestSpec(
        "follow", .get, "/events", changes: false, may: .look, "Sends events, a line each, until the connection ends",
        fields: [
            "topics":
                "status (at each change), records (each fact), prompts (for the sleeper, and notifications for the owner), level (the loudness of the ring, twice a second); default: status",
            "since": "the sequence number of the last record that the client has; the service keeps the last 256",
        ])
}

/// An event for followers. Exactly one of its members is set.
package struct FollowEvent: Codable, SparselyCoded, Hashable, Sendable {
    /// A fact that was recorded in the journal.
    package struct RecordReport: Codable, Hashable, Sendable {
        /// The number of the fact, counted from the first one of this journal.
        package let sequence: Int
        package let at: Timestamp
        package let local: LocalTime
        package let name: String
        package let text: String
        package let alarm: String?
        /// The planned instant of the ring that the fact concerns.
        package let ring: Timestamp?
        /// The alarm's note, if it has one and the fact concerns a ring that has begun.
        package var note: String?
        /// The alarm's category, as its note.
        package var category: String?

        package init(
            sequence: Int, at: Timestamp, local: LocalTime, name: String, text: String, alarm: String?,
            ring: Timestamp?
        ) {
            self.sequence = sequence
            self.at = at
            self.local = local
            self.name = name
            self.text = text
            self.alarm = alarm
            self.ring = ring
        }
    }

    /// A prompt for the sleeper at the device, or a notification for an owner elsewhere.
    package struct PromptReport: Codable, Hashable, Sendable {
        package enum Topic: String, Choice, Sendable {
            case refused, challenge, wrong, done, ended, check, next, notice, bedtime, inBed, missed, broken
        }

        package let about: Topic
        package let text: String
        package var asked: AskedReport?
        /// The ring that the prompt concerns: its alarm and its planned instant.
        package var alarm: AlarmLabel?
        package var ring: Timestamp?
        package var ringLocal: LocalTime?
        /// The note of that alarm; missing if it has none.
        package var note: String?
        /// The category of that alarm; missing if it has none.
        package var category: String?

        package init(_ about: Topic, _ text: String) { (self.about, self.text) = (about, text) }
    }

    package struct LevelReport: Codable, Hashable, Sendable {
        /// Missing when the sound has stopped.
        package let output: String?
        package let decibels: Double?

        package init(output: String?, decibels: Double?) { (self.output, self.decibels) = (output, decibels) }
    }

    package var status: StatusReport?
    package var record: RecordReport?
    package var prompt: PromptReport?
    package var level: LevelReport?

    package init(status: StatusReport) { self.status = status }
    package init(record: RecordReport) { self.record = record }
    package init(prompt: PromptReport) { self.prompt = prompt }
    package init(level: LevelReport) { self.level = level }
}
