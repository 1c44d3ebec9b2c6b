// Buttons and switched inputs without hardware, whose reports come from a caller.

import Devices

package final class VirtualInput<Report: Sendable>: SwitchedInput {
    /// All orders, in their sequence: true for on.
    package let orders: AsyncStream<Bool>
    /// The reports passed to `report`.
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

package typealias VirtualButtons = VirtualInput<ButtonReport>

extension VirtualInput: Buttons where Report == ButtonReport {}
