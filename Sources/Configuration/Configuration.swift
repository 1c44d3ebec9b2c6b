// The settings in the configuration file: the machine that Rooster runs on.

import Devices
import Sound

/// The options of `rooster.conf`, with their defaults. Alarms and the owner's settings are in the journal.
package struct Configuration: Hashable, Sendable {
    package struct SpeakerOptions: Hashable, Sendable {
        package var order = RouteOrder.standard
        /// The level of a card's mixer during a ring; nil leaves the mixer alone.
        package var mixerDecibels: Double? = 0
        package var sounds = "/var/lib/rooster/sounds"
    }

    package struct CameraOptions: Hashable, Sendable {
        package var isUsed = true
        /// The camera's name; empty for the first one.
        package var name = ""
        package var powerLine = PowerLine.untouched
        package var symbologies: Set<Symbology> = [.qr]
    }

    package struct ButtonOptions: Hashable, Sendable {
        /// The buttons' lines; nil for no such button.
        package var snooze: LineName?, stop: LineName?
        package var pull = Pull.up
        package var active = ActiveLevel.low
    }

    package struct LampOptions: Hashable, Sendable {
        /// The lines of the status lamp and of the lamp at the camera; nil for none.
        package var status: LineName?, camera: LineName?
        package var active = ActiveLevel.high
        /// The lamp of the sunrise; nil for none.
        package var sunrise: SunriseOutput?
    }

    package struct BuzzerOptions: Hashable, Sendable {
        /// The buzzer's line; nil for none.
        package var line: LineName?
        package var active = ActiveLevel.high
    }

    package struct ShakerOptions: Hashable, Sendable {
        /// The line of the bed shaker; nil for none.
        package var line: LineName?
        package var active = ActiveLevel.high
    }

    package struct KeypadOptions: Hashable, Sendable {
        package var isUsed = true
        /// The keypad's name; empty for all keypads.
        package var name = ""
    }

    package struct StepOptions: Hashable, Sendable {
        /// The line of a mat, a beam or a motion detector; nil for none.
        package var line: LineName?
        package var pull = Pull.up
        package var active = ActiveLevel.low
        /// The step counter to use in place of the line, or "any"; empty for none.
        package var counter = ""
    }

    package struct TagOptions: Hashable, Sendable {
        package var isUsed = false
        /// The reader's name; empty for all readers.
        package var reader = ""
    }

    package struct ControlOptions: Hashable, Sendable {
        /// The path of the control socket, which `rooster` connects to.
        package var socket = "/run/rooster/control.sock"
        /// The group whose members may connect.
        package var group = "rooster"
        /// The group whose members may pass on the requests of clients over HTTP: `rooster-web`.
        package var webGroup = "rooster-web"
    }

    package struct LogOptions: Hashable, Sendable {
        /// The least severe level that is logged.
        package var level = LogLevel.info
    }

    package var speaker = SpeakerOptions()
    package var camera = CameraOptions()
    package var buttons = ButtonOptions()
    package var lamps = LampOptions()
    package var buzzer = BuzzerOptions()
    package var shaker = ShakerOptions()
    package var keypad = KeypadOptions()
    package var steps = StepOptions()
    package var tags = TagOptions()
    package var control = ControlOptions()
    package var log = LogOptions()

    package init() {}
}

/// The levels of the log, by their names in the configuration. Each logs less than the one before.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning
}
