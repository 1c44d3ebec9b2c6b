// A camera that does nothing but tell what it was asked: what tests of others wait for.

import Devices
import Synchronization

/// A camera that sees what it is told to see.
package final class MockCamera: Camera {
    /// Every order, as it comes.
    package let orders: AsyncStream<CameraOrder>
    /// What `report` is called with.
    package let reports: AsyncStream<CameraReport>
    private let ordering: AsyncStream<CameraOrder>.Continuation
    private let reporting: AsyncStream<CameraReport>.Continuation
    private let answers = Mutex<[CameraReport]>([])

    /// A camera that has been asked for nothing.
    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func order(_ order: CameraOrder) {
        ordering.yield(order)
        guard order != .off else { return }
        for report in answers.withLock(\.self) { reporting.yield(report) }
    }

    /// From now on the camera reports this whenever it is ordered to read. The service waits a few seconds for that: a test's own
    /// task could be late.
    package func answer(_ reports: CameraReport...) { answers.withLock { $0 = reports } }

    package func end() { reporting.finish() }

    /// Tells something, as a real one might.
    package func report(_ report: CameraReport) { reporting.yield(report) }
}
