// The helper process that holds a journal.

import Foundation
import Oracles

/// An appender that runs until this object is released.
final class RunningAppender {
    private let process = Process()

    var processID: Int32 { process.processIdentifier }

    /// Starts an appender, and waits until it has opened the journal and written a line.
    init(_ directory: String, _ texts: String...) throws {
        process.executableURL = URL(fileURLWithPath: Program.built("appender"))
        process.arguments = [directory] + texts
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
