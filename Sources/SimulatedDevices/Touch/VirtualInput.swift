// Buttons and switched inputs without hardware: they report what the virtual bedside or a test has them report.

import Devices

package final class VirtualInput<Report: Sendable>: SwitchedInput {
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
package typealias VirtualButtons = VirtualInput<ButtonReport>

extension VirtualInput: Buttons where Report == ButtonReport {}
