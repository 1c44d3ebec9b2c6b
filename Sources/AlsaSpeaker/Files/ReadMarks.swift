// The marks of the sound files being read. If a file crashes its reader, it must not do so at each start.

import Glibc
import Synchronization

/// A directory with a mark for each sound that is being read. If the process dies while it reads a sound,
/// the mark remains. One death may be a power cut. After two, the sound is not read for a day, or until its
/// file is replaced.
package final class ReadMarks: Sendable {
    private let directory: String
    /// The number of current readers of each sound.
    private let readers = Mutex<[String: Int]>([:])

    private static let endsMax = 2
    private static let restSeconds = 86_400
    /// Tolerance for a file time that is ahead of the system's clock.
    private static let aheadSeconds = 60

    package init(directory: String) {
        self.directory = directory
    }

    /// Marks a sound before it is read. Returns false if it must not be read.
    func begin(_ id: String, at path: String) -> Bool {
        readers.withLock { readers in
            let count = readers[id] ?? 0
            guard count > 0 || mark(id, path) else { return false }
            readers[id] = count + 1
            return true
        }
    }

    /// Removes the mark after the sound was read, successfully or not.
    func end(_ id: String) {
        readers.withLock { readers in
            let left = (readers[id] ?? 1) - 1
            readers[id] = left > 0 ? left : nil
            if left == 0 { unlink("\(directory)/\(id)") }
        }
    }

    /// Returns true also if no mark can be written: the sound is read without one.
    private func mark(_ id: String, _ path: String) -> Bool {
        let descriptor = open("\(directory)/\(id)", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // The mark gets a line for each read that begins: the file's inode, size and times.
        var (mark, sound) = (stat(), stat())
        stat(path, &sound)
        let line = Array("\(sound.st_ino) \(sound.st_size) \(sound.st_mtim.tv_sec) \(sound.st_ctim.tv_sec)\n".utf8)
        let ended = linesOfFile(descriptor)
        if fstat(descriptor, &mark) == 0, ended.count >= ReadMarks.endsMax {
            let age = time(nil) - mark.st_mtim.tv_sec
            let isNew = !ended.contains(line)
            let rests = -ReadMarks.aheadSeconds...ReadMarks.restSeconds
            guard isNew || !rests.contains(age) else { return false }
            ftruncate(descriptor, 0)
        }
        write(descriptor, line, line.count)
        return true
    }

    private func linesOfFile(_ descriptor: Int32) -> [[UInt8]] {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    }
}
