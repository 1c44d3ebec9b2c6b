// Another process that has a journal.

import Foundation
import Oracles

/// An appender that runs until this is let go.
final class RunningAppender {
    private let process = Process()

    var processID: Int32 { process.processIdentifier }

    /// Starts one, and waits until it has the journal and says something.
    init(_ directory: String, _ words: String...) throws {
        process.executableURL = URL(fileURLWithPath: Program.built("appender"))
        process.arguments = [directory] + words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        guard !pipe.fileHandleForReading.availableData.isEmpty else {
            throw BrokenPromise(description: "the appender said nothing")
        }
    }

    deinit {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
