// Small files in which Linux shows or accepts a setting.

import Glibc

/// A file with one word, such as those below /sys.
package struct SystemFile {
    package let path: String

    private static let bytesMax = 64

    package init(path: String) {
        self.path = path
    }

    /// The word, or nil if the file is empty, missing or unreadable.
    package var text: String? {
        do throws(FileError) {
            let text = try read()
            return text.isEmpty ? nil : text
        } catch {
            return nil
        }
    }

    /// Returns the first word, or an empty text.
    package func read() throws(FileError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(errorNumber: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SystemFile.bytesMax)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw FileError(errorNumber: errno) }
        let words = bytes.prefix(count).split { $0 <= 0x20 }
        return words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    package var exists: Bool { access(path, F_OK) == 0 }

    /// Writes the text. Returns 0, or the system's error number.
    package func write(_ text: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        // The kernel accepts the text of such a file as a whole or not at all.
        return Glibc.write(descriptor, bytes, bytes.count) < 0 ? errno : 0
    }
}

/// Returns the group that may open a device node; nil if only root may.
package func groupWithAccess(to node: String) -> String? {
    var status = stat()
    guard stat(node, &status) == 0, status.st_gid != 0, let group = getgrgid(status.st_gid) else { return nil }
    return String(cString: group.pointee.gr_name)
}
