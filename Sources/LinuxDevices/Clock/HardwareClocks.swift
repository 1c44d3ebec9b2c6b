// The machine's clocks with a battery.

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
