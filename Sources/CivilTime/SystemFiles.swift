// File access for zone data: reads a whole small file, and the target of a link.

import Glibc

/// The reason why a small file could not be read.
package enum SmallFileError: Error {
    /// A system call failed with this error number.
    case failed(Int32)
    /// The name belongs to a directory, a device or a pipe.
    case notAFile
    case tooLarge(bytesMax: Int)

    var isAbsence: Bool {
        switch self {
        case .failed(ENOENT), .failed(ENOTDIR), .notAFile: true
        case .failed, .tooLarge: false
        }
    }
}

extension SmallFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let number): String(cString: strerror(number))
        case .notAFile: "not a file"
        case .tooLarge(let bytesMax): "larger than \(bytesMax) bytes"
        }
    }
}

/// Returns the bytes of a regular file of at most `bytesMax` bytes.
package func contents(ofFileAt path: String, bytesMax: Int) throws(SmallFileError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe that has a zone's name would wait forever for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failed(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .failed(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    guard status.st_size <= bytesMax else { throw .tooLarge(bytesMax: bytesMax) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
        let got = bytes.withUnsafeMutableBytes { buffer in
            read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw .failed(errno) }
        guard got > 0 else { break }
        count += got
    }
    bytes.removeLast(bytes.count - count)
    return bytes
}

/// Returns the target of a symbolic link, or nil if there is no link.
func destination(ofLinkAt path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.withMemoryRebound(to: CChar.self) { characters in
            characters.baseAddress.map { readlink(path, $0, characters.count) } ?? -1
        }
    }
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
}
