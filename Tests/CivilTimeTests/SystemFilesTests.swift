// The tests of zone files in a directory with unexpected contents.

import Foundation
import Testing

@testable import CivilTime

/// Each test has its own directory, which is removed afterwards.
@Suite final class SystemFilesTests {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    func write(_ name: String, bytes: Int) throws -> String {
        let file = directory.appendingPathComponent(name)
        try Data(repeating: 7, count: bytes).write(to: file)
        return file.path
    }

    @Test func file_isReadWhole_upToItsBound() throws {
        let path = try write("Zone", bytes: 1000)
        let bytes = try contents(ofFileAt: path, bytesMax: 1000)
        #expect(bytes == [UInt8](repeating: 7, count: 1000))
        #expect(throws: SmallFileError.self) { try contents(ofFileAt: path, bytesMax: 999) }
        let empty = try contents(ofFileAt: write("Empty", bytes: 0), bytesMax: 1000)
        #expect(empty.isEmpty)
    }

    /// A reader that opens such a pipe waits for a writer for ever.
    @Test func pipe_isRefused_withoutBlocking() throws {
        let path = directory.appendingPathComponent("Pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        do {
            _ = try contents(ofFileAt: path, bytesMax: 1000)
            Issue.record("a pipe was read")
        } catch {
            #expect(error.isAbsence)
            #expect(error.description == "not a file")
        }
    }

    @Test func zone_withAnOversizedFile_isUnreadable_notMissing() throws {
        _ = try write("Huge", bytes: (1 << 20) + 1)
        var zones = ZoneCatalogue(directory: directory.path)
        do {
            _ = try zones.zone(named: "Huge")
            Issue.record("a zone of more than a megabyte was read")
        } catch {
            #expect(
                error.description
                    == #"the data of the time zone "Huge" cannot be read (larger than 1048576 bytes)"#)
        }
        try FileManager.default.createSymbolicLink(
            atPath: directory.appendingPathComponent("Circle").path, withDestinationPath: "Circle")
        do {
            _ = try zones.zone(named: "Circle")
            Issue.record("a link to itself was read")
        } catch {
            #expect(error.description.hasPrefix(#"the data of the time zone "Circle" cannot be read ("#))
        }
    }

    @Test func destinationOfALink_isItsTarget() throws {
        let path = directory.appendingPathComponent("link").path
        #expect(destination(ofLinkAt: path) == nil)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../elsewhere")
        #expect(destination(ofLinkAt: path) == "../elsewhere")
        let file = try write("file", bytes: 1)
        #expect(destination(ofLinkAt: file) == nil)
    }
}
