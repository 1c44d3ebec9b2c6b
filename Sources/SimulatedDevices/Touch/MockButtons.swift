// Buttons that tell what they are told to tell: what tests of others press.

import Devices

/// Buttons that nobody sees.
package final class MockButtons: Buttons {
    /// What `report` is called with.
    package let reports: AsyncStream<ButtonReport>
    private let reporting: AsyncStream<ButtonReport>.Continuation

    package init() { (reports, reporting) = AsyncStream.makeStream() }

    package func report(_ report: ButtonReport) { reporting.yield(report) }

    package func end() { reporting.finish() }
}
