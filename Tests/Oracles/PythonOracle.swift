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
        let script = folder.appendingPathComponent(script).path
        let python = try Program("/usr/bin/python3", [script] + arguments, input: input)
        guard python.exitStatus == 0 else { throw Failure(words: String(python.errors.suffix(2000))) }
        return python.output.split(separator: "\n")
    }
}
