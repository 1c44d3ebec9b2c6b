// A shaker that records its orders.

import Devices

package final class MockShaker: Shaker {
    /// All orders, in their sequence.
    package let orders: AsyncStream<Shaking?>
    private let ordering: AsyncStream<Shaking?>.Continuation
    private let stream = ReportStream<ShakerReport>()

    package init() { (orders, ordering) = AsyncStream.makeStream() }

    package var reports: AsyncStream<ShakerReport> { stream.reports }

    package func report(_ report: ShakerReport) { stream.emit(report) }

    package func shake(_ shaking: Shaking?) { ordering.yield(shaking) }

    package func end() { stream.finish() }
}
