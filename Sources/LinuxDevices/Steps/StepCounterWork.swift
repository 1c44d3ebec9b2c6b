// Steps, as a counter in the kernel that is read now and then, or a GPIO line, tells of them.

import Devices
import EventLoop
import System

extension LoopInput<StepReport> {
    /// The counter of that name, or the first that there is: one that the kernel has a driver for, such as the one in a motion
    /// sensor. It is switched off until it is ordered on.
    package convenience init(counter name: String?, on loop: EventLoop) {
        self.init(StepCounters(wanted: name), on: loop)
    }

    convenience init(_ counters: StepCounters, on loop: EventLoop) {
        self.init(on: loop) { reporting in
            let work = StepCounterWork(counters, on: loop, reporting)
            return ({ await work.order(isOn: $0) }, { await work.end() })
        }
    }

    /// A mat, a beam or a motion detector on a line, which is not requested until it is ordered on.
    package convenience init(line input: LineInput, on loop: EventLoop) {
        self.init(on: loop) { reporting in
            let work = LineWork([input], on: loop) { event in
                switch event {
                case .found(_, let isDown): reporting.yield(.ready(isActive: isDown))
                case .moved(_, isDown: true, let uptime): reporting.yield(.step(uptime: uptime))
                // The foot was lifted.
                case .moved(_, isDown: false, _): break
                case .failed(_, let failure): reporting.yield(.failed(.line(failure)))
                case .warning(_, let words): reporting.yield(.warning(words))
                }
            }
            return (
                { isOn in await isOn ? work.start() : work.stop() },
                {
                    await work.stop()
                    reporting.finish()
                }
            )
        }
    }
}

/// Lives on the loop. The counter hangs on a slow bus: it is read beside the loop. While it is off, nothing is read.
actor StepCounterWork {
    private let counters: StepCounters
    private let loop: EventLoop
    private let worker: SerialWorker
    private let reporting: AsyncStream<StepReport>.Continuation
    private var isOn = false
    /// Another one from each order on, and from each try that is made at once: what an earlier one still hears counts no more.
    private var turn = 0
    private var changes: DeviceChanges?
    private var failure: StepFailure?

    private static let pauseMilliseconds = 500

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ counters: StepCounters, on loop: EventLoop, _ reporting: AsyncStream<StepReport>.Continuation) {
        (self.counters, self.loop, self.reporting) = (counters, loop, reporting)
        worker = SerialWorker(beside: loop)
    }

    func order(isOn: Bool) {
        guard isOn != self.isOn else { return }
        (self.isOn, changes, failure) = (isOn, nil, nil)
        guard isOn else { return switchOff() }
        changes = DeviceChanges(of: "iio")
        changes?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.devicesChanged() } }
        start()
    }

    func end() {
        order(isOn: false)
        // Behind the switching-off, if there is one.
        worker.run {
        } then: { [reporting] in
            reporting.finish()
        }
    }

    private func switchOff() {
        turn += 1
        worker.run { [counters] in
            do throws(StepFailure) {
                try counters.switchOff()
            } catch {
                // One that is gone is off. One that counts on costs a little power, and what it counts is not read.
            }
        } then: {
        }
    }

    private func devicesChanged() {
        changes?.drain()
        if failure != nil { start() }
    }

    private func start() {
        turn += 1
        Task(executorPreference: loop) { [turn] in await self.pollEvents(turn) }
    }

    private func pollEvents(_ turn: Int) async {
        var steps: CountedSteps?
        var retry = DeviceRetry()
        while true {
            let (reading, uptime) = await read()
            guard turn == self.turn else { return }
            switch reading {
            case .success(let count):
                emit(count, uptime, &steps)
                retry.reset()
            case .failure(let failure):
                steps = nil
                reportFailure(failure)
                retry.fail(at: uptime)
            }
            await loop.wait(milliseconds: retry.uptime.map { $0 - uptime } ?? StepCounterWork.pauseMilliseconds)
            guard turn == self.turn else { return }
        }
    }

    private func read() async -> (Result<Int32, StepFailure>, uptime: Int) {
        await withCheckedContinuation { reader in
            worker.run { [counters] in
                let reading = Result { () throws(StepFailure) in try counters.read() }
                return (reading, uptime: Uptime.milliseconds)
            } then: {
                reader.resume(returning: $0)
            }
        }
    }

    private func emit(_ count: Int32, _ uptime: Int, _ steps: inout CountedSteps?) {
        if let uptimes = steps?.read(count, uptime: uptime) {
            for uptime in uptimes { reporting.yield(.step(uptime: uptime)) }
        } else {
            steps = CountedSteps(count: count, uptime: uptime)
            failure = nil
            reporting.yield(.ready(isActive: false))
        }
    }

    /// The same is told once.
    private func reportFailure(_ failure: StepFailure) {
        guard self.failure != failure else { return }
        self.failure = failure
        reporting.yield(.failed(failure))
    }
}
