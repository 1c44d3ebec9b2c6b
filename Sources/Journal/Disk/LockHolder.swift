// Who has a lock, as the kernel tells it.

import Glibc

extension LockHolder {
    /// The process that has an `flock` on an open directory; nothing if the kernel does not tell (in containers it may
    /// not), or if the lock was let go meanwhile.
    init?(ofDirectory descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        do {
            // As in "2: FLOCK  ADVISORY  WRITE 417 b3:02:131074 0 EOF": the last of the three numbers is the file's.
            let holders = try lines(ofFileAt: "/proc/locks").compactMap { line -> Int32? in
                let words = line.split(separator: " ")
                guard words.count > 5, words[1] == "FLOCK", words[5].split(separator: ":").last == "\(status.st_ino)"
                else { return nil }
                return Int32(words[4])
            }
            guard let holder = holders.first(where: { $0 > 0 }) else { return nil }
            let program = try lines(ofFileAt: "/proc/\(holder)/comm").first.map(String.init)
            self.init(processID: holder, program: program)
        } catch {
            return nil
        }
    }
}

/// The lines of one of the kernel's own files.
private func lines(ofFileAt path: String) throws(DiskError) -> [Substring] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DiskError(.open, path, .system(errno)) }
    let file = LinuxFile(descriptor: descriptor, name: path)
    var bytes: [UInt8] = []
    while true {
        let more = try file.read(1 << 16, at: bytes.count)
        guard !more.isEmpty else { return String(decoding: bytes, as: UTF8.self).split(separator: "\n") }
        bytes += more
    }
}
