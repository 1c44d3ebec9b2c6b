// What a camera has to know about the machine it is in, and what its owner wants of it.

import Devices
import System

package struct CameraSettings: Hashable, Sendable {
    package var program: String
    /// Its name below /dev/v4l/by-id or by-path, its node, or what it calls itself; nil for the first that there is.
    package var name: String?
    package var powerLine: PowerLine
    var timeouts = HelperTimeouts()
    var nodes = "/dev"

    /// For the camera of that name, or the first; read by the program that belongs to this one.
    package init(name: String? = nil, powerLine: PowerLine = .untouched, program: String = standardProgram) {
        (self.name, self.powerLine, self.program) = (name, powerLine, program)
    }

    /// Beside the program that runs, where it was built there; else where it is installed.
    package static var standardProgram: String {
        builtProgram("rooster-camera") ?? "/usr/libexec/rooster/rooster-camera"
    }

    var arguments: [String] {
        ["watch", "--power-line", powerLine.rawValue] + (name.map { ["--camera", $0] } ?? [])
    }
}

struct HelperTimeouts: Hashable, Sendable {
    /// From its start to its first word: it may come from a slow disk.
    var startMilliseconds = 5000
    /// From one word to the next: more often than that it says at least that it is at work.
    var silenceMilliseconds = 2000
    /// From its start, or from one frame, to the next.
    var framesMilliseconds = 10_000
    /// From the end of its line to its own: it puts the camera back as it was.
    var endMilliseconds = 1000
    /// For what it was killed with to take effect.
    var killMilliseconds = 2000
    /// For frames that are to show that it works again.
    var provenMilliseconds = 10_000
    /// For what was ordered to have reached it: it may be silent for so long.
    var orderMilliseconds = 2500
    /// The backoff from one start to the next, by the number of failures; the last for all further.
    var backoffMilliseconds = [250, 500, 1000, 2000, 4000, 5000]
}
