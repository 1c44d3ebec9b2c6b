// What the configuration file decides: the machine that Rooster is in.

import Devices
import Sound

/// The options of `rooster.conf`, and their defaults.
///
/// What the owner decides from day to day, as his alarms and his zone, is in the journal: nothing of it stands here.
package struct Configuration: Hashable, Sendable {
    /// What is heard, and where.
    package struct Speaker: Hashable, Sendable {
        /// Which cards are better than which.
        package var order = RouteOrder.standard
        /// How loud a card's mixer is set for a ring; nothing where it is to be left alone.
        package var mixerDecibels: Double? = 0
        /// The directory of the owner's own sounds.
        package var sounds = "/var/lib/rooster/sounds"
    }

    /// What reads codes.
    package struct Camera: Hashable, Sendable {
        /// Whether a camera is used at all.
        package var isUsed = true
        /// Which one; empty for the first that there is.
        package var name = ""
        /// The frequency of the mains, which cameras see in the light of lamps.
        package var powerLine = PowerLine.untouched
        /// The kinds of code that may be enrolled.
        package var symbologies: Set<Symbology> = [.qr]
    }

    /// The buttons that are pressed from bed.
    package struct Buttons: Hashable, Sendable {
        /// Their lines; nil where there is no such button.
        package var snooze: LineName?, stop: LineName?
        /// How both are wired.
        package var pull = Pull.up
        package var active = ActiveLevel.low
    }

    /// The lamps at the bed.
    package struct Lamps: Hashable, Sendable {
        /// The line of the lamp that tells how Rooster is, and of the one that lights up what is held before the camera; nil
        /// where there is none.
        package var status: LineName?, camera: LineName?
        /// The level at which they shine.
        package var active = ActiveLevel.high
    }

    /// The last resort.
    package struct Buzzer: Hashable, Sendable {
        /// Its line; nil where there is none.
        package var line: LineName?
        /// The level at which it sounds.
        package var active = ActiveLevel.high
    }

    /// What numbers are typed on.
    package struct Keypad: Hashable, Sendable {
        /// Whether one is used at all.
        package var isUsed = true
        /// Which one; empty for all that there are.
        package var name = ""
    }

    /// What feels steps.
    package struct Steps: Hashable, Sendable {
        /// The line of a mat, a beam or a motion detector; nil where there is none.
        package var line: LineName?
        /// How it is wired.
        package var pull = Pull.up
        package var active = ActiveLevel.low
        /// Which step counter is used in the line's place, or "any"; empty for none.
        package var counter = ""
    }

    /// What reads tags.
    package struct Tags: Hashable, Sendable {
        /// Whether a reader is used at all.
        package var isUsed = false
        /// Which one; empty for all that there are.
        package var reader = ""
    }

    /// Who may command Rooster, and how.
    package struct Control: Hashable, Sendable {
        /// The socket that `rooster` talks to.
        package var socket = "/run/rooster/control.sock"
        /// The group whose members may use it.
        package var group = "rooster"
    }

    /// What is written down of what happens.
    package struct Log: Hashable, Sendable {
        /// What is worth a line.
        package var level = LogLevel.info
    }

    package var speaker = Speaker()
    package var camera = Camera()
    package var buttons = Buttons()
    package var lamps = Lamps()
    package var buzzer = Buzzer()
    package var keypad = Keypad()
    package var steps = Steps()
    package var tags = Tags()
    package var control = Control()
    package var log = Log()

    /// The defaults.
    package init() {}
}

/// What is worth a line in the log, by its name in the configuration; each leaves more out than the one before.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning
}
