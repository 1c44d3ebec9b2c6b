// The mock camera: it records orders, so that a test can wait for one.

import Devices
import Synchronization

/// A camera that emits the reports a test passes to it.
package final class MockCamera: Camera {
    /// Every order, in order of arrival.
    package let orders: AsyncStream<CameraOrder>
    /// The reports of `report` and `answer`.
    package let reports: AsyncStream<CameraReport>
    private let ordering: AsyncStream<CameraOrder>.Continuation
    private let reporting: AsyncStream<CameraReport>.Continuation
    private let answers = Mutex<[CameraReport]>([])

    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func order(_ order: CameraOrder) {
        ordering.yield(order)
        guard order != .off else { return }
        for report in answers.withLock(\.self) { reporting.yield(report) }
    }

    /// Makes the camera emit these reports at every later order to read. The service waits for them only a
    /// few seconds, and a test's own task could be late.
    package func answer(_ reports: CameraReport...) { answers.withLock { $0 = reports } }

    package func end() { reporting.finish() }

    /// Emits a report, as a driver would.
    package func report(_ report: CameraReport) { reporting.yield(report) }
}
