// Debounces the edges of one contact.

/// A debouncer, fed with the edges of a line and sometimes with its level.
///
/// The first edge acts at once. The debouncer then ignores the line for as long as contacts bounce. If the
/// level differs after that, the difference counts as an edge. Readings make up for edges that the kernel
/// dropped.
package struct Debounce: Hashable, Sendable {
    /// A debounced change of the contact, with its uptime in milliseconds.
    package struct DebouncedEdge: Hashable, Sendable {
        package var isDown: Bool
        package var uptime: Int
    }

    package private(set) var isDown: Bool
    /// The line's level at the last edge or reading.
    private var level: Bool
    /// The time of `level`. Time does not go back.
    private var uptime = Int.min
    private var deafUntil = Int.min
    /// The time at which the caller must read the line so as to miss no change; nil if none can be missed.
    package private(set) var readUptime: Int?

    /// Contacts bounce for less than this.
    package static let deafMilliseconds = 50

    package init(isDown: Bool) {
        (self.isDown, level) = (isDown, isDown)
    }

    /// Returns whether edges are ignored at that time. The caller then need not even fetch them.
    package func isDeaf(at uptime: Int) -> Bool { uptime < deafUntil }

    /// Adds an edge of the line, which the caller fetched at `now`. `uptime` is nil if its time is unknown.
    package mutating func edge(isDown: Bool, uptime given: Int?, now: Int) -> [DebouncedEdge] {
        // An edge without a time may have waited in the kernel's queue since the line was ignored.
        let known = given ?? (self.uptime < deafUntil ? min(deafUntil - 1, now) : now)
        let uptime = max(known, self.uptime)
        // A change that became due before this edge, when the line was no longer ignored.
        var moves = settled(by: uptime)
        (level, self.uptime) = (isDown, uptime)
        if let move = act(at: uptime) { moves.append(move) }
        // The kernel may drop edges, so the line must be read later.
        if readUptime == nil { readUptime = uptime + Debounce.deafMilliseconds }
        return moves
    }

    /// Forgets the level, because the kernel may have dropped edges. The caller must read the line at once.
    package mutating func loseEdges() { level = isDown }

    /// Adds a reading of the line. The caller has passed all waiting edges before.
    package mutating func read(isDown: Bool, uptime given: Int) -> [DebouncedEdge] {
        let uptime = max(given, self.uptime)
        var moves = settled(by: uptime)
        (level, self.uptime) = (isDown, uptime)
        if let move = act(at: uptime) { moves.append(move) }
        if !isDeaf(at: uptime) { readUptime = nil }
        return moves
    }

    /// Returns the change that was due when the line was no longer ignored, if that was by `uptime`.
    private mutating func settled(by uptime: Int) -> [DebouncedEdge] {
        guard deafUntil <= uptime, let move = act(at: deafUntil) else { return [] }
        // There is at most one: from then on `isDown` equals `level`.
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
