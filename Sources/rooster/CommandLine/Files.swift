// Reads files and standard input whole, and writes new files whole.

import Glibc
import JSON

func shownPath(_ path: String) -> String { path == "-" ? "Standard input" : path }

/// Returns the system's text for an error, as the end of a sentence.
func systemText(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
}

func unread(_ path: String, _ number: Int32) -> String {
    "\(shownPath(path).asSentence) cannot be read: \(systemText(number))"
}

func unwritten(_ path: String, _ number: Int32) -> String {
    "\(path.asSentence) cannot be written: \(systemText(number))"
}

func json(at path: String) throws(CommandError) -> JSON {
    let bytes = try input(at: path)
    do {
        return try JSON(parsing: bytes)
    } catch {
        throw .refused("\(shownPath(path)):\(error)")
    }
}

/// The bound on a file. Neither a hand-written file nor an export is larger.
private let inputBytesMax = 256 << 20

/// Returns the bytes of the file at `path`; `-` means standard input.
func input(at path: String) throws(CommandError) -> [UInt8] {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        let number = errno
        throw number == ENOENT ? .notFound(unread(path, number)) : .refused(unread(path, number))
    }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .refused(unread(path, errno)) }
        guard count > 0 else { return bytes }
        bytes += chunk.prefix(count)
        guard bytes.count <= inputBytesMax else {
            throw .refused("\(shownPath(path)) is larger than \(inputBytesMax >> 20) MiB and cannot be an alarms file")
        }
    }
}

struct NewFile {
    private let path: String
    private let mode: mode_t

    init(_ path: String, mode: mode_t) { (self.path, self.mode) = (path, mode) }

    /// Creates the file and syncs it to the disk. On an error it removes the file.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw refusal(errno) }
        var failure = writeAll(bytes, to: descriptor)
        // fsync fails with EINVAL or EROFS on pipes and devices, which have no disk.
        if failure == nil, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
        if close(descriptor) != 0, failure == nil, errno != EINTR { failure = errno }
        guard let failure else { return }
        unlink(path)
        throw refusal(failure)
    }

    private func refusal(_ number: Int32) -> CommandError {
        .refused(
            number == EEXIST
                ? sentences("\(path.asSentence) exists already", "Choose another name") : unwritten(path, number))
    }
}

/// Writes all bytes. Returns errno, or nil on success.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(written, 0))
    }
    return nil
}
