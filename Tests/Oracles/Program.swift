// Runs another program to its end: an oracle, or one of Rooster's own commands.

import Foundation

/// What a program that has ended left behind.
public struct Program: Sendable {
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let errors: String
    /// Zero for a program that was content.
    public let exitStatus: Int32

    /// Runs it with just this environment, or with the tests' own.
    public init(
        _ path: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        // Files, not pipes: neither side can then wait for the other.
        let scratch = try Scratch()
        process.standardInput = try FileHandle(forReadingFrom: scratch.file("input", holding: input))
        let (output, errors) = (try scratch.file("output"), try scratch.file("errors"))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        self.output = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        self.errors = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        exitStatus = process.terminationStatus
    }

    package var lines: [Substring] { output.split(separator: "\n") }
    package var complaints: [Substring] { errors.split(separator: "\n") }

    /// The program that the package built beside the running tests.
    public static func built(_ name: String) -> String {
        // `swift test` runs the tests as a program of their own, in the folder of all that was built.
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }
}
