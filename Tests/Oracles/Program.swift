// The runner of other programs: an oracle, or one of Rooster's own commands.

import Foundation

/// The result of a program that has ended.
public struct Program: Sendable {
    /// The text of standard output.
    public let output: String
    /// The text of standard error.
    public let errors: String
    /// The exit status; zero means success.
    public let exitStatus: Int32

    /// Runs the program to its end. Nil for `environment` passes on the tests' own.
    public init(
        _ path: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        if let environment { process.environment = environment }
        // With pipes, the program and the test could each block on the other; files cannot.
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

    /// Returns the path of a program that the package built beside the running tests.
    public static func built(_ name: String) -> String {
        // `swift test` runs the tests as a program in the folder with all build products.
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appendingPathComponent(name).path
    }
}
