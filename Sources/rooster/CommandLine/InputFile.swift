// Reading a whole file, or standard input, that a command was given.

import Glibc
import JSON

func shownPath(_ path: String) -> String { path == "-" ? "standard input" : path }

func json(at path: String) throws(CommandError) -> JSON {
    let bytes = try input(at: path)
    do {
        return try JSON(parsing: bytes)
    } catch {
        throw .refused("\(shownPath(path)):\(error)")
    }
}

/// No file that people write or Rooster exports is larger.
private let inputBytesMax = 256 << 20

/// The bytes of the file at `path`; `-` is standard input.
func input(at path: String) throws(CommandError) -> [UInt8] {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        let number = errno
        let words = "\(path): \(String(cString: strerror(number)))"
        throw number == ENOENT ? .notFound(words) : .refused(words)
    }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .refused("\(path): \(String(cString: strerror(errno)))") }
        guard count > 0 else { return bytes }
        bytes += chunk.prefix(count)
        guard bytes.count <= inputBytesMax else {
            throw .refused("\(path): is larger than \(inputBytesMax >> 20) MiB; that is no alarms file")
        }
    }
}
