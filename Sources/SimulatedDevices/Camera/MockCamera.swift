// A camera that does nothing but tell what it was asked: what tests of others wait for.

import Devices
import Synchronization

/// A camera that sees what it is told to see.
public final class MockCamera: Camera {
    /// Every order, as it comes.
    public let orders: AsyncStream<CameraOrder>
    /// What `report` is called with.
    public let reports: AsyncStream<CameraReport>
    private let ordering: AsyncStream<CameraOrder>.Continuation
    private let reporting: AsyncStream<CameraReport>.Continuation

    /// A camera that has been asked for nothing.
    public init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    /// Takes note of an order.
    public func order(_ order: CameraOrder) { ordering.yield(order) }

    /// Is closed.
    public func end() { reporting.finish() }

    /// Tells something, as a real one might.
    public func report(_ report: CameraReport) { reporting.yield(report) }
}
