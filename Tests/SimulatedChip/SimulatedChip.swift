// A GPIO chip that the kernel simulates by gpio-sim: its lines are wired by tests.

import Foundation
import Glibc
import Synchronization

/// A chip of its own for each test, where the kernel has gpio-sim and lets the tests use it.
public final class SimulatedChip {
    /// What it is called.
    public let label: String
    private let names: [String]
    private let folder: String
    private var isPlugged = false

    private static let root = "/sys/kernel/config/gpio-sim"
    private static let count = Atomic(0)

    /// Whether the kernel has gpio-sim, and lets the tests use it.
    public static var isThere: Bool { access(root, W_OK) == 0 }

    /// A chip that is plugged in, whose first lines have these names. `holder` is who uses the last of them.
    public init(_ names: [String], holder: String? = nil) throws {
        let number = SimulatedChip.count.add(1, ordering: .relaxed).newValue
        (label, self.names) = ("rooster-\(getpid())-\(number)", names)
        folder = "\(SimulatedChip.root)/\(label)"
        for path in [folder, "\(folder)/bank"] { try SimulatedChip.make(path) }
        try write("\(names.count)", to: "bank/num_lines")
        try write(label, to: "bank/label")
        for (index, name) in names.enumerated() {
            try SimulatedChip.make("\(folder)/bank/line\(index)")
            if !name.isEmpty { try write(name, to: "bank/line\(index)/name") }
        }
        if let holder {
            try SimulatedChip.make("\(folder)/bank/line\(names.count - 1)/hog")
            try write(holder, to: "bank/line\(names.count - 1)/hog/name")
        }
        try plug()
    }

    deinit {
        unplug()
        for index in names.indices {
            rmdir("\(folder)/bank/line\(index)/hog")
            rmdir("\(folder)/bank/line\(index)")
        }
        rmdir("\(folder)/bank")
        rmdir(folder)
    }

    /// Plugs it in.
    public func plug() throws {
        try write("1", to: "live")
        isPlugged = true
    }

    /// Whoever uses its lines loses them.
    public func unplug() {
        guard isPlugged else { return }
        isPlugged = false
        do { try write("0", to: "live") } catch { print("a simulated chip stays: \(error)") }
    }

    /// Pulls a line from outside.
    public func pull(_ line: Int, up isUp: Bool) throws {
        try SimulatedChip.write(isUp ? "pull-up" : "pull-down", to: "\(place)/sim_gpio\(line)/pull")
    }

    /// Whether a line is high, whoever drives it.
    public func isHigh(_ line: Int) throws -> Bool { try read("\(place)/sim_gpio\(line)/value") == "1" }

    private var place: String {
        get throws { "/sys/devices/platform/\(try read("\(folder)/dev_name"))/\(try read("\(folder)/bank/chip_name"))" }
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func write(_ text: String, to name: String) throws {
        try SimulatedChip.write(text, to: "\(folder)/\(name)")
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o755) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// As the kernel wants it: in one piece, into what is there.
    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
