// Buttons that tell what they are told to tell: what tests of others press.

import Devices

/// Buttons that nobody sees.
public final class MockButtons: Buttons {
    /// What `report` is called with.
    public let reports: AsyncStream<ButtonReport>
    private let reporting: AsyncStream<ButtonReport>.Continuation

    /// Buttons that have not been pressed.
    public init() { (reports, reporting) = AsyncStream.makeStream() }

    /// Tells something, as real ones might.
    public func report(_ report: ButtonReport) { reporting.yield(report) }

    /// Are let go.
    public func end() { reporting.finish() }
}
