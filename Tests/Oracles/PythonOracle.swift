// The Python oracle. More people check its date and recurrence libraries than check ours.

import Foundation

/// A Python script with reference results.
public struct PythonOracle {
    /// The error if the script could not run or has failed.
    public struct Failure: Error {
        /// The end of the script's standard error.
        public let errors: String
    }

    /// Runs a script that lies beside the calling test, and returns its lines. The path is the system's
    /// Python, because apt installs its packages for that one.
    public static func lines(
        of script: String, _ arguments: [String], input: String = "", besides testFile: String = #filePath
    ) throws -> [Substring] {
        let folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
        let script = folder.appendingPathComponent(script).path
        let python = try Program("/usr/bin/python3", [script] + arguments, input: input)
        guard python.exitStatus == 0 else { throw Failure(errors: String(python.errors.suffix(2000))) }
        return python.output.split(separator: "\n")
    }
}
