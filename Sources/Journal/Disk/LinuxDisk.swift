// A directory of the real file system.

import CLinux
import Glibc

/// A directory on Linux. It is kept open, so a rename of its path does not change which directory it is.
package final class LinuxDisk: Disk {
    private let descriptor: Int32
    private let path: String
    /// The kernel grants a second lock on the same descriptor, so this flag detects it.
    private var isLocked = false

    /// Opens a directory, which must exist.
    package init(directory path: String) throws(DiskError) {
        let descriptor = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw DiskError(.open, path, .system(errno)) }
        // Set the properties last: if a complete object threw, its deinit could change errno.
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit {
        close(descriptor)
    }

    /// The number of bytes that an unprivileged user may still write (`f_bavail`).
    public var freeBytes: Int? {
        var space = statvfs()
        return fstatvfs(descriptor, &space) == 0 ? Int(space.f_bavail) * Int(space.f_frsize) : nil
    }

    /// The kernel's numbers of tmpfs, ramfs and overlayfs.
    private static let volatileTypes: Set<UInt32> = [0x0102_1994, 0x8584_58F6, 0x794C_7630]

    /// True on tmpfs, ramfs and overlayfs.
    public var isVolatile: Bool { LinuxDisk.volatileTypes.contains(linux_file_system_type(descriptor)) }

    package func names() throws(DiskError) -> [String] {
        // A listing has a position. A second descriptor keeps it apart from other listings.
        let listed = retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard listed >= 0 else { throw DiskError(.list, path, .system(errno)) }
        guard let stream = fdopendir(listed) else {
            let number = errno
            close(listed)
            throw DiskError(.list, path, .system(number))
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw DiskError(.list, path, .system(errno)) }
                return names.filter { $0 != "." && $0 != ".." }
            }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
                })
        }
    }

    package func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        let flags =
            switch access {
            // Without O_NONBLOCK, opening a pipe with a segment's name would wait for its writer for ever.
            case .reading: O_RDONLY | O_NONBLOCK
            case .writing: O_RDWR | O_NONBLOCK
            case .creating: O_RDWR | O_CREAT | O_EXCL
            }
        let operation: DiskError.Operation = access == .creating ? .create : .open
        let opened = retrying { openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        guard opened >= 0 else { throw DiskError(operation, name, .system(errno)) }
        let file = LinuxFile(descriptor: opened, name: name, isForCommits: access != .reading)
        guard try file.isRegular() else { throw DiskError(operation, name, .notAFile) }
        return file
    }

    package func rename(_ name: String, to newName: String) throws(DiskError) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw DiskError(.rename, name, .system(errno))
        }
    }

    package func remove(_ name: String) throws(DiskError) {
        guard unlinkat(descriptor, name, 0) == 0 else { throw DiskError(.remove, name, .system(errno)) }
    }

    /// Makes all names durable: creations, renames and removals. If this fails, the kernel may have
    /// forgotten some of them, and a later success does not cover those. The journal therefore begins a
    /// segment with another name before it acknowledges anything.
    package func syncNames() throws(DiskError) {
        guard fsync(descriptor) == 0 else { throw DiskError(.sync, path, .system(errno)) }
    }

    /// Takes a BSD lock (`flock`) on the directory itself. It works on a disk that has become read-only, and
    /// ends with the process. It excludes a second journal in the same process (POSIX locks do not), and the
    /// kernel lists its holder (which it does not for `F_OFD_SETLK`).
    package func lock() throws(LockError) {
        guard !isLocked else { throw .held(by: LockHolder(ofDirectory: descriptor)) }
        isLocked = retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
        guard !isLocked else { return }
        guard errno == EWOULDBLOCK else { throw .failed(DiskError(.lock, path, .system(errno))) }
        throw .held(by: LockHolder(ofDirectory: descriptor))
    }

    package func unlock() {
        isLocked = false
        // This call fails only for an invalid descriptor.
        flock(descriptor, LOCK_UN)
    }
}

/// Repeats a call that a signal interrupted.
func retrying<Answer: SignedInteger>(_ call: () -> Answer) -> Answer {
    while true {
        let answer = call()
        if answer != -1 || errno != EINTR { return answer }
    }
}
