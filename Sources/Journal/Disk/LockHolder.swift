// The holder of a lock, according to the kernel.

import Glibc

extension LockHolder {
    /// Finds the process that holds an `flock` on an open directory; nil if the kernel lists none.
    init?(ofDirectory descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        do {
            guard let holder = LockHolder.holder(of: status, in: try lines(ofFileAt: "/proc/locks")) else { return nil }
            let program = try lines(ofFileAt: "/proc/\(holder)/comm").first.map(String.init)
            self.init(processID: holder, program: program)
        } catch {
            return nil
        }
    }

    /// Returns the holder from the lines of /proc/locks, such as "2: FLOCK  ADVISORY  WRITE 417 b3:02:131074
    /// 0 EOF". The three numbers are the device's and the inode. Some file systems list another device than
    /// in stat.
    static func holder(of status: stat, in lines: [Substring]) -> Int32? {
        let locks = lines.compactMap { line -> (device: [Substring], holder: Int32)? in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", let holder = Int32(words[4]), holder > 0 else { return nil }
            let file = words[5].split(separator: ":")
            return file.last == "\(status.st_ino)" ? (file.dropLast(), holder) : nil
        }
        let device: [UInt?] = [status.st_dev.major, status.st_dev.minor]
        let here = locks.first { $0.device.map { UInt($0, radix: 16) } == device }
        // If no device matches, only a single candidate counts: a wrong one would mislead the owner.
        return here?.holder ?? (locks.count == 1 ? locks[0].holder : nil)
    }
}

extension dev_t {
    /// The two numbers of a device, as the C library packs them.
    fileprivate var major: UInt { self >> 8 & 0xFFF | self >> 32 & ~0xFFF }
    fileprivate var minor: UInt { self & 0xFF | self >> 12 & ~0xFF }
}

/// Returns the lines of a file in /proc.
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
