// The tests of the lines that `rooster doctor` adds about the installation.

import Foundation
import Oracles
import System
import Testing

@testable import rooster

@Suite struct InstallationReportTests {
    /// Returns the lines of a machine on which systemd has these units, of which some are active.
    private func lines(
        units: [String] = [], active: [String] = [], portHolder: String? = nil, versions: String? = nil,
        watchdog: String? = nil, devices: String = "/nowhere"
    ) -> [String] {
        let sockets = WebSockets(systemctl: { arguments in
            let unit = arguments.last ?? ""
            return arguments[0] == "cat" ? units.contains(unit) : active.contains(unit)
        })
        let installation = Installation(
            sockets: sockets, portHolder: portHolder, versions: versions, watchdog: watchdog, devices: devices)
        return installation.reports.map { "\($0.grade) \($0.part): \($0.text)" }
    }

    @Test func page_isReported_withTheProgramThatHasItsPort() {
        let units = ["rooster-web.socket", "rooster-web-lan.socket"]
        #expect(lines() == [])
        #expect(lines(units: units, active: ["rooster-web-lan.socket"]) == ["ok page: open to the home network"])
        #expect(lines(units: units, active: ["rooster-web.socket"]) == ["ok page: open to this machine only"])
        #expect(lines(units: units, active: []).first?.hasPrefix("warning page: It is not open. 'sudo") == true)
        let taken = lines(units: units, active: [], portHolder: "nginx (process 812)")
        #expect(
            taken.first?.hasPrefix("warning page: It is not open, because nginx (process 812) uses port 80") == true)
    }

    @Test func version_isComparedWithAptsLists() {
        func policy(_ installed: String, _ candidate: String) -> String {
            "rooster:\n  Installiert:           \(installed)\n  Installationskandidat: \(candidate)\n  Versionstabelle:\n"
        }
        #expect(
            lines(versions: policy("0.3", "0.3")) == [
                "ok version: 0.3, the newest in apt's lists"
            ])
        let older = lines(versions: policy("1:0.3~rc1", "0.10"))
        #expect(
            older.first?.hasPrefix("warning version: Version 0.10 is available, and 1:0.3~rc1 is installed") == true)
        for none in [policy("(keine)", "0.3"), "", "N: Unable to locate package rooster\n"] {
            #expect(lines(versions: none) == [])
        }
    }

    @Test func watchdogAndVoltage_areReadFromTheKernel() throws {
        let scratch = try Scratch()
        #expect(lines(watchdog: "0\n", devices: scratch.path).first?.contains("has no hardware watchdog") == true)
        for (file, text) in [
            ("watchdog/watchdog0/identity", "Broadcom"), ("hwmon/hwmon0/name", "cpu_thermal"),
            ("hwmon/hwmon1/name", "rpi_volt"), ("hwmon/hwmon1/in0_lcrit_alarm", "0"),
        ] {
            let url = URL(fileURLWithPath: "\(scratch.path)/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("\(text)\n".utf8).write(to: url)
        }
        #expect(
            lines(watchdog: "1min\n", devices: scratch.path) == [
                "ok watchdog: restarts this machine if it hangs for 1min", "ok power: the voltage is high enough",
            ])
        #expect(lines(watchdog: "0\n", devices: scratch.path).first?.contains("RuntimeWatchdogSec=15") == true)
        try Data("1\n".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/hwmon/hwmon1/in0_lcrit_alarm"))
        #expect(lines(devices: scratch.path).first?.hasPrefix("warning power: The voltage is too low") == true)
    }

    /// This process listens on a port, and the kernel's tables name it.
    @Test func portHolder_isFoundInTheKernelsTables() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: UInt16 = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                listen(listener, 1)
                getsockname(listener, $0, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        #expect(PortHolder.description(port: port)?.hasSuffix("(process \(getpid()))") == true)
        // No program can listen on this port.
        #expect(PortHolder.description(port: 0) == nil)
    }
}
