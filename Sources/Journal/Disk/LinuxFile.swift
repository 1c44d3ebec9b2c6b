// An open file of the real file system.

import CLinux
import Glibc

/// An open file on Linux, and the only owner of its descriptors.
///
/// Small writes of whole sectors bypass the page cache (`O_DIRECT`). A commit then writes one sector instead
/// of a page or more, in half the time. If the file system or the disk rejects that, the page cache is used.
final class LinuxFile: DiskFile {
    private let descriptor: Int32
    private let name: String
    /// A second descriptor of the same file with aligned memory; nil if direct writes do not work.
    private var direct: DirectWriting?

    init(descriptor: Int32, name: String, isForCommits: Bool = false) {
        self.descriptor = descriptor
        self.name = name
        if isForCommits { direct = DirectWriting(sameFileAs: descriptor) }
    }

    deinit {
        // Errors of close do not matter: everything that must be durable was synced.
        close(descriptor)
    }

    private func status() throws(DiskError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DiskError(.measure, name, .system(errno)) }
        return status
    }

    func isRegular() throws(DiskError) -> Bool {
        try status().st_mode & S_IFMT == S_IFREG
    }

    func size() throws(DiskError) -> Int {
        Int(try status().st_size)
    }

    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] {
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let got = retrying { pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
            number = got < 0 ? errno : 0
            initializedCount = max(got, 0)
        }
        guard number == 0 else { throw DiskError(.read, name, .system(number)) }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
        if let direct, direct.fits(bytes.count, at: offset) {
            let written = direct.write(bytes, at: offset)
            if written >= 0 { return written }
            guard errno == EINVAL else { throw DiskError(.write, name, .system(errno)) }
            // The disk has larger sectors, or its driver has other requirements. Nothing was written.
            self.direct = nil
        }
        let written = bytes.withUnsafeBytes { buffer in
            retrying { pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        }
        guard written >= 0 else { throw DiskError(.write, name, .system(errno)) }
        return written
    }

    var isDeleted: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    func sync() throws(DiskError) {
        // Not repeated on EINTR: a sync that failed may have dropped the data.
        guard fdatasync(descriptor) == 0 else { throw DiskError(.sync, name, .system(errno)) }
    }
}

/// A descriptor that bypasses the page cache, and the aligned memory that it needs.
final class DirectWriting {
    private let descriptor: Int32
    private let memory: UnsafeMutableRawBufferPointer

    /// Larger than all but unusual commits.
    private static let bytesMax = 1 << 14
    /// No disk needs more.
    private static let alignment = 4096

    /// Returns nil if the file system does not support direct writes.
    init?(sameFileAs other: Int32) {
        descriptor = open("/proc/self/fd/\(other)", O_WRONLY | linux_o_direct | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        memory = .allocate(byteCount: DirectWriting.bytesMax, alignment: DirectWriting.alignment)
    }

    deinit {
        close(descriptor)
        memory.deallocate()
    }

    func fits(_ count: Int, at offset: Int) -> Bool {
        let sector = Sector.bytes
        return count <= DirectWriting.bytesMax && count % sector == 0 && offset % sector == 0
    }

    /// Returns the number of bytes written, or a negative number with errno set.
    func write(_ bytes: [UInt8], at offset: Int) -> Int {
        memory.copyBytes(from: bytes)
        return retrying { pwrite(descriptor, memory.baseAddress, bytes.count, off_t(offset)) }
    }
}
