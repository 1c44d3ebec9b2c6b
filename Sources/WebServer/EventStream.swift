// The events of one stream that its client has not taken yet.

/// The queue of a stream, with a bound: nothing waits without end for a client that does not read.
final class EventStream {
    private var queue: [UInt8] = []
    private var taken = 0
    /// True if no event may follow.
    private(set) var hasEnded = false
    private var actions: [@Sendable () -> Void] = []

    /// The limit on unread bytes. Beyond it the stream ends.
    private static let bytesMax = 256 << 10
    /// The unread bytes from which an event is dropped that a later one replaces.
    private static let behindBytes = 16 << 10

    private var unreadCount: Int { queue.count - taken }

    /// Queues an event. A client that is too far behind loses the stream.
    func add(_ bytes: [UInt8], isReplaceable: Bool) {
        guard !hasEnded, !isReplaceable || unreadCount < EventStream.behindBytes else { return }
        guard unreadCount + bytes.count <= EventStream.bytesMax else { return end() }
        if taken > 0 {
            queue.removeFirst(taken)
            taken = 0
        }
        queue += bytes
    }

    /// Moves queued bytes to a buffer. Returns their number.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(unreadCount, buffer.count)
        buffer.copyBytes(from: queue[taken..<taken + count])
        taken += count
        if unreadCount == 0 { (queue, taken) = ([], 0) }
        return count
    }

    /// Lets the stream end after the queued events.
    func end() {
        hasEnded = true
        let ended = actions
        actions = []
        for act in ended { act() }
    }

    /// Calls an action when the stream ends, or at once if it has ended.
    func whenOver(_ act: @escaping @Sendable () -> Void) {
        if hasEnded { act() } else { actions.append(act) }
    }
}
