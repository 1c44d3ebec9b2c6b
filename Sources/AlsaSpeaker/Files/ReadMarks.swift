// Which sound files are being read: one that ends whoever reads it must not do so at each start.

import Glibc
import Synchronization

/// A directory with a file for each sound that is being read. Who ends meanwhile leaves that there: once may be a power cut,
/// twice is the sound, and it is left alone for a day, or until it is put there anew.
package final class ReadMarks: Sendable {
    private let directory: String
    /// How many read each of them now.
    private let readers = Mutex<[String: Int]>([:])

    private static let endsMax = 2
    private static let restSeconds = 86_400
    /// The disk's clock may be a little ahead of the machine's.
    private static let aheadSeconds = 60

    package init(directory: String) {
        self.directory = directory
    }

    /// Somebody wants to read a sound. Answers whether they may.
    func begin(_ id: String, at path: String) -> Bool {
        readers.withLock { readers in
            let count = readers[id] ?? 0
            guard count > 0 || mark(id, path) else { return false }
            readers[id] = count + 1
            return true
        }
    }

    /// Somebody has read it, as far as that could be, and has come to no harm.
    func end(_ id: String) {
        readers.withLock { readers in
            let left = (readers[id] ?? 1) - 1
            readers[id] = left > 0 ? left : nil
            if left == 0 { unlink("\(directory)/\(id)") }
        }
    }

    /// Where nothing can be written it is read all the same.
    private func mark(_ id: String, _ path: String) -> Bool {
        let descriptor = open("\(directory)/\(id)", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // A line for each that has begun: which sound that was, by all that the system says of it but its contents.
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
