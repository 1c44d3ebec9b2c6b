// A GPIO line, requested for this program alone.

import CGpiod
import Devices
import Glibc

/// A requested line. It is released with its owner.
final class GpioLine: Sendable {
    /// An edge, by the kernel's CLOCK_MONOTONIC.
    struct Edge: Hashable, Sendable {
        var isActive: Bool
        var nanoseconds: UInt64
    }

    let name: LineName
    /// The line of libgpiod. After `init`, only libgpiod changes it, for one owner at a time.
    private nonisolated(unsafe) let line: OpaquePointer

    /// The least number of edges that the kernel keeps. If this many wait, it may have dropped some.
    static let edgesMax = Int(gpio_edges_max)
    private static let consumer = "rooster"

    /// An input that reports edges. If `isPulled` is false, the chip's resistors are left unchanged.
    convenience init(_ input: LineInput, isPulled: Bool = true) throws(LineFailure) {
        try self.init(
            input.name, "read it",
            gpio_settings(
                consumer: nil, is_output: false, is_active_low: input.active == .low,
                pull: isPulled ? input.pull.gpio : gpio_pull_as_is))
    }

    /// An output, which is off at first.
    convenience init(_ output: LineOutput) throws(LineFailure) {
        try self.init(
            output.name, "set it",
            gpio_settings(
                consumer: nil, is_output: true, is_active_low: output.active == .low, pull: gpio_pull_as_is))
    }

    private init(_ name: LineName, _ doing: String, _ given: gpio_settings) throws(LineFailure) {
        let place = try GpioChips.place(of: name)
        var settings = given
        let (line, number) = GpioLine.consumer.withCString { consumer in
            settings.consumer = consumer
            return (gpio_line_request(place.node, place.offset, &settings), errno)
        }
        guard let line else {
            if number == EBUSY { throw .busy(name, holder: GpioChips.holder(of: place)) }
            throw GpioChips.failure(name, doing, at: place.node, errorNumber: number)
        }
        (self.name, self.line) = (name, line)
    }

    deinit {
        gpio_line_release(line)
    }

    /// The descriptor of an input, readable while edges wait.
    var descriptor: Int32 { gpio_line_descriptor(line) }

    func read() throws(LineFailure) -> Bool {
        let level = gpio_line_read(line)
        guard level >= 0 else { throw failure("read it") }
        return level > 0
    }

    func set(_ isOn: Bool) throws(LineFailure) {
        guard gpio_line_set(line, isOn) == 0 else { throw failure("set it") }
    }

    /// Returns the oldest waiting edges, at most `edgesMax`.
    func edges() throws(LineFailure) -> [Edge] {
        var edges = [gpio_edge](repeating: gpio_edge(), count: GpioLine.edgesMax)
        let count = Int(gpio_line_edges(line, &edges))
        guard count >= 0 else { throw failure("read its edges") }
        return edges.prefix(count).map { Edge(isActive: $0.is_active, nanoseconds: $0.nanoseconds) }
    }

    private func failure(_ doing: String) -> LineFailure {
        errno == ENODEV ? .gone(name) : .system(name, doing: doing, errorNumber: errno)
    }
}

extension Pull {
    fileprivate var gpio: gpio_pull {
        switch self {
        case .up: gpio_pull_up
        case .down: gpio_pull_down
        case .none: gpio_pull_none
        }
    }
}

/// Sets each line off and releases it. Returns the failures. Some kernels, such as that of Raspberry Pi OS,
/// keep driving a line after its process has ended: a buzzer would sound until the machine is switched off.
package func switchOff(_ outputs: [LineOutput]) -> [LineFailure] {
    outputs.compactMap { output in
        do throws(LineFailure) {
            // Requesting it as an output sets it off.
            _ = try GpioLine(output)
            return nil
        } catch {
            return error
        }
    }
}
