// The files that record the mixers' levels before a ring.

import Glibc
import System

/// A directory with a file for each card whose mixer is not as its owner left it.
struct MixerDirectory: Sendable {
    let path: String
    /// Flushes an open file or directory to the disk. Returns the system's status.
    var sync: @Sendable (Int32) -> Int32 = { fsync($0) }

    private static let prefix = "mixer-"
    private static let sizeMax = 1 << 16
    /// The bound on files. No machine has as many cards.
    private static let filesMax = 64

    /// Returns the file name of a card. Characters that could form a path are replaced.
    static func name(of card: String) -> String {
        prefix + card.map { $0.isLetter || $0.isNumber || $0 == "_" ? String($0) : "_" }.joined()
    }

    /// Reads all files. An unreadable file is ignored: the mixer's current levels then replace it.
    func read(complain: (MixerError) -> Void) -> [String: MixerLevels] {
        var found: [String: MixerLevels] = [:]
        do throws(FileError) {
            let names = try Folder.names(in: path).filter { $0.hasPrefix(MixerDirectory.prefix) }
            for name in names.filter({ !$0.hasSuffix(".new") }).prefix(MixerDirectory.filesMax) {
                found[name] = levels("\(path)/\(name)")
                if found[name] == nil { complain(.unreadable(path: "\(path)/\(name)")) }
            }
        } catch {
            complain(.unreadable(path: path))
        }
        return found
    }

    private func levels(_ path: String) -> MixerLevels? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: MixerDirectory.sizeMax)
        let count = fread(&bytes, 1, bytes.count, file)
        return count < bytes.count ? MixerLevels(String(decoding: bytes.prefix(count), as: UTF8.self)) : nil
    }

    /// Writes a file atomically.
    func write(_ levels: MixerLevels, _ name: String) throws(MixerError) {
        let path = "\(path)/\(name)"
        let new = "\(path).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notRemembered(path: path, errorNumber: errno) }
        let bytes = Array(levels.text.utf8)
        let written = Glibc.write(descriptor, bytes, bytes.count)
        let isWhole = written == bytes.count && sync(descriptor) == 0
        let number = written < 0 || written == bytes.count ? errno : ENOSPC
        close(descriptor)
        guard isWhole else {
            unlink(new)
            throw .notRemembered(path: path, errorNumber: number)
        }
        guard rename(new, path) == 0, syncNames() else { throw .notRemembered(path: path, errorNumber: errno) }
    }

    func remove(_ name: String) throws(MixerError) {
        let path = "\(path)/\(name)"
        let isRemoved = unlink(path) == 0
        guard isRemoved || ![ENOENT, ENOTDIR].contains(errno) else { return }
        guard isRemoved, syncNames() else { throw .notForgotten(path: path, errorNumber: errno) }
    }

    /// Flushes the directory, so that no power cut undoes a rename or removal. On failure errno has the
    /// reason.
    private func syncNames() -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let isDone = sync(descriptor) == 0
        let number = errno
        close(descriptor)
        errno = number
        return isDone
    }
}
