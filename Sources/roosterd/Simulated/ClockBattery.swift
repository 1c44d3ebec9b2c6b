// The battery of the simulated clock.

import Glibc
import System

/// Keeps the difference of the simulated clock to the machine's during a power cut, as a hardware clock with a battery
/// keeps the time. Otherwise the clock goes back when the power returns.
struct ClockBattery {
    let path: String

    /// The difference at the last power cut.
    var aheadMilliseconds: Int { SystemFile(path: path).text.flatMap { Int($0) } ?? 0 }

    func keep(aheadMilliseconds: Int) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        close(descriptor)
        _ = SystemFile(path: path).write("\(aheadMilliseconds)\n")
    }
}
