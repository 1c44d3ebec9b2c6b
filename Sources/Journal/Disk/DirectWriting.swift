// Writing past the page cache.

import CLinux
import Glibc

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
