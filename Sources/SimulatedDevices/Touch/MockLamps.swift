// Lamps that do nothing but tell what they were asked: what tests of others wait for.

import Devices
import Sound

/// Lamps that do not shine.
public final class MockLamps: Lamps {
    /// What they were told.
    public enum Order: Hashable, Sendable {
        case show(LampLight, on: LampRole)
        case flash(Rhythm, on: LampRole)
    }

    /// Every order, as it comes.
    public let orders: AsyncStream<Order>
    /// What `report` is called with.
    public let reports: AsyncStream<LampReport>
    private let ordering: AsyncStream<Order>.Continuation
    private let reporting: AsyncStream<LampReport>.Continuation

    /// Lamps that have been asked for nothing.
    public init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    /// Takes note of an order.
    public func show(_ light: LampLight, on lamp: LampRole) { ordering.yield(.show(light, on: lamp)) }

    /// Takes note of an order.
    public func flash(_ rhythm: Rhythm, on lamp: LampRole) { ordering.yield(.flash(rhythm, on: lamp)) }

    /// Tells something, as real ones might.
    public func report(_ report: LampReport) { reporting.yield(report) }

    /// Are put out.
    public func end() { reporting.finish() }
}
