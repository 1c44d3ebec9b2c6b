// Asks Python what it thinks: its date and recurrence libraries are read by more eyes than ours.

import Foundation

/// A Python script whose answers ours are compared with.
public struct PythonOracle {
    /// The script could not be run, or it failed.
    public struct Failure: Error {
        /// What it said before it died.
        public let words: String
    }

    /// Runs a script that lies beside the calling test and answers with its lines. It is the system's Python, because
    /// that is the one apt's packages belong to.
    public static func lines(
        of script: String, _ arguments: [String], input: String = "", besides testFile: String = #filePath
    ) throws -> [Substring] {
        let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [folder.appendingPathComponent(script).path] + arguments
        // Files, not pipes: neither side can then wait for the other.
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let inputFile = scratch.appendingPathComponent("input")
        let outputFile = scratch.appendingPathComponent("output")
        try Data(input.utf8).write(to: inputFile)
        try Data().write(to: outputFile)
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        try process.run()
        process.waitUntilExit()
        let output = String(decoding: try Data(contentsOf: outputFile), as: UTF8.self)
        guard process.terminationStatus == 0 else { throw Failure(words: String(output.suffix(2000))) }
        return output.split(separator: "\n")
    }
}
