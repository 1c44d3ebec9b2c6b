// A change to a simulated disk, and its durability.

import Glibc

/// A change to a file's bytes or to names.
struct DiskChange {
    enum Kind {
        case write(file: Int, offset: Int, bytes: [UInt8])
        case create(name: String, file: Int)
        case rename(name: String, newName: String, file: Int)
        case remove(name: String)
    }

    enum Fate {
        /// The next sync makes the change durable.
        case dirty
        /// The change is durable.
        case settled
        /// A sync failed on the change. No later sync makes it durable, though it may have reached the disk.
        case lost
    }

    var kind: Kind
    var fate = Fate.dirty

    /// The changed file, or nil for a change of names.
    var file: Int? {
        switch kind {
        case .write(let file, _, _): file
        case .create, .rename, .remove: nil
        }
    }
}

/// Names and bytes, to which changes are applied.
struct DiskContents {
    var names: [String: Int] = [:]
    var files: [Int: [UInt8]] = [:]

    mutating func apply(_ change: DiskChange) {
        switch change.kind {
        case .write(let file, let offset, let bytes): write(bytes[...], at: offset, to: file)
        case .create(let name, let file):
            names[name] = file
            if files[file] == nil { files[file] = [] }
        case .rename(let name, let newName, let file):
            if names[name] == file { names[name] = nil }
            names[newName] = file
        case .remove(let name): names[name] = nil
        }
    }

    mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to file: Int) {
        guard !bytes.isEmpty else { return }
        let missing = offset + bytes.count - (files[file]?.count ?? 0)
        if missing > 0 { files[file, default: []] += [UInt8](repeating: 0, count: missing) }
        files[file]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    func size(of file: Int) -> Int { files[file]?.count ?? 0 }

    var image: DiskImage { DiskImage(files: names.mapValues { files[$0] ?? [] }) }
}

/// The files of a directory after a power cut.
package struct DiskImage: Sendable {
    package var files: [String: [UInt8]]

    package init(files: [String: [UInt8]] = [:]) {
        self.files = files
    }
}

// By memcmp(3): tests compare hundreds of thousands of images, and comparing each byte would be too slow.
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
