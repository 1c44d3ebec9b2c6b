// The tests of paths without a valid configuration, or without a file: the service must start all the same.

import Foundation
import Oracles
import Testing

@testable import Configuration

@Suite struct OddFileTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        #expect(mkfifo("\(scratch.path)/pipe", 0o600) == 0)
        #expect(symlink("loop", "\(scratch.path)/loop") == 0)
        let huge = try scratch.file("huge", holding: "log: { level = \"debug\"; };")
        #expect(truncate(huge.path, 100 << 20) == 0)
    }

    /// The service uses the defaults and reports the reason in one line. It must not block on a pipe.
    @Test(arguments: [
        ("none", "No such file or directory"), (".", "not a file"), ("pipe", "not a file"),
        ("loop", "Too many levels of symbolic links"), ("huge", "larger than 65536 bytes"),
    ])
    func unreadableFile_givesTheDefaults(name: String, message: String) {
        let path = "\(scratch.path)/\(name)"
        let reading = ConfigurationReading.ofFile(at: path)
        #expect(reading.configuration == Configuration())
        #expect(
            reading.problems.map(\.description) == [
                "\(path): cannot be read (\(message)), so every option has its default"
            ])
    }

    /// If Rooster is installed on the test machine, the file belongs to its owner.
    @Test func standardFile_mayBeMissing() {
        let reading = ConfigurationReading.ofFile(at: nil)
        #expect(reading.path == "/etc/rooster/rooster.conf")
        guard !FileManager.default.fileExists(atPath: reading.path) else { return }
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.isEmpty)
        #expect(!reading.isThere)
    }

    @Test func binaryFile_isRefused() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"))
        let reading = ConfigurationReading(Array(bytes.prefix(ConfigurationReading.fileBytesMax)), calledBy: "c")
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.map(\.line) == [1])
    }
}
