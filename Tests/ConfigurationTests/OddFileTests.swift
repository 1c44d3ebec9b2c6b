// Files that are no configuration, or no files. Nothing of it may keep the service from starting.

import Foundation
import Oracles
import Testing

@testable import Configuration

@Suite struct OddFileTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// The defaults count, and one line says why.
    func expectDefaults(of path: String, because words: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let reading = ConfigurationReading.ofFile(at: path)
        #expect(reading.configuration == Configuration(), sourceLocation: sourceLocation)
        #expect(
            reading.problems.map(\.description) == ["\(path): \(words): every option has its default"],
            sourceLocation: sourceLocation)
    }

    @Test func fileThatWasNamedAndIsNotThere_isAMistake() {
        expectDefaults(of: path("none"), because: "No such file or directory")
    }

    /// Where Rooster is installed on the machine of the tests, its file is somebody's own.
    @Test func fileThatNobodyNamed_needNotBeThere() {
        let reading = ConfigurationReading.ofFile(at: nil)
        #expect(reading.path == "/etc/rooster/rooster.conf")
        guard !FileManager.default.fileExists(atPath: reading.path) else { return }
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.isEmpty)
        #expect(!reading.isThere)
    }

    @Test func directory_isNoFile() {
        expectDefaults(of: scratch.path, because: "it is not a file")
    }

    @Test func pipe_isNotWaitedFor() {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        expectDefaults(of: path("pipe"), because: "it is not a file")
    }

    @Test func device_isNoFile() {
        expectDefaults(of: "/dev/zero", because: "it is not a file")
    }

    @Test func linkToItself_isNoFile() {
        #expect(symlink(path("loop"), path("loop")) == 0)
        expectDefaults(of: path("loop"), because: "Too many levels of symbolic links")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func fileThatMayNotBeRead_isSaid() throws {
        let file = try scratch.file("secret").path
        #expect(chmod(file, 0) == 0)
        expectDefaults(of: file, because: "Permission denied")
    }

    @Test func hugeFile_isNotRead() throws {
        let file = try scratch.file("huge", holding: "log: { level = \"debug\"; };").path
        #expect(truncate(file, 100 << 20) == 0)
        expectDefaults(of: file, because: "it is larger than 65536 bytes")
    }

    @Test func emptyFile_isAllDefaults() throws {
        let reading = ConfigurationReading.ofFile(at: try scratch.file("empty").path)
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.isEmpty)
    }

    @Test func program_isNoConfiguration() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"))
        let reading = ConfigurationReading(Array(bytes.prefix(ConfigurationReading.fileBytesMax)), calledBy: "c")
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.map(\.line) == [1])
    }
}
