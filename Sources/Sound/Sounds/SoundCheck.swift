// Whether what was chosen will be heard.

package protocol SoundCheck: Sendable {
    /// Tells in words why some of these sounds will not be heard as chosen: when the disk has answered, on any thread.
    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void)
    /// Tells which sounds there are, when the disk has answered, on whatever thread.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void)
}

package struct SoundListing: Hashable, Sendable {
    /// What alarms call it. A file's id is its name, which has a dot in it as no other id has.
    package var id: String
    /// What its owner reads.
    package var name: String
    /// How long it is once through; nil for a file that cannot be played.
    package var seconds: Double?
    package var problem: String?

    package init(id: String, name: String, seconds: Double?, problem: String? = nil) {
        (self.id, self.name, self.seconds, self.problem) = (id, name, seconds, problem)
    }
}
