// One descriptor that a loop listens to.

/// Ends with its owner: keep it for as long as the descriptor matters, and cancel it before the descriptor is closed.
public final class Watch: Sendable {
    private let loop: EventLoop
    private let descriptor: Int32
    private let id: UInt64

    init(_ loop: EventLoop, _ descriptor: Int32, id: UInt64) {
        self.loop = loop
        self.descriptor = descriptor
        self.id = id
    }

    deinit {
        cancel()
    }

    /// From now on the handler is called for this.
    public func change(to readiness: Readiness) throws(LoopError) {
        try loop.change(descriptor, to: readiness, id: id)
    }

    /// The handler is never called again, not even for what the loop has heard of already. On another thread than the
    /// loop's, a call that has begun may still be on its way.
    public func cancel() {
        loop.forget(descriptor, id: id)
    }
}
