// The little files in which Linux tells of itself.

import Glibc

struct SystemFileError: Error, Hashable {
    let errorNumber: Int32
}

/// One of them: a word, and the end of the line.
struct SystemFile {
    let path: String

    private static let bytesMax = 64

    /// What it says, without the white space around; nothing where there is none, or it cannot be read.
    var text: String? {
        do throws(SystemFileError) {
            let text = try read()
            return text.isEmpty ? nil : text
        } catch {
            return nil
        }
    }

    /// What it says, without the white space around.
    func read() throws(SystemFileError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemFileError(errorNumber: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SystemFile.bytesMax)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw SystemFileError(errorNumber: errno) }
        let words = bytes.prefix(count).split { $0 <= 0x20 }
        return words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    var exists: Bool { access(path, F_OK) == 0 }

    /// Writes it anew; the system's error number where it cannot, and zero where it can.
    func write(_ text: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        // The kernel takes such a file's text in one piece, or not at all.
        return Glibc.write(descriptor, bytes, bytes.count) < 0 ? errno : 0
    }
}
