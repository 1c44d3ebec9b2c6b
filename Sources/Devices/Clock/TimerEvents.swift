// How a timer's events wait for their listener.

import Synchronization

/// A queue of events for one listener. It is short and loses nothing that matters: whoever hears an event looks at the
/// clock as it is then, so that one of each kind is enough.
package final class TimerEvents: Sendable {
    /// What the listener hears.
    package let stream: AsyncStream<TimerEvent>
    private let continuation: AsyncStream<TimerEvent>.Continuation
    /// What was told last, oldest first: all that can still be waiting.
    private let last = Mutex<[TimerEvent]>([])

    /// There is a place for each kind.
    private static let countMax = TimerEvent.allCases.count

    /// Nothing has happened yet.
    package init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(TimerEvents.countMax))
    }

    deinit {
        continuation.finish()
    }

    /// Tells of an event. Where there is no room left, another of its kind takes its place.
    package func emit(_ event: TimerEvent) {
        last.withLock { last in
            var event = event
            // One that falls out at the front while none of its kind waits behind it goes to the end. There are as many
            // places as kinds: some kind waits twice then, and one of its two is the next to fall out, or soon after.
            while true {
                last.append(event)
                if last.count > TimerEvents.countMax { last.removeFirst() }
                guard case .dropped(let lost) = continuation.yield(event), !last.contains(lost) else { return }
                event = lost
            }
        }
    }
}
