// What a journal needs of the world: one directory, files in it, and what a disk does with a sector.

/// One directory, as far as a journal needs it. What is done to names and to bytes lasts only once it was synced.
package protocol Disk: AnyObject {
    /// The names of all files in the directory, in no order.
    func names() throws(DiskError) -> [String]
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile
    /// Gives a file another name, at once; a file that had that name is gone.
    func rename(_ name: String, to newName: String) throws(DiskError)
    func remove(_ name: String) throws(DiskError)
    /// Makes all names last: creations, renames and removals.
    func syncNames() throws(DiskError)
    /// Keeps every other journal out of this directory until this is gone or `unlock` is called.
    func lock() throws(LockError)
    func unlock()
    /// How many bytes more it takes; nil where that is not known.
    var freeBytes: Int? { get }
}

extension Disk {
    /// Not known.
    public var freeBytes: Int? { nil }
}

package enum DiskAccess: Hashable, Sendable {
    /// It must be there; it is not changed.
    case reading
    /// It must be there.
    case writing
    /// It must not be there.
    case creating
}

/// An open file, closed when it is let go.
package protocol DiskFile: AnyObject {
    func size() throws(DiskError) -> Int
    /// At most `count` bytes from `offset` on. They may be fewer; none are there only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8]
    /// Writes bytes at `offset` and answers how many: a disk that fills up takes only some.
    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int
    /// Makes the file's bytes and length last (`fdatasync`).
    func sync() throws(DiskError)
}

extension DiskFile {
    /// Reads all of a part, or fails.
    func readWhole(_ range: Range<Int>, of name: String) throws(DiskError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let some = try read(range.count - bytes.count, at: range.lowerBound + bytes.count)
            guard !some.isEmpty else { throw DiskError(.read, name, .endedEarly) }
            bytes += some
        }
        return bytes
    }

    /// Writes all the bytes, or fails.
    func writeWhole(_ bytes: [UInt8], at offset: Int, of name: String) throws(DiskError) {
        let written = try write(bytes, at: offset)
        guard written == bytes.count else { throw DiskError(.write, name, .short) }
    }

    /// Writes zeros, so that the file system has the blocks and the length, and later writes change neither.
    func writeZeros(_ range: Range<Int>, of name: String) throws(DiskError) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: pieceBytes) {
            let count = min(pieceBytes, range.upperBound - start)
            try writeWhole([UInt8](repeating: 0, count: count), at: start, of: name)
        }
    }
}

/// Large files are read and written in pieces of this size.
let pieceBytes = 1 << 18

/// The part of a file that a disk writes at a time.
///
/// Until a write is synced, a power cut may leave each of its sectors old, new, torn (the first bytes new, the rest old) or
/// garbled. A synced sector keeps its bytes, also when others are written, or it is written again with the same bytes. So every
/// commit begins in a fresh sector, and a sector with acknowledged records is never written with other bytes.
package enum Sector {
    /// Its size. Disks with larger ones are told to write several of these as a whole.
    package static let bytes = 512
}
