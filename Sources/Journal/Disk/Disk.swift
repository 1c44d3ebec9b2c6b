// The directory, the files and the sectors that a journal depends on.

/// One directory. Changes of names and bytes survive a power cut only once they are synced.
package protocol Disk: AnyObject {
    /// Returns the names of all files in the directory, in no order.
    func names() throws(DiskError) -> [String]
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile
    /// Renames a file atomically. It replaces a file that has the new name.
    func rename(_ name: String, to newName: String) throws(DiskError)
    func remove(_ name: String) throws(DiskError)
    /// Makes all names durable: creations, renames and removals.
    func syncNames() throws(DiskError)
    /// Locks the directory against every other journal, until this object is released or `unlock` is called.
    func lock() throws(LockError)
    func unlock()
    /// The number of bytes that are free; nil if unknown.
    var freeBytes: Int? { get }
    /// True if the directory is in memory or on an overlay, which a restart of the machine may empty.
    var isVolatile: Bool { get }
}

extension Disk {
    /// Unknown.
    public var freeBytes: Int? { nil }
    /// False.
    public var isVolatile: Bool { false }
}

package enum DiskAccess: Hashable, Sendable {
    /// The file must exist, and is not changed.
    case reading
    /// The file must exist.
    case writing
    /// The file must not exist.
    case creating
}

/// An open file. It is closed when the object is released.
package protocol DiskFile: AnyObject {
    func size() throws(DiskError) -> Int
    /// Reads up to `count` bytes. The result may be shorter, and is empty only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8]
    /// Writes bytes and returns how many. A disk that fills up accepts only some.
    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int
    /// Makes the file's bytes and length durable (`fdatasync`).
    func sync() throws(DiskError)
    /// True if the file has lost its name: a person or a program has deleted it.
    var isDeleted: Bool { get }
}

extension DiskFile {
    /// Unknown.
    public var isDeleted: Bool { false }
    /// Reads the whole range, or throws.
    func readWhole(_ range: Range<Int>, of name: String) throws(DiskError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let some = try read(range.count - bytes.count, at: range.lowerBound + bytes.count)
            guard !some.isEmpty else { throw DiskError(.read, name, .endedEarly) }
            bytes += some
        }
        return bytes
    }

    /// Writes all the bytes, or throws.
    func writeWhole(_ bytes: [UInt8], at offset: Int, of name: String) throws(DiskError) {
        let written = try write(bytes, at: offset)
        guard written == bytes.count else { throw DiskError(.write, name, .short) }
    }

    /// Writes zeros. It allocates the blocks and the length, so that later writes change neither.
    func writeZeros(_ range: Range<Int>, of name: String) throws(DiskError) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceBytes) {
            let count = min(pieceBytes, range.upperBound - start)
            try writeWhole([UInt8](repeating: 0, count: count), at: start, of: name)
        }
    }
}

/// The size of the pieces in which large files are read and written.
let pieceBytes = 1 << 18

/// The unit in which a disk writes.
///
/// Until a write is synced, a power cut may leave each of its sectors old, new, torn or garbled. A torn
/// sector begins with new bytes and ends with old ones. A synced sector keeps its bytes, even if its
/// neighbours are written, or if it is written again with the same bytes. Therefore every commit begins in a
/// fresh sector, and a sector with acknowledged records is never written with other bytes.
package enum Sector {
    /// A disk with larger sectors writes several of these at once.
    package static let bytes = 512
}
