// Confines a process before it parses untrusted data.

import CLinux
import CSeccomp
import Glibc

/// The rights that a process keeps once it confines itself. There is no way back.
///
/// A confined process can open no file, start no process and make no new connection, and its memory and
/// processor time are limited. The kernel kills it for a system call that only an attacker would make. A
/// call that the C library makes by itself, such as opening a character set, fails instead.
package struct Confinement: Sendable {
    /// The only descriptor on which ioctl(2) stays allowed.
    package var device: Int32?
    /// The limit of mapped memory. A 1920 × 1080 camera with a format to convert took 53 MB, a usual one 32.
    package var memoryBytesMax: UInt64 = 256 << 20
    /// The limit of processor time, a backstop if no parent supervises the process.
    package var processorSecondsMax: UInt64 = 3600

    /// Creates a confinement that keeps the open descriptors, and ioctl(2) on at most one device.
    package init(device: Int32? = nil) { self.device = device }

    /// Gives up a high priority that was inherited from `roosterd`, and makes this process one that the
    /// kernel kills early if memory runs out. Call this before `enter`, which forbids both. Errors are ignored:
    /// the process can work without either.
    package static func lowerPriority() {
        let process = __priority_which_t(PRIO_PROCESS.rawValue)
        // Lowering the priority needs no privilege.
        if getpriority(process, 0) < 0 { setpriority(process, 0, 0) }
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let score = "500"
        // Raising this score needs no privilege.
        _ = write(file, score, score.utf8.count)
    }

    /// Makes the kernel kill the calling process when the thread that started it ends.
    package static func endWithParent() {
        // The call needs no privilege.
        _ = linux_end_with_parent()
    }

    /// Confines the calling process for good.
    package func enter() throws(ConfinementError) {
        try ConfinementError.check(linux_give_up_privileges(), "give up privileges")
        for (resource, most) in limits { try ConfinementError.check(linux_limit(resource, most), "limit resources") }
        // A crash handler may start another program to show the crash. The filter would then kill this
        // process for that call and hide the crash.
        for number in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE] { signal(number, SIG_DFL) }
        try ConfinementError.check(linux_lock_files() < 0 ? -1 : 0, "give up access to files")
        try SystemCallFilter(device: device).load()
    }

    private var limits: [(Int32, UInt64)] {
        [
            (linux_limit_memory, memoryBytesMax), (linux_limit_processor_seconds, processorSecondsMax),
            // Not 0: poll(2) refuses more entries than this limit.
            (linux_limit_descriptors, 16), (linux_limit_core, 0), (linux_limit_processes, 0),
            (linux_limit_real_time, 0), (linux_limit_niceness, 0),
        ]
    }
}

/// The confinement step that failed. The program must then exit.
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
