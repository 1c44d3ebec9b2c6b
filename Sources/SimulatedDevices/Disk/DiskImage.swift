// What is on a disk while nothing runs.

import Glibc

/// The files of a directory, as they are after a power cut.
package struct DiskImage: Sendable {
    /// Their bytes by their names.
    package var files: [String: [UInt8]]

    package init(files: [String: [UInt8]] = [:]) {
        self.files = files
    }
}

// Images are compared by the hundred thousand: byte by byte that takes longer than the recoveries.
extension DiskImage: Hashable {
    package static func == (a: DiskImage, b: DiskImage) -> Bool {
        guard a.files.count == b.files.count else { return false }
        return a.files.allSatisfy { name, bytes in
            guard let others = b.files[name], others.count == bytes.count else { return false }
            return bytes.withUnsafeBytes { bytes in
                others.withUnsafeBytes { others in
                    guard let one = bytes.baseAddress, let other = others.baseAddress else { return true }
                    return memcmp(one, other, bytes.count) == 0
                }
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        for name in files.keys.sorted() {
            hasher.combine(name)
            files[name]?.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
