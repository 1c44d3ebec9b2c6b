// What the configuration file decides: the machine that Rooster is in.

import Devices
import Sound

/// The options of `rooster.conf`, and their defaults. What the owner decides from day to day is in the journal.
package struct Configuration: Hashable, Sendable {
    package struct SpeakerOptions: Hashable, Sendable {
        package var order = RouteOrder.standard
        /// How loud a card's mixer is set for a ring; nil where the mixer is left alone.
        package var mixerDecibels: Double? = 0
        package var sounds = "/var/lib/rooster/sounds"
    }

    package struct CameraOptions: Hashable, Sendable {
        package var isUsed = true
        /// Which one; empty for the first that there is.
        package var name = ""
        package var powerLine = PowerLine.untouched
        package var symbologies: Set<Symbology> = [.qr]
    }

    package struct ButtonOptions: Hashable, Sendable {
        /// Their lines; nil where there is no such button.
        package var snooze: LineName?, stop: LineName?
        package var pull = Pull.up
        package var active = ActiveLevel.low
    }

    package struct LampOptions: Hashable, Sendable {
        /// The lines of the lamp that tells how Rooster is and of the one at the camera; nil where there is none.
        package var status: LineName?, camera: LineName?
        package var active = ActiveLevel.high
    }

    package struct BuzzerOptions: Hashable, Sendable {
        /// Its line; nil where there is none.
        package var line: LineName?
        package var active = ActiveLevel.high
    }

    package struct KeypadOptions: Hashable, Sendable {
        package var isUsed = true
        /// Which one; empty for all that there are.
        package var name = ""
    }

    package struct StepOptions: Hashable, Sendable {
        /// The line of a mat, a beam or a motion detector; nil where there is none.
        package var line: LineName?
        package var pull = Pull.up
        package var active = ActiveLevel.low
        /// Which step counter is used in the line's place, or "any"; empty for none.
        package var counter = ""
    }

    package struct TagOptions: Hashable, Sendable {
        package var isUsed = false
        /// Which one; empty for all that there are.
        package var reader = ""
    }

    package struct ControlOptions: Hashable, Sendable {
        /// The socket that `rooster` talks to.
        package var socket = "/run/rooster/control.sock"
        /// The group whose members may use it.
        package var group = "rooster"
    }

    package struct LogOptions: Hashable, Sendable {
        /// What is worth a line.
        package var level = LogLevel.info
    }

    package var speaker = SpeakerOptions()
    package var camera = CameraOptions()
    package var buttons = ButtonOptions()
    package var lamps = LampOptions()
    package var buzzer = BuzzerOptions()
    package var keypad = KeypadOptions()
    package var steps = StepOptions()
    package var tags = TagOptions()
    package var control = ControlOptions()
    package var log = LogOptions()

    package init() {}
}

/// What is worth a line in the log, by its name in the configuration; each leaves more out than the one before.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning
}
