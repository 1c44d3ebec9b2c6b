// Writing what somebody wants to have in a file.

import Glibc

struct NewFile {
    private let path: String
    private let mode: mode_t

    init(_ path: String, mode: mode_t) { (self.path, self.mode) = (path, mode) }

    /// Writes it whole and has it on the disk, or leaves nothing behind.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw refusal(errno) }
        var failure = writeAll(bytes, to: descriptor)
        // Pipes and the like have no disk behind them, and say so.
        if failure == nil, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = errno }
        if close(descriptor) != 0, failure == nil, errno != EINTR { failure = errno }
        guard let failure else { return }
        unlink(path)
        throw refusal(failure)
    }

    private func refusal(_ number: Int32) -> CommandError {
        let advice = number == EEXIST ? "; choose another name" : ""
        return .refused("\(path): \(String(cString: strerror(number)))\(advice)")
    }
}

/// Writes all of it; the system's number for what went wrong, nil where nothing did.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno != EINTR { return errno }
        rest = rest.dropFirst(max(written, 0))
    }
    return nil
}
