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
}
