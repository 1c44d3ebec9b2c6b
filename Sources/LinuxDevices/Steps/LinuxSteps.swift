// Steps, as a counter in the kernel or a GPIO line tells of them.

import Devices
import Loop

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
