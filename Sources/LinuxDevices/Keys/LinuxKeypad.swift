// Keypads and keyboards that are plugged in.

import Devices
import Loop

extension LoopInput<KeypadReport> {
    /// Keypads that are off: those whose name in `ls /dev/input/by-id`, or their own, begins like that; nil for all.
    package convenience init(keypad name: String?, on loop: EventLoop) {
        self.init(on: loop) { reporting in
            let work = KeypadWork(name, in: "/dev/input", on: loop, reporting)
            return ({ await work.order(isOn: $0) }, { await work.end() })
        }
    }
}
