// A contact that bounces, heard once.

/// What a contact does, made of the edges of its line and of its level now and then.
///
/// The first edge acts at once. The line is then deaf for as long as contacts bounce, and its level after that acts if it
/// differs. Edges that the kernel has dropped are made up for when the line is read.
package struct Debounce: Hashable, Sendable {
    /// Something that the contact did, in milliseconds since the machine was started.
    package struct DebouncedEdge: Hashable, Sendable {
        package var isDown: Bool
        package var uptime: Int
    }

    package private(set) var isDown: Bool
    /// What the line was at the last edge or reading.
    private var level: Bool
    /// When that was: time does not go back.
    private var uptime = Int.min
    private var deafUntil = Int.min
    /// When the line is to be read, so that nothing is missed; nil while it is known what it is like.
    package private(set) var readUptime: Int?

    /// Contacts bounce for less than this.
    package static let deafMilliseconds = 50

    package init(isDown: Bool) {
        (self.isDown, level) = (isDown, isDown)
    }

    /// Whether edges at that time are not listened to: they need not even be fetched.
    package func isDeaf(at uptime: Int) -> Bool { uptime < deafUntil }

    /// The line became active or inactive; `uptime` is nil where it is not known when. It is heard of now.
    package mutating func edge(isDown: Bool, uptime given: Int?, now: Int) -> [DebouncedEdge] {
        // An edge without a time stamp may have waited in the queue since the line was last ignored.
        let known = given ?? (self.uptime < deafUntil ? min(deafUntil - 1, now) : now)
        let uptime = max(known, self.uptime)
        // What the contact did when it was listened to again, before this edge.
        var moves = settled(by: uptime)
        (level, self.uptime) = (isDown, uptime)
        if let move = act(at: uptime) { moves.append(move) }
        // There may be edges that are not told.
        if readUptime == nil { readUptime = uptime + Debounce.deafMilliseconds }
        return moves
    }

    /// The kernel may have dropped edges: what the line is like is not known until it is read, which is to be done now.
    package mutating func loseEdges() { level = isDown }

    /// The line was read, after all edges were heard that wait.
    package mutating func read(isDown: Bool, uptime given: Int) -> [DebouncedEdge] {
        let uptime = max(given, self.uptime)
        var moves = settled(by: uptime)
        (level, self.uptime) = (isDown, uptime)
        if let move = act(at: uptime) { moves.append(move) }
        if !isDeaf(at: uptime) { readUptime = nil }
        return moves
    }

    /// What the edges before that time have come to.
    private mutating func settled(by uptime: Int) -> [DebouncedEdge] {
        guard deafUntil <= uptime, let move = act(at: deafUntil) else { return [] }
        // At most once: what acts now has the line not listened to until after it was at that level.
        return [move]
    }

    private mutating func act(at uptime: Int) -> DebouncedEdge? {
        guard level != isDown, !isDeaf(at: uptime) else { return nil }
        isDown = level
        deafUntil = uptime + Debounce.deafMilliseconds
        readUptime = deafUntil
        return DebouncedEdge(isDown: isDown, uptime: uptime)
    }
}
