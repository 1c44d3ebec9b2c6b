// The check of the sounds that the owner chose, and their listing.

package protocol SoundCheck: Sendable {
    /// Calls back with a text for each of these sounds that cannot be played as chosen. The call waits for
    /// the disk. The callback may run on any thread.
    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void)
    /// Calls back with all sounds. The call waits for the disk. The callback may run on any thread.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void)
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
