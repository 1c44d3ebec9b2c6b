// The tests of deploy/install: it installs every file, and its removal keeps the owner's files.

import Foundation
import Oracles
import Testing

@Suite struct InstallTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Installs the built programs below a temporary root.
    @discardableResult
    private func install(_ arguments: String...) throws -> String {
        let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
        let source = arguments.contains("--uninstall") ? [] : ["--built", built]
        let run = try Program("\(Checkout.path)/deploy/install", arguments + source + ["--root", scratch.path])
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        return run.output
    }

    /// Returns the files below the root, with their modes.
    private func files() throws -> [String] {
        let run = try Program("/usr/bin/find", [scratch.path, "-type", "f", "-printf", "%m /%P\n"])
        return run.output.split(separator: "\n").map(String.init).sorted()
    }

    private static let configuration = "etc/rooster/rooster.conf"

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(scratch.path)/\(path)", encoding: .utf8)
    }

    private func write(_ text: String, _ path: String) throws {
        let file = URL(fileURLWithPath: "\(scratch.path)/\(path)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test func install_putsFilesInPlace_andUninstallRemovesThem() throws {
        try install()
        let files = try files()
        #expect(
            files.filter { !$0.contains("/page/") } == [
                "644 /etc/avahi/services/rooster.service",
                "644 /etc/rooster/rooster.conf",
                "644 /usr/lib/systemd/system/rooster-web-lan.socket",
                "644 /usr/lib/systemd/system/rooster-web.service",
                "644 /usr/lib/systemd/system/rooster-web.socket",
                "644 /usr/lib/systemd/system/rooster.service",
                "644 /usr/lib/sysusers.d/rooster.conf",
                "644 /usr/lib/tmpfiles.d/rooster.conf",
                "644 /usr/lib/udev/rules.d/70-rooster.rules",
                "644 /usr/share/bash-completion/completions/rooster",
                "644 /usr/share/man/man1/rooster.1",
                "644 /usr/share/man/man5/rooster.conf.5",
                "644 /usr/share/man/man8/rooster-web.8",
                "644 /usr/share/man/man8/roosterd.8",
                "644 /usr/share/polkit-1/rules.d/50-rooster.rules",
                "644 /usr/share/rooster/rooster.conf",
                "644 /usr/share/rooster/stub.conf",
                "755 /usr/bin/rooster",
                "755 /usr/libexec/rooster/rooster-camera",
                "755 /usr/sbin/rooster-web",
                "755 /usr/sbin/roosterd",
            ])
        // Each file of the page is there, and beside it its compressed form.
        let page = "/usr/share/rooster/page/"
        let source = try Program(
            "/usr/bin/find", ["\(Checkout.path)/Sources/rooster-web/page", "-type", "f", "-printf", "%P\n"])
        let names = source.output.split(separator: "\n").filter { !$0.hasPrefix("bedside/") }
        #expect(names.contains("index.html"))
        #expect(
            files.filter { $0.contains(page) }
                == names.flatMap { ["644 \(page)\($0)", "644 \(page)\($0).gz"] }.sorted())
        // The installed program runs, and accepts the installed configuration.
        let check = try Program(
            "\(scratch.path)/usr/sbin/roosterd",
            ["--check-config", "--config", "\(scratch.path)/\(Self.configuration)"])
        #expect(check.exitStatus == 0)
        try install("--uninstall")
        #expect(try self.files().isEmpty)
        // A second removal finds nothing and succeeds.
        try install("--uninstall")
    }

    /// Relative paths are resolved from the caller's working directory.
    @Test func relativeDirectories_areResolvedFromTheCaller() throws {
        let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
        // The names contain spaces.
        let script =
            #"cd "$1"; mkdir "over there" "my build"; ln -s "$2/rooster" "$2/roosterd" "$2/rooster-camera" "#
            + #""$2/rooster-web" "my build"; "#
            + #"exec "$3" --built "my build" --root "over there""#
        let run = try Program(
            "/bin/sh", ["-c", script, "sh", scratch.path, built, "\(Checkout.path)/deploy/install"])
        #expect(run.exitStatus == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(try files().contains("755 /over there/usr/bin/rooster"))
    }

    /// The packages together have each file once.
    @Test func packages_shareTheFilesAmongThem() throws {
        try install()
        // The service makes its configuration itself, from the stub.
        let all = try files().filter { !$0.hasSuffix(Self.configuration) }
        try install("--uninstall")
        var parts: [[String]] = []
        for package in ["rooster", "rooster-web"] {
            try install("--package", package)
            parts.append(try files())
            try install("--uninstall")
        }
        #expect(parts.allSatisfy { !$0.isEmpty })
        #expect(parts.flatMap(\.self).sorted() == all)
    }

    @Test func uninstall_keepsAlarms() throws {
        try install()
        try write("a journal", "var/lib/rooster/00000001.log")
        #expect(try install("--uninstall").contains("/var/lib/rooster"))
        #expect(try files().map { $0.drop { $0 != "/" } } == ["/var/lib/rooster/00000001.log"])
    }

    @Test func configuration_thatWasChanged_isKept() throws {
        try install()
        let changed = try text(Self.configuration) + "log: { level = \"debug\"; };\n"
        try write(changed, Self.configuration)
        #expect(try install().contains("Kept your /etc/rooster/rooster.conf"))
        #expect(try text(Self.configuration) == changed)
        #expect(try install("--uninstall").contains("/etc/rooster"))
        #expect(try text(Self.configuration) == changed)
        #expect(try files().count == 1)
        // The next installation must not treat the changed file as its own.
        try install()
        #expect(try text(Self.configuration) == changed)
    }

    @Test func page_losesTheFilesOfAnOlderVersion() throws {
        try install()
        try write("old", "usr/share/rooster/page/old.js")
        try install()
        #expect(try !files().contains { $0.hasSuffix("old.js") })
    }

    @Test func unchangedConfiguration_isReplaced() throws {
        try install()
        let stub = try text(Self.configuration)
        // Earlier versions installed every option with its default.
        for path in [Self.configuration, "usr/share/rooster/rooster.conf"] { try write("# of an older one\n", path) }
        try install()
        #expect(try text(Self.configuration) == stub)
        #expect(try text("usr/share/rooster/rooster.conf").contains("speaker:"))
    }

    @Test func wrongUsage_exitsWith2() throws {
        for arguments in [["--here"], ["--root"], ["--package", "none", "--built", "/", "--root", scratch.path]] {
            #expect(try Program("\(Checkout.path)/deploy/install", arguments).exitStatus == 2)
        }
    }
}
