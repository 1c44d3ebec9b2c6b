// The folder for a test's own files.

import Foundation

/// A new temporary folder, removed when its last owner goes.
public final class Scratch: Sendable {
    /// The path of the folder.
    public let path: String

    /// Creates the folder.
    public init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rooster-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("\(path) is left behind: \(error)")
        }
    }

    /// Creates a file in the folder with this text, and returns its URL.
    public func file(_ name: String, holding text: String = "") throws -> URL {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Creates a program in the folder. `install` writes it in a child process. If this process wrote the
    /// file, a child that another test starts meanwhile could inherit the open descriptor. The kernel
    /// refuses to run a file that is open for writing.
    public func program(_ name: String, copying original: String = "/dev/stdin", script: String = "") throws -> String {
        let path = "\(path)/\(name)"
        let run = try Program("/usr/bin/install", [original, path], input: "#!/bin/sh\n\(script)\n")
        guard run.exitStatus == 0 else { throw POSIXError(.EIO) }
        return path
    }
}
