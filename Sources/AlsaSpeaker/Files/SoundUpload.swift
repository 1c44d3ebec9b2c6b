// The upload of an owner's sound file. A client sends it in pieces, because the control socket accepts no long lines.
//
// 1. The pieces go into a hidden file, which no alarm can name. A new upload replaces an unfinished one.
// 2. The whole file is read as for a ring. If it cannot be played, it is deleted.
// 3. After a sync it is renamed. A power cut leaves the old file or the new one, and never half of one.

import Glibc
import Sound
import Synchronization

/// The upload into the folder of the owner's sounds. One upload is in progress at a time.
final class SoundUpload: Sendable {
    private struct Progress {
        let first: SoundPiece
        let file: UploadFile
        var received = 0

        /// Returns whether a piece is the next one of this upload.
        func isFollowed(by piece: SoundPiece) -> Bool {
            first.id == piece.id && first.upload == piece.upload && first.size == piece.size
                && received == piece.offset
        }
    }

    private let progress = Mutex<Progress?>(nil)

    private static let temporaryName = ".upload"
    /// The space that must remain, because the journal is on the same disk.
    private let reserveBytes: Int

    init(reserveBytes: Int) { self.reserveBytes = reserveBytes }

    /// Appends a piece. After the last one, `check` reads the whole file, which then gets its name. Returns the result
    /// of the check, or nil if pieces are missing. During the check, other uploads wait.
    func append<Checked: Sendable>(
        _ piece: SoundPiece, in directory: String,
        check: (_ path: String) throws(SoundLibraryError) -> Checked
    ) throws(SoundLibraryError) -> Checked? {
        let path = "\(directory)/\(SoundUpload.temporaryName)"
        return try progress.withLock { progress throws(SoundLibraryError) -> Checked? in
            if piece.offset == 0 { progress = try begin(piece, at: path, in: directory) }
            guard var current = progress, current.isFollowed(by: piece) else { throw .pieceMissing }
            progress = nil
            do throws(SoundLibraryError) {
                try current.file.write(piece.bytes, in: directory)
                current.received += piece.bytes.count
                guard piece.isLast else {
                    progress = current
                    return nil
                }
                try current.file.sync(in: directory)
                let checked = try check(path)
                try SoundUpload.name(path, piece.id, in: directory)
                return checked
            } catch {
                unlink(path)
                throw error
            }
        }
    }

    private func begin(
        _ piece: SoundPiece, at path: String, in directory: String
    ) throws(SoundLibraryError) -> Progress {
        unlink(path)
        let file = try UploadFile(at: path, in: directory)
        if let freeBytes = file.freeBytes, freeBytes < piece.size + reserveBytes {
            unlink(path)
            throw .unsaved(ENOSPC, in: directory)
        }
        return Progress(first: piece, file: file)
    }

    private static func name(
        _ temporary: String, _ name: String, in directory: String
    ) throws(SoundLibraryError) {
        guard rename(temporary, "\(directory)/\(name)") == 0 else { throw .unsaved(errno, in: directory) }
        try syncFolder(directory)
    }

    static func syncFolder(_ directory: String) throws(SoundLibraryError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unsaved(errno, in: directory) }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw .unsaved(errno, in: directory) }
    }
}

/// A new file that is written.
private final class UploadFile: Sendable {
    private let descriptor: Int32

    init(at path: String, in directory: String) throws(SoundLibraryError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw .unsaved(errno, in: directory) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var freeBytes: Int? {
        var space = statvfs()
        return fstatvfs(descriptor, &space) == 0 ? Int(space.f_bavail) * Int(space.f_frsize) : nil
    }

    func write(_ bytes: [UInt8], in directory: String) throws(SoundLibraryError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR { throw .unsaved(errno, in: directory) }
            rest = rest.dropFirst(max(written, 0))
        }
    }

    func sync(in directory: String) throws(SoundLibraryError) {
        if fsync(descriptor) != 0 { throw .unsaved(errno, in: directory) }
    }
}

extension SoundLibraryError {
    static func unsaved(_ errorNumber: Int32, in directory: String) -> SoundLibraryError {
        guard errorNumber != ENOSPC else {
            return .notSaved("Not saved: the disk is full (\(directory)). Free some space and try again")
        }
        let text = String(cString: strerror(errorNumber))
        return .notSaved("Not saved: \(text.prefix(1).lowercased() + text.dropFirst()) (\(directory))")
    }
}
