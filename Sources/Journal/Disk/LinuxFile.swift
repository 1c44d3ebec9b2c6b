// An open file of the real file system.

import CLinux
import Glibc

/// An open file on Linux: the one owner of its descriptors.
///
/// Small writes of whole sectors go past the page cache (`O_DIRECT`): a commit then costs one sector, not one page or more, and
/// half the time. Where a file system or a disk will not have that, they go the usual way.
final class LinuxFile: DiskFile {
    private let descriptor: Int32
    private let name: String
    /// A second way to the same file, and memory that is aligned for it; nothing where there is none.
    private var direct: DirectWriting?

    init(descriptor: Int32, name: String, isForCommits: Bool = false) {
        self.descriptor = descriptor
        self.name = name
        if isForCommits { direct = DirectWriting(sameFileAs: descriptor) }
    }

    deinit {
        // What close could report is of no use here: what must last was synced.
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
            // The disk's sectors are larger, or its driver wants something else: nothing was written.
            self.direct = nil
        }
        let written = bytes.withUnsafeBytes { buffer in
            retrying { pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        }
        guard written >= 0 else { throw DiskError(.write, name, .system(errno)) }
        return written
    }

    func sync() throws(DiskError) {
        // Not called again on EINTR: a sync that failed once may have dropped what it was to write.
        guard fdatasync(descriptor) == 0 else { throw DiskError(.sync, name, .system(errno)) }
    }
}

/// A descriptor that writes straight to the disk, and the aligned memory that this needs.
final class DirectWriting {
    private let descriptor: Int32
    private let memory: UnsafeMutableRawBufferPointer

    /// More than a commit ever has, but for odd ones.
    private static let bytesMax = 1 << 14
    /// No disk asks for more.
    private static let alignment = 4096

    /// Nothing where the file system does not do this.
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

    /// How many bytes were written; negative with an error number when it failed.
    func write(_ bytes: [UInt8], at offset: Int) -> Int {
        memory.copyBytes(from: bytes)
        return retrying { pwrite(descriptor, memory.baseAddress, bytes.count, off_t(offset)) }
    }
}
