// Whether the kernel holds its clock for right.

import CLinux
import Glibc

/// What `adjtimex` tells of the clock.
struct KernelSync: Hashable {
    /// What it answered: what is done about leap seconds, an error of the clock, or less than zero.
    var answer: Int32
    var status: Int32

    /// As it is now. It needs no right to do so, but a sandbox may forbid it: then the clock is held for not set.
    static var now: KernelSync {
        var settings = timex()
        let answer = adjtimex(&settings)
        return KernelSync(answer: answer, status: settings.status)
    }

    /// Whether somebody keeps the clock in step with clocks that are right.
    var isSynchronised: Bool { answer >= 0 && answer != TIME_ERROR && status & STA_UNSYNC == 0 }
}
