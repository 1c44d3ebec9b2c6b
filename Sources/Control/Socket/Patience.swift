// How long a client is waited for.

/// After so long a client that does not move is let go of.
public struct Patience: Hashable, Sendable {
    /// So long may nothing come within a line, or be taken of an answer.
    public var slowMilliseconds = 10_000
    /// So long may somebody say nothing, who is to come in anew then.
    public var idleMilliseconds = 60_000
    /// So often it is looked, while there are clients.
    public var lookMilliseconds = 5000

    /// As long as is usual.
    public init() {}
}
