// How fast time passes, where that is not the world's.

/// What a clock keeps to that may run fast: whoever waits for a thing of the world, such as a disk, has as much time for it as
/// by a clock that does not.
public protocol TimeScale: Sendable {
    /// Somebody waits: until they do not any more, no second is shorter than the world's.
    func pin()
    /// One of those does not wait any more.
    func unpin()
}
