// The GPIO chip that the kernel simulates by gpio-sim; tests drive its lines.

import Foundation
import Glibc
import Synchronization

/// A separate chip for each test. It needs a kernel with gpio-sim and the right to use it.
public final class SimulatedChip {
    /// The chip's label.
    public let label: String
    private let names: [String]
    private let folder: String
    private var isPlugged = false

    private static let root = "/sys/kernel/config/gpio-sim"
    private static let count = Atomic(0)

    /// True if the kernel has gpio-sim and the tests may use it.
    public static var isThere: Bool { access(root, W_OK) == 0 }

    /// Creates and plugs in a chip whose lines have these names. `holder` occupies the last one.
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

    /// Plugs in the chip.
    public func plug() throws {
        try write("1", to: "live")
        isPlugged = true
    }

    /// Unplugs the chip, so that its users lose their lines.
    public func unplug() {
        guard isPlugged else { return }
        isPlugged = false
        do { try write("0", to: "live") } catch { print("a simulated chip stays: \(error)") }
    }

    /// Pulls a line up or down, like an external circuit.
    public func pull(_ line: Int, up isUp: Bool) throws {
        try SimulatedChip.write(isUp ? "pull-up" : "pull-down", to: "\(place)/sim_gpio\(line)/pull")
    }

    /// Returns true if a line is high, by any driver.
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

    /// Writes in one call to an existing file, as configfs and sysfs require.
    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
