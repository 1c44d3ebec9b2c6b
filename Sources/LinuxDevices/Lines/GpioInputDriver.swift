// Buttons and other contacts on GPIO lines.

import Alarms
import Devices
import EventLoop
import System

/// A report of the input with that index.
enum GpioInputReport: Hashable, Sendable {
    case found(Int, isDown: Bool)
    case moved(Int, isDown: Bool, uptime: Int)
    case failed(Int, LineFailure)
    case warning(Int, String)
}

/// Debounces contacts on GPIO lines. While nothing moves, nothing wakes the loop.
struct GpioInputDriver: DeviceDriver {
    struct LineEvent: Sendable {
        let index: Int
        let readiness: Readiness
    }

    static let subsystem = "gpio"
    private let inputs: [LineInput]
    private var lines: [DebouncedInput?]

    init(_ inputs: [LineInput]) {
        self.inputs = inputs
        lines = inputs.map { _ in nil }
    }

    static func report(_ failure: LineFailure, of index: Int) -> GpioInputReport { .failed(index, failure) }

    func failures(of error: SystemCallError) -> [Int: LineFailure] {
        let failures = inputs.map { LineFailure.system($0.name, doing: "watch it", errorNumber: error.errorNumber) }
        return Dictionary(uniqueKeysWithValues: zip(inputs.indices, failures))
    }

    mutating func open(_ port: inout Port) {
        for index in inputs.indices where lines[index] == nil {
            do throws(LineFailure) {
                let line = try DebouncedInput(inputs[index], on: port.loop) { [post = port.post] readiness in
                    post(LineEvent(index: index, readiness: readiness))
                }
                lines[index] = line
                port.succeed(index)
                port.emit(.found(index, isDown: line.isDown))
                if let warning = line.warning { port.emit(.warning(index, warning)) }
            } catch {
                port.fail(index, error)
            }
        }
    }

    mutating func test(_ port: inout Port) {
        for index in inputs.indices {
            do throws(LineFailure) { try lines[index]?.check() } catch { lose(index, error, &port) }
        }
    }

    /// `update` reads the lines. This method handles only their loss.
    mutating func handle(_ event: LineEvent, _ port: inout Port) {
        guard !event.readiness.isDisjoint(with: .lost), lines[event.index] != nil else { return }
        lose(event.index, .gone(inputs[event.index].name), &port)
    }

    /// Reads all lines, so that edges of several lines are reported in the order of their times.
    mutating func update(_ port: inout Port) -> Int? {
        var edges: [(index: Int, edge: Debounce.DebouncedEdge)] = []
        for index in inputs.indices {
            do throws(LineFailure) {
                edges += try lines[index]?.readEdges().map { (index, $0) } ?? []
            } catch {
                lose(index, error, &port)
            }
        }
        for (index, edge) in edges.sorted(by: { $0.edge.uptime < $1.edge.uptime }) {
            port.emit(.moved(index, isDown: edge.isDown, uptime: edge.uptime))
        }
        return lines.compactMap { $0?.deadline }.min()
    }

    mutating func close(then callback: @escaping @Sendable () -> Void) {
        lines = inputs.map { _ in nil }
        callback()
    }

    private mutating func lose(_ index: Int, _ failure: LineFailure, _ port: inout Port) {
        lines[index] = nil
        port.lose(index, failure)
    }
}

extension LoopDriver: Buttons where Report == ButtonReport {
    /// Buttons on these lines, which are on from the start.
    package convenience init(buttons inputs: [Button: LineInput], on loop: EventLoop) {
        let buttons = Button.allCases.filter { inputs[$0] != nil }
        self.init(GpioInputDriver(buttons.compactMap { inputs[$0] }), on: loop) { report in
            switch report {
            case .found(let index, let isDown): .found(buttons[index], isDown: isDown)
            case .moved(let index, let isDown, let uptime): .moved(buttons[index], isDown: isDown, uptime: uptime)
            case .failed(let index, let failure): .failed(buttons[index], failure)
            case .warning(let index, let text): .warning(buttons[index], text)
            }
        }
        order(isOn: true)
    }
}

extension LoopDriver<StepReport> {
    /// A mat, a beam or a motion detector on a line, which is not requested until it is ordered on.
    package convenience init(line input: LineInput, on loop: EventLoop) {
        self.init(GpioInputDriver([input]), on: loop) { report in
            switch report {
            case .found(_, let isDown): .ready(isActive: isDown)
            case .moved(_, isDown: true, let uptime): .step(uptime: uptime)
            // The foot was lifted.
            case .moved(_, isDown: false, _): nil
            case .failed(_, let failure): .failed(.line(failure))
            case .warning(_, let text): .warning(text)
            }
        }
    }
}
