// The report of the simulated hardware.

import Text

/// The state of the simulated hardware, apart from `status`.
package struct BedsideReport: Codable, Hashable, Sendable {
    package struct Card: Codable, Hashable, Sendable {
        package let id: String
        package let name: String
        /// False if it is unplugged.
        package let plugged: Bool
        /// Its fault: none, stalls, breaks, refuses or hangs.
        package let fault: String

        package init(id: String, name: String, plugged: Bool, fault: String) {
            (self.id, self.name, self.plugged, self.fault) = (id, name, plugged, fault)
        }
    }

    package struct Camera: Codable, Hashable, Sendable {
        /// Its state: ok, dark, blur, freeze, cut or unplugged.
        package let state: String
        /// True while it takes pictures.
        package let on: Bool
        /// The texts of the codes before it.
        package let codes: [String]
        /// True if a picture is before it.
        package let picture: Bool
        /// The brightness of the view, from 0 for black to 100 for white.
        package let light: Int
        /// The sharpness of the view, from 0 to 100.
        package let sharpness: Int

        package init(state: String, on: Bool, codes: [String], picture: Bool, light: Int, sharpness: Int) {
            (self.state, self.on, self.codes) = (state, on, codes)
            (self.picture, self.light, self.sharpness) = (picture, light, sharpness)
        }
    }

    package struct Lamp: Codable, Hashable, Sendable {
        package enum Light: String, Choice, Sendable { case off, on, blinking }

        /// The lamp: status or camera.
        package let lamp: String
        /// Its light now.
        package let light: Light
        /// The durations of its blinking in milliseconds, alternating on and off.
        package let pulses: [Int]?
        /// The number of flashes of the lamp so far, each of which interrupts its light.
        package let flashes: Int
        /// The durations of the last flash in milliseconds, alternating on and off.
        package let flash: [Int]?

        package init(lamp: String, light: Light, pulses: [Int]?, flashes: Int, flash: [Int]?) {
            (self.lamp, self.light, self.pulses, self.flashes, self.flash) = (lamp, light, pulses, flashes, flash)
        }
    }

    /// The time that the clock shows.
    package var local: LocalTime
    /// The speed of the clock; 1 is real time.
    package var speed: Double
    /// True if the machine trusts its clock.
    package var trusted: Bool
    /// The inputs of the device: snooze, stop, keypad, steps and tags.
    package var inputs: [String]
    /// The simulated sound cards; empty if a real one plays.
    package var cards: [Card]
    /// The id of the audible card, or "buzzer".
    package var output: String?
    /// The level of the sound, in decibels relative to the loudest possible.
    package var decibels: Double?
    /// The camera; missing if none is configured.
    package var camera: Camera?
    /// The disk: ok, full or failing.
    package var disk: String
    /// The lamps that are configured.
    package var lamps: [Lamp]
    /// True while the bed shaker is on; missing if there is none.
    package var shaking: Bool?
    /// The brightness of the sunrise lamp, from 0 to 100; missing if there is none.
    package var sunrise: Int?

    package init(local: LocalTime, speed: Double, trusted: Bool, disk: String) {
        (self.local, self.speed, self.trusted, self.disk) = (local, speed, trusted, disk)
        (inputs, cards, lamps) = ([], [], [])
    }
}
