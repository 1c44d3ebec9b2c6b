// Buttons and switched inputs without hardware, whose reports come from a caller.

import Devices

package final class VirtualInput<Report: Sendable>: SwitchedInput {
    /// All orders, in their sequence: true for on.
    package let orders: AsyncStream<Bool>
    private let ordering: AsyncStream<Bool>.Continuation
    private let stream = ReportStream<Report>()

    package init() { (orders, ordering) = AsyncStream.makeStream() }

    /// The reports passed to `report`.
    package var reports: AsyncStream<Report> { stream.reports }

    package func order(isOn: Bool) { ordering.yield(isOn) }

    package func report(_ report: Report) { stream.emit(report) }

    package func end() { stream.finish() }
}

package typealias VirtualButtons = VirtualInput<ButtonReport>

extension VirtualInput: Buttons where Report == ButtonReport {}
