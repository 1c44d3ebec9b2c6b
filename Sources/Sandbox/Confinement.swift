// Shuts a program in before it reads what a stranger made.

import CLinux
import CSeccomp
import Glibc

/// What a program keeps when it shuts itself in, which is for good.
///
/// It opens and starts nothing from then on, has no new peers, and its memory and processor time are bounded. A system call that
/// only an intruder would make ends it; one that the C library makes by itself, such as opening a character set, is refused.
package struct Confinement: Sendable {
    /// The device of which it may still ask everything; of no other descriptor it may.
    package var device: Int32?
    /// The most memory it may map. A camera of 1920 × 1080 whose format has to be converted took 53 MB, a usual one 32.
    package var memoryBytesMax: UInt64 = 256 << 20
    /// The most time of a processor, after which it is ended: a backstop for what nobody watches over.
    package var processorSecondsMax: UInt64 = 3600

    /// A program that keeps its descriptors, and may ask everything of one device at most.
    package init(device: Int32? = nil) { self.device = device }

    /// Gives up what a service hands on to the programs that it starts: its place before all others, and its safety when
    /// memory runs out. To be called at once; it fails for nobody who has none of it.
    package static func stepBack() {
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        // Everybody may step back.
        if getpriority(process, 0) < 0 { setpriority(process, 0, 0) }
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let score = "500"
        // The kernel lets everybody raise it.
        _ = write(file, score, score.utf8.count)
    }

    /// Has the calling program killed when the thread that started it is gone.
    package static func endWithParent() {
        // The kernel refuses it to nobody.
        _ = linux_end_with_parent()
    }

    /// Shuts the calling program in, for good.
    package func enter() throws(ConfinementError) {
        try ConfinementError.check(linux_give_up_privileges(), "give up privileges")
        for (resource, most) in limits { try ConfinementError.check(linux_limit(resource, most), "limit itself") }
        // Whoever handles a crash starts a program that shows it: it would be ended for that, and not for the crash.
        for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] { signal(number, SIG_DFL) }
        try ConfinementError.check(linux_lock_files() < 0 ? -1 : 0, "give up files")
        try SystemCallFilter(device: device).load()
    }

    private var limits: [(Int32, UInt64)] {
        [
            (linux_limit_memory, memoryBytesMax), (linux_limit_processor_seconds, processorSecondsMax),
            // No more than `poll` needs a number for.
            (linux_limit_descriptors, 16), (linux_limit_core, 0), (linux_limit_processes, 0),
            (linux_limit_real_time, 0), (linux_limit_niceness, 0),
        ]
    }
}

/// A program that could not shut itself in must not go on.
package struct ConfinementError: Error, Hashable, Sendable {
    package var doing: String
    package var errorNumber: Int32

    static func check(_ answer: Int32, _ doing: String) throws(ConfinementError) {
        guard answer < 0 else { return }
        throw ConfinementError(doing: doing, errorNumber: errno)
    }
}

extension ConfinementError: CustomStringConvertible {
    package var description: String { "cannot \(doing): \(String(cString: strerror(errorNumber)))" }
}
