// A debounced input on a GPIO line.

import Devices
import EventLoop
import Glibc
import System

/// An input line with its debouncer and its watch on the loop.
final class DebouncedInput {
    private let line: GpioLine
    private var debounce: Debounce
    /// The watch on the line's descriptor. It must end before the line closes that descriptor.
    private var watch: Watch?
    private var isWatched = true
    /// A problem of the wiring to report to the owner; nil if there is none.
    let warning: String?

    /// The limit of reads in one call, so that other handlers get their turn.
    private static let fetchesMax = 4

    /// Requests the line. The handler is called on the loop when the line has edges or is lost.
    init(
        _ input: LineInput, on loop: EventLoop, _ handler: @escaping EventLoop.Handler
    ) throws(LineFailure) {
        (line, warning) = try DebouncedInput.line(input)
        debounce = Debounce(isDown: try line.read())
        do throws(SystemCallError) {
            watch = try loop.watch(line.descriptor, for: .readable, handler)
        } catch {
            throw .system(input.name, doing: "watch it", errorNumber: error.errorNumber)
        }
    }

    deinit {
        watch?.cancel()
    }

    var isDown: Bool { debounce.isDown }

    /// The time at which `readEdges` must be called even without an event; nil for never.
    var deadline: Int? { debounce.readUptime }

    /// Throws if the line can no longer be read.
    func check() throws(LineFailure) { _ = try line.read() }

    /// Returns the edges since the last call. While the contact may bounce, the descriptor is not watched,
    /// so chatter takes no time from other handlers.
    func readEdges() throws(LineFailure) -> [Debounce.DebouncedEdge] {
        var edges: [Debounce.DebouncedEdge] = []
        if !debounce.isDeaf(at: Uptime.milliseconds) {
            let areEdgesLost = try fetch(into: &edges)
            if areEdgesLost { debounce.loseEdges() }
            if areEdgesLost || debounce.readUptime.map({ $0 <= Uptime.milliseconds }) ?? false {
                let isDown = try line.read()
                edges += debounce.read(isDown: isDown, uptime: Uptime.milliseconds)
            }
        }
        try setWatched(!debounce.isDeaf(at: Uptime.milliseconds))
        return edges
    }

    /// Reads the waiting edges. Returns true if their number means that the kernel may have dropped some.
    private func fetch(into debounced: inout [Debounce.DebouncedEdge]) throws(LineFailure) -> Bool {
        var areEdgesLost = false
        for _ in 0..<DebouncedInput.fetchesMax {
            let edges = try line.edges()
            let clock = EdgeClock.now
            for edge in edges {
                let uptime = clock.uptime(ofEdgeAt: edge.nanoseconds)
                debounced += debounce.edge(isDown: edge.isActive, uptime: uptime, now: clock.uptime)
            }
            guard edges.count == GpioLine.edgesMax else { break }
            areEdgesLost = true
        }
        return areEdgesLost
    }

    private func setWatched(_ isWatched: Bool) throws(LineFailure) {
        guard isWatched != self.isWatched else { return }
        do throws(SystemCallError) {
            try watch?.change(to: isWatched ? .readable : [])
        } catch {
            throw .system(line.name, doing: "watch it", errorNumber: error.errorNumber)
        }
        self.isWatched = isWatched
    }

    /// Requests the line. If the chip cannot pull it, requests it without a pull: an external resistor may
    /// do so.
    private static func line(_ input: LineInput) throws(LineFailure) -> (GpioLine, warning: String?) {
        do throws(LineFailure) {
            return (try GpioLine(input), nil)
        } catch {
            guard case .system(let name, _, let number) = error, unpulled.contains(number) else { throw error }
            let line = try GpioLine(input, isPulled: false)
            guard input.pull != .none else { return (line, nil) }
            let supply = input.pull == .up ? "3.3 V" : "ground"
            let warning =
                "Connect line \(name) to \(supply) through a resistor of 10 kΩ: its chip cannot pull it "
                + input.pull.rawValue
            return (line, warning)
        }
    }

    /// The errors of chips, drivers and kernels without such a resistor. 524 is the kernel's internal
    /// ENOTSUPP, which some drivers return.
    private static let unpulled: [Int32] = [EINVAL, ENOTSUP, 524]
}

/// One moment by CLOCK_MONOTONIC, which stops while the machine sleeps, and by CLOCK_BOOTTIME, which does
/// not.
struct EdgeClock: Hashable, Sendable {
    let monotonicNanoseconds: Int
    let bootNanoseconds: Int

    static var now: EdgeClock {
        EdgeClock(monotonicNanoseconds: kernelNanoseconds(CLOCK_MONOTONIC), bootNanoseconds: Uptime.nanoseconds)
    }

    /// The moment of the reading, in milliseconds since boot.
    var uptime: Int { bootNanoseconds / 1_000_000 }

    /// Converts an edge's time to uptime. Returns nil for a wall-clock time, which kernels before 5.7 give.
    func uptime(ofEdgeAt stamp: UInt64) -> Int? {
        guard stamp > 0, stamp <= UInt64(max(0, monotonicNanoseconds)) else { return nil }
        return (bootNanoseconds - (monotonicNanoseconds - Int(stamp))) / 1_000_000
    }
}
