// Buttons and switched inputs that tell what they are told to tell: what tests of others press and wait for.

import Devices

package final class MockInput<Report: Sendable>: SwitchedInput {
    /// Every order, as it comes: whether it is on.
    package let orders: AsyncStream<Bool>
    /// What `report` is called with.
    package let reports: AsyncStream<Report>
    private let ordering: AsyncStream<Bool>.Continuation
    private let reporting: AsyncStream<Report>.Continuation

    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func order(isOn: Bool) { ordering.yield(isOn) }

    package func report(_ report: Report) { reporting.yield(report) }

    package func end() { reporting.finish() }
}

/// Buttons that nobody sees.
package final class MockButtons: Buttons {
    /// What `report` is called with.
    package let reports: AsyncStream<ButtonReport>
    private let reporting: AsyncStream<ButtonReport>.Continuation

    package init() { (reports, reporting) = AsyncStream.makeStream() }

    package func report(_ report: ButtonReport) { reporting.yield(report) }

    package func end() { reporting.finish() }
}
