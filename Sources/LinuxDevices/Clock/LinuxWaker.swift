// The hardware clock's alarm, which wakes a sleeping machine.

import Devices
import System

/// Sets the alarm of a hardware clock, at `/sys/class/rtc/rtc0/wakealarm`.
package struct LinuxWaker: Waker {
    private let root: String
    private let clock: any WallClock

    /// The machine's waker. Times passed to `set` are times of the given clock.
    package init(clock: any WallClock) {
        self.init(root: "", clock: clock)
    }

    init(root: String, clock: any WallClock) {
        self.root = root
        self.clock = clock
    }

    package func set(wallMilliseconds: Int?) throws(WakerError) {
        guard let alarm = HardwareClocks(root: root).wakeAlarm else {
            guard wallMilliseconds != nil else { return }
            throw .none
        }
        // The kernel refuses a new alarm while an old one is set.
        try write("0", to: alarm)
        guard let wallMilliseconds else { return }
        // The time is relative, because the hardware clock may be wrong or show another zone's time.
        let seconds = (wallMilliseconds - clock.reading.wallMilliseconds) / 1000
        if seconds > 0 { try write("+\(seconds)", to: alarm) }
    }

    private func write(_ text: String, to alarm: SystemFile) throws(WakerError) {
        let number = alarm.write("\(text)\n")
        guard number == 0 else { throw .system(path: alarm.path, errorNumber: number) }
    }
}

/// The hardware clocks in `/sys/class/rtc`.
struct HardwareClocks {
    /// The earliest plausible time, 1 January 2026, when this code was new. A flat battery shows 1970 or
    /// 2000.
    static let plausibleSeconds = 1_767_225_600

    /// The folders of all clocks, in the order of their numbers.
    let folders: [String]

    init(root: String) {
        let folder = "\(root)/sys/class/rtc"
        // If a sandbox hides the folder, the machine counts as having no hardware clock.
        let clocks = Folder.readableNames(in: folder).filter { $0.hasPrefix("rtc") }
        folders = clocks.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(folder)/\($0)" }
    }

    /// True if a hardware clock set the system's clock at boot and shows a plausible time.
    var haveSetTheSystem: Bool {
        folders.contains { folder in
            guard SystemFile(path: "\(folder)/hctosys").text == "1" else { return false }
            let seconds = SystemFile(path: "\(folder)/since_epoch").text.flatMap(Int.init)
            return seconds.map { $0 >= HardwareClocks.plausibleSeconds } ?? false
        }
    }

    /// The file that sets the alarm of the first clock that can wake the machine; nil if there is none.
    var wakeAlarm: SystemFile? {
        folders.map { SystemFile(path: "\($0)/wakealarm") }.first(where: \.exists)
    }
}
