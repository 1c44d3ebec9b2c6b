// Wakes the machine by its hardware clock.

import Devices
import System

/// The alarm of a clock with a battery, at `/sys/class/rtc/rtc0/wakealarm`.
package struct LinuxWaker: Waker {
    private let root: String
    private let clock: any WallClock

    /// The machine's own. The clock is the one that times are meant by.
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

/// What the kernel shows of them below `/sys/class/rtc`.
struct HardwareClocks {
    /// A time that no clock shows by right: this was written after it. A battery that is flat shows 1970 or 2000.
    static let plausibleSeconds = 1_767_225_600

    /// The folder of all, in the order of their numbers.
    let folders: [String]

    init(root: String) {
        let folder = "\(root)/sys/class/rtc"
        let names: [String]
        do throws(FolderError) {
            names = try Folder.names(in: folder)
        } catch {
            // A sandbox may hide it: there is no clock then as far as we can know.
            names = []
        }
        let clocks = names.filter { $0.hasPrefix("rtc") }
        folders = clocks.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(folder)/\($0)" }
    }

    /// Whether one of them set the system's clock when the machine was started, and can have been right.
    var haveSetTheSystem: Bool {
        folders.contains { folder in
            guard SystemFile(path: "\(folder)/hctosys").text == "1" else { return false }
            let seconds = SystemFile(path: "\(folder)/since_epoch").text.flatMap(Int.init)
            return seconds.map { $0 >= HardwareClocks.plausibleSeconds } ?? false
        }
    }

    /// Where the first that can wake the machine is told when.
    var wakeAlarm: SystemFile? {
        folders.map { SystemFile(path: "\($0)/wakealarm") }.first(where: \.exists)
    }
}
