// The driver of a step counter in the kernel's industrial I/O.

import Devices
import EventLoop
import System

extension LoopDriver<StepReport> {
    /// The counter with that name, or the first one found, such as the one of a motion sensor. It is
    /// switched off until it is ordered on.
    package convenience init(counter name: String?, on loop: EventLoop) {
        self.init(StepCounters(wanted: name), on: loop)
    }

    convenience init(_ counters: StepCounters, on loop: EventLoop) {
        self.init(StepCounterDriver(counters, on: loop), on: loop) { $0 }
    }
}

/// Reads a step counter twice a second. The counter is on a slow bus, so a worker reads it beside the loop.
struct StepCounterDriver: DeviceDriver {
    struct Reading: Sendable {
        let count: Result<Int32, StepFailure>
        let uptime: Int
    }

    static let subsystem = "iio"
    private let counters: StepCounters
    private let worker: SerialWorker
    private var steps: CountedSteps?
    /// True while the counter may be switched on.
    private var isOpen = false
    private var isReading = false
    private var readUptime: Int?

    private static let pauseMilliseconds = 500

    init(_ counters: StepCounters, on loop: EventLoop) {
        self.counters = counters
        worker = SerialWorker(beside: loop)
    }

    static func report(_ failure: StepFailure, of _: AllDevices) -> StepReport { .failed(failure) }

    func failures(of error: SystemCallError) -> [AllDevices: StepFailure] {
        [
            AllDevices(): .system(
                name: counters.wanted ?? "", doing: "start a timer for it", errorNumber: error.errorNumber)
        ]
    }

    /// Starts a reading, which shows whether the counter can be used.
    mutating func open(_ port: inout Port) {
        isOpen = true
        guard !isReading else { return }
        isReading = true
        readUptime = nil
        worker.run { [counters] in
            let count = Result { () throws(StepFailure) in try counters.read() }
            return Reading(count: count, uptime: Uptime.milliseconds)
        } then: { [post = port.post] in
            post($0)
        }
    }

    mutating func handle(_ reading: Reading, _ port: inout Port) {
        isReading = false
        switch reading.count {
        case .success(let count):
            readUptime = reading.uptime + StepCounterDriver.pauseMilliseconds
            if let uptimes = steps?.read(count, uptime: reading.uptime) {
                for uptime in uptimes { port.emit(.step(uptime: uptime)) }
            } else {
                steps = CountedSteps(count: count, uptime: reading.uptime)
                port.succeed(AllDevices())
                port.emit(.ready(isActive: false))
            }
        case .failure(let failure):
            steps = nil
            // If the counter failed before, the next attempt has its deadline already.
            if port.absences.isEmpty { port.lose(AllDevices(), failure) } else { port.fail(AllDevices(), failure) }
        }
    }

    mutating func update(_ port: inout Port) -> Int? {
        if let readUptime, readUptime <= Uptime.milliseconds { open(&port) }
        return readUptime
    }

    /// Switches the counter off, which saves power.
    mutating func close(then callback: @escaping @Sendable () -> Void) {
        let wasOpen = isOpen
        isOpen = false
        isReading = false
        readUptime = nil
        steps = nil
        worker.run { [counters] in
            guard wasOpen else { return }
            do throws(StepFailure) {
                try counters.switchOff()
            } catch {
                // A counter that was removed is off. One that stays on only costs a little power.
            }
        } then: {
            callback()
        }
    }
}
