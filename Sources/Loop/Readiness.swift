// What a descriptor is ready for.

import CLinux

/// What can be done with a descriptor without waiting.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    public let rawValue: UInt32

    /// These bits of the kernel's.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, or to accept, or the other side will write no more.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// There is room to write.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other side is gone, or the descriptor is broken: reading or writing says which. It is told unasked.
    public static let lost = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
