// A program that is talked to while it runs.

import Foundation

/// A process whose words are waited for, and answered.
public final class Dialogue {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    private var unread: [UInt8] = []

    /// The threads of tests keep signals away, and what they start would inherit that.
    private static let hearingSignals =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"

    /// Starts it, with the tests' own environment and what is in this. What it says on standard error is heard too.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Dialogue.hearingSignals, path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        // Its end is heard only when nobody else could still write.
        try output.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Types it as it is.
    public func type(_ keys: String) { input.fileHandleForWriting.write(Data(keys.utf8)) }

    /// Reads until it has said this, and answers with all up to there; nothing when it does not.
    public func hear(_ words: String) -> String? {
        var searched = 0
        let wanted = Array(words.utf8)
        while true {
            while searched + wanted.count <= unread.count {
                if unread[searched..<searched + wanted.count].elementsEqual(wanted) {
                    let heard = unread.prefix(searched + wanted.count)
                    unread.removeFirst(heard.count)
                    return String(decoding: heard, as: UTF8.self)
                }
                searched += 1
            }
            guard let piece = piece() else { return nil }
            unread += piece
        }
    }

    /// Reads to its end.
    public func hearAll() -> String {
        while let piece = piece() { unread += piece }
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// What it says next; nothing where it says no more, or keeps silent for so long that it has to be wrong.
    private func piece() -> Data? {
        var watched = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Dialogue.patienceMilliseconds) > 0 else { return nil }
        let piece = output.fileHandleForReading.availableData
        return piece.isEmpty ? nil : piece
    }

    private static let patienceMilliseconds: Int32 = 60_000

    /// Sends it a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    public func exitStatus() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
