// Picture files: opened before the sandbox is entered, parsed after.

import CodeReading
import Glibc

/// An open file, or the error of opening it.
final class OpenPicture {
    private let descriptor: Int32
    private let openError: Int32

    enum Failure: Error, CustomStringConvertible {
        case system(errorNumber: Int32)
        case tooLarge
        case picture(PictureFailure)

        var description: String {
            switch self {
            case .system(let number): String(cString: strerror(number))
            case .tooLarge: "is larger than \(OpenPicture.bytesMax >> 20) MiB"
            case .picture(let failure): failure.description
            }
        }
    }

    /// The limit of a file. A picture that is not too large to be read exceeds it only if it is
    /// uncompressed.
    static let bytesMax = 128 << 20

    /// Opens a file; `-` is standard input.
    init(_ path: String) {
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        openError = errno
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    func read() throws(Failure) -> Picture {
        let bytes = try allBytes()
        do throws(PictureFailure) {
            return try Picture(file: bytes)
        } catch {
            throw .picture(error)
        }
    }

    private func allBytes() throws(Failure) -> [UInt8] {
        guard descriptor >= 0 else { throw .system(errorNumber: openError) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errorNumber: errno) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= OpenPicture.bytesMax else { throw .tooLarge }
        }
    }
}
