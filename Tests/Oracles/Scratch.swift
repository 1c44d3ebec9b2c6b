// A folder for a test's own files.

import Foundation

/// A new folder, removed with its last owner.
public final class Scratch: Sendable {
    /// Where it is.
    public let path: String

    /// Makes it.
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

    /// A file in it, with that text.
    public func file(_ name: String, holding text: String = "") throws -> URL {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// A program in it. Another one writes it: what is open to be written here, a child that another test starts at that moment
    /// has open, too, and until it is its own program the system runs no such file.
    public func program(_ name: String, copying original: String = "/dev/stdin", script: String = "") throws -> String {
        let path = "\(path)/\(name)"
        let run = try Program("/usr/bin/install", [original, path], input: "#!/bin/sh\n\(script)\n")
        guard run.exitStatus == 0 else { throw POSIXError(.EIO) }
        return path
    }
}
