// Wakes the machine by its hardware clock.

import Devices

/// The alarm of a clock with a battery, at `/sys/class/rtc/rtc0/wakealarm`.
package struct LinuxWaker: Waker {
    private let root: String
    private let clock: any WallClock

    /// The machine's own. The clock is the one that times are meant by.
    package init(clock: any WallClock) {
        self.init(root: "", clock: clock)
    }

    /// Of a machine whose files lie below `root`.
    init(root: String, clock: any WallClock) {
        self.root = root
        self.clock = clock
    }

    /// Sets the alarm, in the place of the one that was set before.
    package func set(wallMilliseconds: Int?) throws(WakerError) {
        guard let alarm = HardwareClocks(root: root).wakeAlarm else {
            guard wallMilliseconds != nil else { return }
            throw .none
        }
        // A clock that has an alarm takes no other.
        try write("0", to: alarm)
        guard let wallMilliseconds else { return }
        // From now on, and not at a time: the hardware clock may show another zone's time, or go wrong.
        let seconds = (wallMilliseconds - clock.reading.wallMilliseconds) / 1000
        if seconds > 0 { try write("+\(seconds)", to: alarm) }
    }

    private func write(_ text: String, to alarm: SystemFile) throws(WakerError) {
        let number = alarm.write("\(text)\n")
        guard number == 0 else { throw .system(path: alarm.path, errorNumber: number) }
    }
}
