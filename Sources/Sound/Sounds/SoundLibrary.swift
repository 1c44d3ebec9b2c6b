// All sounds that an alarm can have, and the owner's files among them.

/// The library of sounds. Each call waits for the disk. Its callback may run on any thread.
package protocol SoundLibrary: Sendable {
    /// Calls back with a text for each of these sounds that cannot be played as chosen.
    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void)
    /// Calls back with all sounds.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void)
    /// Calls back with the WAV file of the beginning of a sound, as an alarm would play it.
    func preview(_ id: String, then callback: @escaping @Sendable (Result<[UInt8], SoundLibraryError>) -> Void)
    /// Stores a piece of a new file. Calls back with the listing of the sound if the file is whole, and with nil if
    /// pieces are missing.
    func add(_ piece: SoundPiece, then callback: @escaping @Sendable (Result<AddedSound?, SoundLibraryError>) -> Void)
    /// Deletes an owner's file.
    func remove(_ id: String, then callback: @escaping @Sendable (Result<Void, SoundLibraryError>) -> Void)
}

package struct SoundListing: Hashable, Sendable {
    /// The id in alarms. A file's id is its name. It contains a dot, as no built-in id does.
    package var id: String
    /// The name that the owner sees.
    package var name: String
    /// The duration of one pass; nil for a file that cannot be played.
    package var seconds: Double?
    package var problem: String?

    package init(id: String, name: String, seconds: Double?, problem: String? = nil) {
        (self.id, self.name, self.seconds, self.problem) = (id, name, seconds, problem)
    }
}

/// A piece of a new sound file. The pieces of a file come in their order.
package struct SoundPiece: Hashable, Sendable {
    /// The name of the file.
    package let id: String
    /// A name of this upload that its client has made up, so that no piece of another upload gets into the file.
    package let upload: String
    /// The size of the whole file.
    package let size: Int
    package let offset: Int
    package let bytes: [UInt8]

    /// The limit on a file.
    package static let fileBytesMax = 16 << 20

    package init(of id: String, upload: String, size: Int, offset: Int, _ bytes: [UInt8]) {
        (self.id, self.upload, self.size, self.offset, self.bytes) = (id, upload, size, offset, bytes)
    }

    /// True if the file is whole with this piece.
    package var isLast: Bool { offset + bytes.count == size }
}

/// A new sound file that is whole.
package struct AddedSound: Hashable, Sendable {
    package let listing: SoundListing
    /// Texts on how the sound differs from what its owner may expect.
    package let warnings: [String]

    package init(_ listing: SoundListing, warnings: [String]) { (self.listing, self.warnings) = (listing, warnings) }
}

package enum SoundLibraryError: Error, Hashable, Sendable {
    case noSuchSound
    /// libsndfile cannot read it, or it is silent.
    case unplayable(String)
    /// The piece does not follow the last one, because another upload has begun or the service has restarted.
    case pieceMissing
    /// The disk refuses the file.
    case notSaved(String)
}

/// The name of an owner's sound file, which is its id in alarms.
package enum SoundName {
    /// The limit on a name. Alarms accept a longer one.
    private static let bytesMax = 100

    /// Returns why a file must not have this name, or nil if it may.
    package static func problem(of name: String) -> String? {
        if BuiltInSound(id: name) != nil { return "is the name of a built-in sound" }
        if name.utf8.count > bytesMax { return "must have at most \(bytesMax) bytes" }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar != "/" && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format
        }
        guard isPlain, parts.count > 1, parts[0] != "", parts[parts.count - 1] != "" else {
            return "must be the name of a file with its ending, such as morning.mp3"
        }
        return nil
    }
}
