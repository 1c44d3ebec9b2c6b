// What can be asked about the house: how it is, its settings and calendars, its past, its files.

import Alarms
import JSON

package struct AskStatus: Form {
    package struct Answer: Codable, Sendable {
        package var status: StatusReport

        package init(status: StatusReport) { self.status = status }
    }

    package init() {}

    package static let row = FormRow("status", .get, "/status", "how things are now")
}

package struct Follow: Form {
    /// What somebody follows.
    package enum Kind: String, Choice, Sendable { case status, happened, told, level }

    package typealias Answer = FollowEvent

    package var what: [Kind]?
    package var since: Int?

    package init(what: [Kind]? = nil, since: Int? = nil) { (self.what, self.since) = (what, since) }

    package static let row = FormRow(
        "follow", .get, "/events", "to be told, a line each, until the connection ends",
        fields: [
            "what":
                "status (when it changes), happened (what is written down), told (what somebody in the room is told), level (how loud it rings, twice a second); status where nothing is said",
            "since": "the sequence number of what happened last before: 256 are remembered",
        ])
}

/// One thing that followers are told: one of its members is there.
package struct FollowEvent: Codable, SparselyCoded, Hashable, Sendable {
    /// Something that was written down.
    package struct Happened: Codable, Hashable, Sendable {
        /// Counted from the first that this journal has.
        package var sequence: Int
        package var at: Timestamp
        package var local: LocalTime
        package var name: String
        package var words: String
        package var alarm: String?
        /// For which instant the ring was set that it is about.
        package var ring: Timestamp?

        package init(
            sequence: Int, at: Timestamp, local: LocalTime, name: String, words: String, alarm: String?,
            ring: Timestamp?
        ) {
            (self.sequence, self.at, self.local, self.name) = (sequence, at, local, name)
            (self.words, self.alarm, self.ring) = (words, alarm, ring)
        }
    }

    /// What somebody in the room, or elsewhere, is told.
    package struct Told: Codable, Hashable, Sendable {
        package enum About: String, Choice, Sendable {
            case refused, challenge, wrong, done, ended, next, inBed, missed, broken
        }

        package var about: About
        package var words: String
        package var asked: AskedReport?
        /// The ring that it is about: whose it is, and when it was set for.
        package var alarm: AlarmLabel?
        package var ring: Timestamp?
        package var ringLocal: LocalTime?

        package init(_ about: About, _ words: String) { (self.about, self.words) = (about, words) }
    }

    package struct Level: Codable, Hashable, Sendable {
        /// Missing when it has fallen silent.
        package var voice: String?
        package var decibels: Double?

        package init(voice: String?, decibels: Double?) { (self.voice, self.decibels) = (voice, decibels) }
    }

    package var status: StatusReport?
    package var happened: Happened?
    package var told: Told?
    package var level: Level?

    package init(status: StatusReport) { self.status = status }
    package init(happened: Happened) { self.happened = happened }
    package init(told: Told) { self.told = told }
    package init(level: Level) { self.level = level }
}

package struct Doctor: Form {
    package struct Answer: Codable, Sendable {
        package var health: [HealthReport]

        package init(health: [HealthReport]) { self.health = health }
    }

    package var loud: Bool?

    package init(loud: Bool? = nil) { self.loud = loud }

    package static let row = FormRow(
        "doctor", .post, "/doctor", "all that ringing needs is to be tried out now",
        fields: ["loud": "whether the buzzer may be heard"])
}

package struct TrySpeakers: Form {
    package typealias Answer = SpeakersReport

    package init() {}

    package static let row = FormRow(
        "trySpeakers", .post, "/speakers/try",
        "the speakers are to be tried in silence, unless one is in use or something rings within a minute")
}

package struct ListSounds: Form {
    package struct Sound: Codable, Hashable, Sendable {
        package var id: String
        package var name: String
        package var seconds: Double?
        /// Why it cannot be played.
        package var problem: String?

        package init(id: String, name: String, seconds: Double?, problem: String?) {
            (self.id, self.name, self.seconds, self.problem) = (id, name, seconds, problem)
        }
    }

    package struct Answer: Codable, Sendable {
        package var sounds: [Sound]

        package init(sounds: [Sound]) { self.sounds = sounds }
    }

    package init() {}

    package static let row = FormRow("sounds", .get, "/sounds", "the sounds that an alarm can have")
}

package struct AskCapabilities: Form {
    package struct Answer: Codable, Sendable {
        package var version: String
        package var simulated: Bool
        /// The kinds of challenge that can be met here.
        package var challenges: [Challenge.Kind]
        /// What can be enrolled.
        package var enrol: [Challenge.Kind]
        package var symbologies: [String]
        package var buttons: Bool
        package var alarmsMax: Int
        package var calendarsMax: Int
        package var snoozeSecondsMin: Int
        package var snoozeSecondsMax: Int
        package var testRingSecondsMax: Int

        package init(
            version: String, simulated: Bool, challenges: [Challenge.Kind], enrol: [Challenge.Kind],
            symbologies: [String], buttons: Bool, alarmsMax: Int, calendarsMax: Int, snoozeSeconds: ClosedRange<Int>,
            testRingSecondsMax: Int
        ) {
            (self.version, self.simulated, self.challenges, self.enrol) = (version, simulated, challenges, enrol)
            (self.symbologies, self.buttons) = (symbologies, buttons)
            (self.alarmsMax, self.calendarsMax) = (alarmsMax, calendarsMax)
            (snoozeSecondsMin, snoozeSecondsMax) = (snoozeSeconds.lowerBound, snoozeSeconds.upperBound)
            self.testRingSecondsMax = testRingSecondsMax
        }
    }

    package init() {}

    package static let row = FormRow("capabilities", .get, "/capabilities", "what this device can do, and its limits")
}

package struct AskSettings: Form {
    package struct Answer: Codable, Sendable {
        package var settings: JSON
        package var revision: String

        package init(settings: JSON, revision: String) { (self.settings, self.revision) = (settings, revision) }
    }

    package init() {}

    package static let row = FormRow("settings", .get, "/settings", "the settings, as alarms files have them")
}

package struct Configure: Form {
    package typealias Answer = AskSettings.Answer

    package var changes: JSON

    package init(changes: JSON) { self.changes = changes }

    package static let row = FormRow(
        "configure", .patch, "/settings", "some members of the settings are to be as they are here",
        fields: ["changes": "the members, as alarms files have them"], if: [.basedOn])
}

package struct ListCalendars: Form {
    package struct Calendar: Codable, Sendable {
        package var name: String
        package var calendar: JSON
        package var revision: String

        package init(name: String, calendar: JSON, revision: String) {
            (self.name, self.calendar, self.revision) = (name, calendar, revision)
        }
    }

    package struct Answer: Codable, Sendable {
        package var calendars: [Calendar]

        package init(calendars: [Calendar]) { self.calendars = calendars }
    }

    package init() {}

    package static let row = FormRow("calendars", .get, "/calendars", "the day calendars, by their names")
}

package struct SaveCalendar: Form {
    package struct Answer: Codable, Sendable {
        /// Missing where the calendar is gone.
        package var revision: String?

        package init(revision: String?) { self.revision = revision }
    }

    package var name: String
    package var calendar: JSON?

    package init(name: String, calendar: JSON?) { (self.name, self.calendar) = (name, calendar) }

    package static let row = FormRow(
        "calendar", .put, "/calendars/{name}", "a day calendar is to be as it is here",
        fields: ["name": "its name", "calendar": "as alarms files have it; nothing for it to be gone"], if: [.basedOn])
}

package struct AskHistory: Form {
    package struct Answer: Codable, Sendable {
        package var history: [PastRingReport]
        /// The part of those that were to be stopped by challenges that were, from 0 to 1.
        package var success: Double?

        package init(history: [PastRingReport], success: Double?) { (self.history, self.success) = (history, success) }
    }

    package var days: Int?

    package init(days: Int? = nil) { self.days = days }

    package static let row = FormRow(
        "history", .get, "/history", "the rings that are over, the oldest first", fields: ["days": "of how many days"])
}

package struct ExportAll: Form {
    package struct Answer: Codable, Sendable {
        package var file: JSON

        package init(file: JSON) { self.file = file }
    }

    package init() {}

    package static let row = FormRow("export", .get, "/file", "all that its owner keeps, as an alarms file")
}

package struct ImportFile: Form {
    package struct Answer: Codable, Sendable {
        package var alarms: Int
        package var setAside: [ProblemReport]
        /// The names of the codes that came in: each can end a ring from now on.
        package var codes: [String]

        package init(alarms: Int, setAside: [ProblemReport], codes: [String]) {
            (self.alarms, self.setAside, self.codes) = (alarms, setAside, codes)
        }
    }

    package var file: AlarmsDocument
    package var backup: Bool?

    package init(file: AlarmsDocument, backup: Bool? = nil) { (self.file, self.backup) = (file, backup) }

    package static let row = FormRow(
        "import", .post, "/file", "what is sound in an alarms file is to be there as well",
        fields: [
            "file": "the alarms file",
            "backup": "whether all is to be as in the file: settings too, whole or not at all",
        ])
}

/// An alarms file within a document. It is read where it is decoded, which may take a while.
package struct AlarmsDocument: Codable, Sendable {
    package let json: JSON
    package let reading: AlarmsFileReading

    package init(_ json: JSON) { (self.json, reading) = (json, AlarmsFileReading(json)) }

    package init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(JSON.self)) }

    package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

package struct SimulateBedside: Form {
    package var changes: JSON

    package init(changes: JSON) { self.changes = changes }

    package static let row = FormRow(
        "simulate", .post, "/bedside", "the simulated bedside is to be otherwise",
        fields: ["changes": "what happens there"])
}
