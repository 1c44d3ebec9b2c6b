// The tests of the systemd unit: systemd accepts it, and its sandbox leaves the rights that ringing needs.

import Configuration
import Foundation
import Oracles
import Testing

@testable import roosterd

@Suite struct UnitTests {
    static let path = "\(Checkout.path)/deploy/rooster.service"

    /// Returns the settings in order, without comments.
    private func settings() throws -> [(name: String, value: String)] {
        try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { return nil }
            return (String(line[..<sign]), String(line[line.index(after: sign)...]))
        }
    }

    @Test func exposure_isLow() throws {
        // The threshold is in tenths. systemd reports unknown settings on standard error.
        let run = try Program(
            "/usr/bin/systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=25", Self.path])
        #expect(run.exitStatus == 0, "\(run.output.suffix(200))")
        #expect(run.errors.isEmpty)
        #expect(run.output.contains("Overall exposure level for rooster.service"))
    }

    /// The web server reads hostile requests: it reaches no network, no file of others and no device.
    @Test func webServer_hasHardlyARight() throws {
        let path = "\(Checkout.path)/deploy/rooster-web.service"
        let run = try Program(
            "/usr/bin/systemd-analyze", ["security", "--offline=true", "--no-pager", "--threshold=20", path])
        #expect(run.exitStatus == 0, "\(run.output.suffix(200))")
        #expect(run.errors.isEmpty)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for setting in ["DynamicUser=yes", "PrivateNetwork=yes", "SupplementaryGroups=rooster-web"] {
            #expect(text.contains("\n\(setting)\n"), "\(setting)")
        }
    }

    /// The socket for the home network answers private addresses only. Each client of the other one is this
    /// machine.
    @Test func sockets_openThePageToPrivateAddresses() throws {
        let lan = try String(contentsOfFile: "\(Checkout.path)/deploy/rooster-web-lan.socket", encoding: .utf8)
        #expect(lan.contains("\nIPAddressDeny=any\n") && lan.contains("\nConflicts=rooster-web.socket\n"))
        let local = try String(contentsOfFile: "\(Checkout.path)/deploy/rooster-web.socket", encoding: .utf8)
        let addresses = local.split(separator: "\n").filter { $0.hasPrefix("ListenStream=") }
        #expect(addresses == ["ListenStream=127.0.0.1:80", "ListenStream=[::1]:80"])
    }

    @Test func sandbox_allowsAllThatRingingNeeds() throws {
        let settings = try settings()
        // Each of these would break one part: cards and cameras, the player's priority, the state of the
        // clock, udev's hotplug events, shared cards.
        for name in ["PrivateDevices", "RestrictRealtime", "ProtectClock", "PrivateNetwork", "PrivateTmp"] {
            #expect(!settings.contains { $0.name == name }, "\(name)")
        }
        for (name, value) in [
            ("DeviceAllow", "char-116 rw"), ("DeviceAllow", "char-81 rw"), ("DeviceAllow", "char-13 rw"),
            ("DeviceAllow", "char-gpiochip rw"), ("SupplementaryGroups", "audio video gpio input rooster-web"),
            ("LimitRTPRIO", "10"),
            ("RestrictAddressFamilies", "AF_UNIX AF_NETLINK"), ("ReadWritePaths", "-/sys/devices"),
        ] {
            #expect(settings.contains { $0 == (name, value) }, "\(name)")
        }
        let calls = settings.first { $0.name == "SystemCallFilter" }?.value ?? ""
        #expect(calls.contains(" adjtimex clock_adjtime "))
        #expect(calls.hasSuffix(" seccomp landlock_create_ruleset landlock_restrict_self"))
    }

    @Test func service_isRestartedAfterAnyEnd_withoutDependencies() throws {
        let settings = try settings()
        for (name, value) in [
            ("Type", "notify"), ("Restart", "always"), ("StartLimitIntervalSec", "0"), ("OOMScoreAdjust", "-900"),
        ] {
            #expect(settings.contains { $0 == (name, value) }, "\(name)")
        }
        #expect(!settings.contains { ["After", "Wants", "Requires", "BindsTo"].contains($0.name) })
    }

    /// A missing group would prevent the service from starting.
    @Test func groups_areCreated() throws {
        let path = "\(Checkout.path)/deploy/sysusers.d/rooster.conf"
        let made = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("g ")
        }
        let groups = try #require(try settings().first { $0.name == "SupplementaryGroups" }).value.split(separator: " ")
        // The first two groups are part of every Debian installation.
        #expect(groups.dropFirst(2).map { "g \($0) -" } == made.map(String.init))
    }

    @Test func lines_areSwitchedOff_afterAnyEnd() throws {
        let setting = try #require(try settings().first { $0.name == "ExecStopPost" })
        #expect(setting.value == "-/usr/sbin/roosterd --lines-off")
        #expect(try DaemonArguments(["--lines-off"]).task == .switchLinesOff)
    }

    @Test func directories_matchRoosterdsDefaults() throws {
        let settings = try settings()
        let directories = settings.first { $0.name == "StateDirectory" }?.value.split(separator: " ") ?? []
        #expect(directories.first.map { "/var/lib/\($0)" } == DaemonArguments.standardState)
        let defaults = Configuration()
        #expect(directories.last.map { "/var/lib/\($0)" } == defaults.speaker.sounds)
        let runtime = try #require(settings.first { $0.name == "RuntimeDirectory" }).value
        #expect(defaults.control.socket.hasPrefix("/run/\(runtime)/"))
        #expect(settings.contains { $0 == ("Group", defaults.control.group) })
    }

    /// tmpfiles creates the same directories before the first start, and without systemd's unit.
    @Test func directories_matchTmpfiles() throws {
        let settings = try settings()
        func value(_ name: String) throws -> String { try #require(settings.first { $0.name == name }).value }
        let owner = "\(try value("User")) \(try value("Group"))"
        let (runMode, stateMode) = (try value("RuntimeDirectoryMode"), try value("StateDirectoryMode"))
        let run: [String] = try value("RuntimeDirectory").split(separator: " ").map {
            "d /run/\($0) \(runMode) \(owner)"
        }
        let state: [String] = try value("StateDirectory").split(separator: " ").map {
            "d /var/lib/\($0) \(stateMode) \(owner)"
        }
        let path = "\(Checkout.path)/deploy/tmpfiles.d/rooster.conf"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("d ") }.map(String.init) == run + state)
    }
}
