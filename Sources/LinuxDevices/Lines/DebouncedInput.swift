// A debounced input on a GPIO line.

import Devices
import EventLoop
import Glibc
import System

/// An input line with its debouncer and its watch on the loop.
final class DebouncedInput {
    private let line: GpioLine
    private var debounce: Debounce
    /// Ends before the line does, for it listens to the line's descriptor.
    private var watch: Watch?
    private var isWatched = true
    /// What its owner should know of its wiring.
    let warning: String?

    /// So often at most it is asked for its edges before it is the others' turn.
    private static let fetchesMax = 4

    /// Asks for the line. The handler is called on the loop when there is something to hear.
    init(
        _ input: LineInput, on loop: EventLoop, _ handler: @escaping EventLoop.Handler
    ) throws(LineFailure) {
        (line, warning) = try DebouncedInput.line(input)
        debounce = Debounce(isDown: try line.read())
        do throws(SystemCallError) {
            watch = try loop.watch(line.descriptor, for: .readable, handler)
        } catch {
            throw .system(input.name, doing: "listen to it", errorNumber: error.errorNumber)
        }
    }

    deinit {
        watch?.cancel()
    }

    var isDown: Bool { debounce.isDown }

    /// When it is to be heard though nothing has called; nil for never.
    var deadline: Int? { debounce.readUptime }

    /// Whether the line can still be read.
    func check() throws(LineFailure) { _ = try line.read() }

    /// What it has done since it was heard last. While it may bounce it does not call: chatter takes no time from others.
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

    /// Whether there were so many edges at once that the kernel may have dropped some.
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
            throw .system(line.name, doing: "listen to it", errorNumber: error.errorNumber)
        }
        self.isWatched = isWatched
    }

    /// A chip that cannot pull a line as it is wanted is used all the same: there may be a resistor outside.
    private static func line(_ input: LineInput) throws(LineFailure) -> (GpioLine, warning: String?) {
        do throws(LineFailure) {
            return (try GpioLine(input), nil)
        } catch {
            guard case .system(let name, _, let number) = error, unpulled.contains(number) else { throw error }
            let line = try GpioLine(input, isPulled: false)
            guard input.pull != .none else { return (line, nil) }
            let supply = input.pull == .up ? "3.3 V" : "ground"
            let words =
                "the chip of \(name) cannot pull it \(input.pull.rawValue): it needs a resistor of 10 kΩ to \(supply)"
            return (line, words)
        }
    }

    /// What the system answers where a chip, its driver or the kernel has no such resistor; the last is a number that the kernel
    /// keeps for itself, and that some drivers let out.
    private static let unpulled: [Int32] = [EINVAL, ENOTSUP, 524]
}

/// The kernel's CLOCK_MONOTONIC, which does not count sleep, beside CLOCK_BOOTTIME, which does: both as of one moment.
struct EdgeClock: Hashable, Sendable {
    private let monotonicNanoseconds: Int
    private let bootNanoseconds: Int

    init(monotonicNanoseconds: Int, bootNanoseconds: Int) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.bootNanoseconds = bootNanoseconds
    }

    static var now: EdgeClock {
        EdgeClock(monotonicNanoseconds: kernelNanoseconds(CLOCK_MONOTONIC), bootNanoseconds: Uptime.nanoseconds)
    }

    /// That moment, in milliseconds since the machine was started.
    var uptime: Int { bootNanoseconds / 1_000_000 }

    /// An edge's time, in milliseconds since the start; nil for a stamp by the wall clock, as kernels before 5.7 give.
    func uptime(ofEdgeAt stamp: UInt64) -> Int? {
        guard stamp > 0, stamp <= UInt64(max(0, monotonicNanoseconds)) else { return nil }
        return (bootNanoseconds - (monotonicNanoseconds - Int(stamp))) / 1_000_000
    }
}
