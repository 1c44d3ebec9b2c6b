// How each part is that ringing needs.

import JSON

package struct HealthReport: Codable, Hashable, Sendable {
    package enum Grade: String, Choice, Sendable { case ok, warning, broken }

    /// What ringing needs; alarms is whether anything is going to ring, rooster what was wrong from the start.
    package enum Part: String, Choice, Sendable {
        case speaker, camera, codes, buttons, keypad, steps, tags, lamps, disk, clock, alarms, rooster
    }

    package var part: Part
    package var grade: Grade
    /// What is wrong with it, or what was found.
    package var words: String
    package var causes: [HealthCause]

    package init(_ part: Part, _ grade: Grade, _ words: String, causes: [HealthCause] = []) {
        (self.part, self.grade, self.words, self.causes) = (part, grade, words, causes)
    }
}

/// Why a part is not well, and what is known of it: what can be done about it goes by this.
package struct HealthCause: Codable, SparselyCoded, Hashable, Sendable {
    package enum Name: String, Choice, Sendable {
        case silent, unready, buzzerOnly, replaced, mixer, sound, soundsUnread, diskRefuses, diskWears, diskHangs,
            clockUnknown, codesUnmet, cameraBroken, cameraPulledOut, camera, unusable, wiring, buttonStuck, buttonLoose
        /// No alarm is going to ring: none is on, or all are switched off together.
        case noRing, allOff
        /// In words that were written down by an older Rooster, or that stand for themselves.
        case described
    }

    /// A speaker that is not heard; without a reason it has not been tried.
    package struct Speaker: Codable, Hashable, Sendable {
        package var name: String
        package var reason: String?

        package init(name: String, reason: String?) { (self.name, self.reason) = (name, reason) }
    }

    package var name: Name
    /// What the device, the system or the alarms say.
    package var reasons: [String]?
    package var speakers: [Speaker]?
    /// The speakers that are configured and not there, and the one that takes their place.
    package var missing: [String]?
    package var by: String?
    package var button: String?

    package init(_ name: Name) { self.name = name }
}
