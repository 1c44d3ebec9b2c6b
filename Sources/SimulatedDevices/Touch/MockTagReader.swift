// A reader of tags that does nothing but tell what it was asked: what tests of others wait for.

import Devices

/// A reader of tags that tells what it is told to tell.
public final class MockTagReader: TagReader {
    /// Every order, as it comes: whether it is on.
    public let orders: AsyncStream<Bool>
    /// What `report` is called with.
    public let reports: AsyncStream<TagReport>
    private let ordering: AsyncStream<Bool>.Continuation
    private let reporting: AsyncStream<TagReport>.Continuation

    /// One that has been asked for nothing.
    public init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    /// Takes note of an order.
    public func order(isOn: Bool) { ordering.yield(isOn) }

    /// Tells something, as a real one might.
    public func report(_ report: TagReport) { reporting.yield(report) }

    /// Is let go.
    public func end() { reporting.finish() }
}
