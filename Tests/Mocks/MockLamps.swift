// Lamps that do nothing but tell what they were asked: what tests of others wait for.

import Devices
import Sound

/// Lamps that do not shine.
package final class MockLamps: Lamps {
    /// What they were told.
    package enum Order: Hashable, Sendable {
        case show(LampLight, on: LampRole)
        case flash(PulsePattern, on: LampRole)
    }

    /// Every order, as it comes.
    package let orders: AsyncStream<Order>
    /// What `report` is called with.
    package let reports: AsyncStream<LampReport>
    private let ordering: AsyncStream<Order>.Continuation
    private let reporting: AsyncStream<LampReport>.Continuation

    /// Lamps that have been asked for nothing.
    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func show(_ light: LampLight, on lamp: LampRole) { ordering.yield(.show(light, on: lamp)) }

    package func flash(_ pulses: PulsePattern, on lamp: LampRole) { ordering.yield(.flash(pulses, on: lamp)) }

    /// Tells something, as real ones might.
    package func report(_ report: LampReport) { reporting.yield(report) }

    package func end() { reporting.finish() }
}
