// What answers are made of: alarms, rings, and what is asked of a sleeper.

import Alarms
import CivilTime
import JSON

package struct AlarmLabel: Codable, Hashable, Sendable {
    /// Its id; empty for a test.
    package let alarm: String
    package let label: String

    package init(alarm: String, label: String) { (self.alarm, self.label) = (alarm, label) }
}

/// An alarm, and what its owner wants to know of it.
package struct AlarmReport: Codable, Hashable, Sendable {
    /// As alarms files have it.
    package var alarm: JSON
    package var next: RingReport?
    /// When it rings, in words.
    package var days: String
    /// Whether it rings soon or rings: until that is over nothing is changed that would be a way to escape it.
    package var locked: Bool
    /// Why it cannot be switched on as it is.
    package var unmet: [ProblemReport]
    /// Another one as soon as anything of it is changed.
    package var revision: String

    package init(
        alarm: JSON, next: RingReport?, days: String, locked: Bool, unmet: [ProblemReport], revision: String
    ) {
        (self.alarm, self.next, self.days, self.locked) = (alarm, next, days, locked)
        (self.unmet, self.revision) = (unmet, revision)
    }
}

package struct RingReport: Codable, Hashable, Sendable {
    package var at: Timestamp
    /// What the clocks show then where it rings.
    package var local: LocalTime
    package var alarm: String
    package var label: String
    /// What decided it.
    package var layer: Layer

    package init(at: Timestamp, local: LocalTime, alarm: String, label: String, layer: Layer) {
        (self.at, self.local, self.alarm, self.label, self.layer) = (at, local, alarm, label, layer)
    }
}

package struct PastRingReport: Codable, Hashable, Sendable {
    package enum Ended: String, Choice, Sendable { case dismissed, unanswered, missed, cancelled, emergency }

    package struct Task: Codable, Hashable, Sendable {
        /// Missing for one that this Rooster does not know.
        package var kind: String?
        package var done: Timestamp?

        package init(kind: String?, done: Timestamp?) { (self.kind, self.done) = (kind, done) }
    }

    package var at: Timestamp
    package var local: LocalTime
    package var alarm: String
    package var label: String
    package var ended: Ended
    package var end: Timestamp
    package var endLocal: LocalTime
    package var fired: Timestamp?
    package var lateSeconds: Int?
    package var snoozes: Int
    package var challenges: [Task]
    /// The alarm by whose challenges it ended.
    package var with: String?
    /// Whether no card and no buzzer played it.
    package var unheard: Bool
    /// The first of the rings that were missed one after the other.
    package var firstMissed: Timestamp?

    package init(
        at: Timestamp, local: LocalTime, alarm: String, label: String, ended: Ended, end: Timestamp,
        endLocal: LocalTime,
        fired: Timestamp?, lateSeconds: Int?, snoozes: Int, challenges: [Task], with: String?, unheard: Bool,
        firstMissed: Timestamp?
    ) {
        (self.at, self.local, self.alarm, self.label, self.ended) = (at, local, alarm, label, ended)
        (self.end, self.endLocal, self.fired, self.lateSeconds) = (end, endLocal, fired, lateSeconds)
        (self.snoozes, self.challenges, self.with) = (snoozes, challenges, with)
        (self.unheard, self.firstMissed) = (unheard, firstMissed)
    }
}

/// What a challenge asks for now.
package struct AskedReport: Codable, SparselyCoded, Hashable, Sendable {
    /// Of what kind it is; impossible is what the device has nothing to meet with.
    package enum Kind: String, Choice, Sendable { case math, qr, tag, steps, pattern, impossible }

    package var kind: Kind
    /// A sum, and the number by which an answer may name it.
    package var sum: String?
    package var sumNumber: Int?
    /// How many sums or steps are left, this sum among them.
    package var left: Int?
    /// For how long no answer is taken.
    package var lockedOutSeconds: Int?
    /// The codes or tags of which one is to be shown.
    package var labels: [String]?
    /// The buttons in the order in which they are to be pressed.
    package var buttons: [String]?

    package init(_ kind: Kind) { self.kind = kind }
}

/// What clocks show in the house, and whether alarms are on at all: by these an answer can be put into words.
package struct HouseReport: Codable, Hashable, Sendable {
    package var now: Timestamp
    package var local: LocalTime
    package var zone: String
    /// The master switch.
    package var enabled: Bool

    package init(now: Timestamp, local: LocalTime, zone: String, enabled: Bool) {
        (self.now, self.local, self.zone, self.enabled) = (now, local, zone, enabled)
    }
}

package struct SessionOutcome: Codable, SparselyCoded, Hashable, Sendable {
    package enum State: String, Choice, Sendable {
        case snoozed, stopped, nothingRings, asked, unlocked, notLocked
        /// A test is not snoozed: it is over.
        case testOver
    }

    package var state: State
    /// Whose; missing where nothing rings.
    package var alarm: String?
    package var label: String?
    /// Until when it is silent, or from when on it is locked.
    package var until: Timestamp?
    package var untilLocal: LocalTime?
    /// How often it may be snoozed again; missing without a limit.
    package var left: Int?
    /// Whether it is snoozed for another length than was asked for.
    package var clamped: Bool?
    /// What an answer was; late is one to the sum before.
    package var right: Bool?
    package var late: Bool?
    package var asked: AskedReport?
    /// What rings on.
    package var ringing: AlarmLabel?
    /// Where a time is said.
    package var house: HouseReport?

    package init(_ state: State) { self.state = state }
}

package struct AlarmOutcome: Codable, Hashable, Sendable {
    package var id: String
    package var next: RingReport?
    /// When it rings, in words.
    package var days: String?
    /// The date that it leaves out.
    package var date: CivilDate?
    package var revision: String?
    /// Whether it rings, or is snoozed: that goes on.
    package var open: Bool
    package var house: HouseReport

    package init(id: String, open: Bool, house: HouseReport) { (self.id, self.open, self.house) = (id, open, house) }
}

/// A code or tag that is enrolled. What it says is told to nobody.
package struct CodeReport: Codable, Hashable, Sendable {
    package var label: String
    package var kind: Challenge.Kind
    package var symbology: String
    package var fingerprint: String
    /// The alarms that it can end.
    package var alarms: [String]

    package init(label: String, kind: Challenge.Kind, symbology: String, fingerprint: String, alarms: [String]) {
        (self.label, self.kind, self.symbology) = (label, kind, symbology)
        (self.fingerprint, self.alarms) = (fingerprint, alarms)
    }
}
