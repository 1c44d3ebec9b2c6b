// The parts of the installation that only the command line can test: the service starts no programs, and must not warn
// for ever of a machine without a watchdog.

import Health
import JSON
import System

/// The health of a part of the installation.
struct InstallationReport: Codable, Hashable {
    /// `page`, `version`, `watchdog` or `power`.
    let part: String
    let grade: Health.Grade
    let text: String

    init(_ part: String, _ grade: Health.Grade, _ text: String) {
        (self.part, self.grade, self.text) = (part, grade, text)
    }
}

/// The facts about a machine on which Rooster is installed.
struct Installation {
    var sockets = WebSockets()
    /// The program that listens on the page's port.
    var portHolder = PortHolder.description(port: 80)
    /// The output of `apt-cache policy` for Rooster's package; nil without apt.
    var versions = output("/usr/bin/apt-cache", "policy", "rooster")
    /// The time after which the hardware restarts a machine whose systemd hangs, as systemctl shows it; nil without
    /// systemd.
    var watchdog = output("/usr/bin/systemctl", "show", "--property=RuntimeWatchdogUSec", "--value")
    /// The folder in which the kernel shows its devices.
    var devices = "/sys/class"

    private static func output(_ command: String...) -> String? {
        do {
            return String(decoding: try ChildOutput.read(command, bytesMax: 1 << 16, seconds: 30), as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// The reports of all parts that this machine has.
    var reports: [InstallationReport] {
        [pageReport, versionReport, watchdogReport, powerReport].compactMap(\.self)
    }

    private var pageReport: InstallationReport? {
        switch sockets.state {
        case .missing: nil
        case .open(.lan): InstallationReport("page", .ok, "open to the home network")
        case .open(.local): InstallationReport("page", .ok, "open to this machine only")
        case .closed:
            InstallationReport(
                "page", .warning,
                portHolder.map {
                    "It is not open, because \($0) uses port 80. Stop that program, or give it another port. Then run "
                        + "'sudo rooster web --lan on'."
                } ?? "It is not open. 'sudo rooster web --lan on' opens it to the home network.")
        }
    }

    /// Compares the installed version with the newest one in apt's lists. After a line with the package comes one for
    /// each version, with a label in the user's language before the colon.
    private var versionReport: InstallationReport? {
        let values = (versions ?? "").split(separator: "\n").dropFirst().prefix(2).map { line in
            line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
        }
        guard values.count == 2, values.allSatisfy({ $0.first?.isWholeNumber == true }) else { return nil }
        guard values[0] != values[1] else {
            return InstallationReport("version", .ok, "\(values[0]), the newest in apt's lists")
        }
        return InstallationReport(
            "version", .warning,
            "Version \(values[1]) is available, and \(values[0]) is installed. Run 'sudo apt install rooster' to install it."
        )
    }

    private var watchdogReport: InstallationReport? {
        guard let watchdog = watchdog?.split(separator: "\n").first else { return nil }
        guard !Folder.readableNames(in: "\(devices)/watchdog").filter({ !$0.hasPrefix(".") }).isEmpty else {
            return InstallationReport(
                "watchdog", .warning,
                "This machine has no hardware watchdog, so it does not restart by itself if its kernel hangs.")
        }
        guard !["0", "infinity"].contains(watchdog) else {
            return InstallationReport(
                "watchdog", .warning,
                "systemd does not use this machine's hardware watchdog. Set RuntimeWatchdogSec=15 in "
                    + "/etc/systemd/system.conf and restart the machine.")
        }
        return InstallationReport("watchdog", .ok, "restarts this machine if it hangs for \(watchdog)")
    }

    /// Reads the undervoltage alarm of a Raspberry Pi. Other machines have none.
    private var powerReport: InstallationReport? {
        let monitors = Folder.readableNames(in: "\(devices)/hwmon").map { "\(devices)/hwmon/\($0)" }
        guard let monitor = monitors.first(where: { SystemFile(path: "\($0)/name").text == "rpi_volt" }),
            let alarm = SystemFile(path: "\(monitor)/in0_lcrit_alarm").text
        else { return nil }
        return alarm == "0"
            ? InstallationReport("power", .ok, "the voltage is high enough")
            : InstallationReport(
                "power", .warning,
                "The voltage is too low, so the machine may crash or lose data. Use the power supply made for it.")
    }
}
