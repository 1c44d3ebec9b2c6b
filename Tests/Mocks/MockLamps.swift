// The mock lamps: they record orders, so that a test can wait for one.

import Devices
import Sound

/// Lamps that emit each order to a stream.
package final class MockLamps: Lamps {
    /// An order to one lamp.
    package enum Order: Hashable, Sendable {
        case show(LampLight, on: LampRole)
        case flash(PulsePattern, on: LampRole)
    }

    /// Every order, in order of arrival.
    package let orders: AsyncStream<Order>
    /// The reports that a test passes to `report`.
    package let reports: AsyncStream<LampReport>
    private let ordering: AsyncStream<Order>.Continuation
    private let reporting: AsyncStream<LampReport>.Continuation

    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func show(_ light: LampLight, on lamp: LampRole) { ordering.yield(.show(light, on: lamp)) }

    package func flash(_ pulses: PulsePattern, on lamp: LampRole) { ordering.yield(.flash(pulses, on: lamp)) }

    /// Emits a report, as a driver would.
    package func report(_ report: LampReport) { reporting.yield(report) }

    package func end() { reporting.finish() }
}
