// The settings of the camera and of its helper process.

import Devices
import System

package struct CameraSettings: Hashable, Sendable {
    package var program: String
    /// The camera's link in /dev/v4l/by-id or by-path, its node, or its own name; nil for the first one
    /// found.
    package var name: String?
    package var powerLine: PowerLine
    var timeouts = HelperTimeouts()
    var nodes = "/dev"

    /// Settings for the camera with that name, or for the first one found.
    package init(name: String? = nil, powerLine: PowerLine = .untouched, program: String = standardProgram) {
        (self.name, self.powerLine, self.program) = (name, powerLine, program)
    }

    /// The path of the helper: beside this program if it was built there, otherwise the installed one.
    package static var standardProgram: String {
        builtProgram("rooster-camera") ?? "/usr/libexec/rooster/rooster-camera"
    }

    var arguments: [String] {
        ["watch", "--power-line", powerLine.rawValue] + (name.map { ["--camera", $0] } ?? [])
    }
}

struct HelperTimeouts: Hashable, Sendable {
    /// The wait for the first packet after the start: the program may be read from a slow disk.
    var startMilliseconds = 5000
    /// The longest pause between two packets. The helper sends a heartbeat more often than that.
    var silenceMilliseconds = 2000
    /// The longest pause before the first frame and between two frames.
    var framesMilliseconds = 10_000
    /// The wait for the exit after the socket is closed: the helper first restores the camera's controls.
    var endMilliseconds = 1000
    /// The wait for the exit after SIGKILL.
    var killMilliseconds = 2000
    /// The time with frames after which earlier failures no longer count.
    var provenMilliseconds = 10_000
    /// The time in which reports may still follow the previous order.
    var orderMilliseconds = 2500
    /// The backoff between two starts, by the number of failures; the last one for all further failures.
    var backoffMilliseconds = [250, 500, 1000, 2000, 4000, 5000]
}
