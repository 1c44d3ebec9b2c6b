// A lamp of the sunrise that records its orders.

import Devices

package final class MockSunriseLamp: SunriseLamp {
    /// All orders, in their sequence.
    package let orders: AsyncStream<SunriseLight?>
    private let ordering: AsyncStream<SunriseLight?>.Continuation
    private let stream = ReportStream<SunriseReport>()

    package init() { (orders, ordering) = AsyncStream.makeStream() }

    package var reports: AsyncStream<SunriseReport> { stream.reports }

    package func report(_ report: SunriseReport) { stream.emit(report) }

    package func show(_ light: SunriseLight?) { ordering.yield(light) }

    package func end() { stream.finish() }
}
