// Whether what was chosen will be heard.

/// Knows the sounds that can be chosen.
public protocol SoundCheck: Sendable {
    /// Tells why some of these sounds will not be heard as they were chosen, and what takes their place, in words: when the
    /// disk has answered, on whatever thread.
    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void)
    /// Tells which sounds there are, when the disk has answered, on whatever thread.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void)
}

/// A sound that can be chosen.
public struct SoundListing: Hashable, Sendable {
    /// What alarms call it. A file's id is its name, which has a dot in it as no other id has.
    public var id: String
    /// What its owner reads.
    public var name: String
    /// How long it is once through; nil for a file that cannot be played.
    public var seconds: Double?
    /// Why it cannot be played.
    public var problem: String?

    /// A sound.
    public init(id: String, name: String, seconds: Double?, problem: String? = nil) {
        (self.id, self.name, self.seconds, self.problem) = (id, name, seconds, problem)
    }
}
