// A timer that calls when a clock shows a time, and when a clock was set.

import CivilTime
import Glibc

/// Tells when one of the clocks shows a time, and when the clock is no longer what it was.
package protocol WakeTimer: Sendable {
    /// Asks to be told `due` as soon as one of the clocks shows what is said here, in the place of all that was asked before.
    /// A time that is over is due at once. Each of the two is told once.
    func set(_ times: WakeTimes)

    /// Events for one listener: all kinds of event since it listened last. An event may be reported twice, but is never lost.
    var events: AsyncStream<Set<TimerEvent>> { get }
}

/// Something that whoever plans by a clock has to know.
package enum TimerEvent: Hashable, Sendable, CaseIterable {
    /// A time that was asked for has come. Never early: the clock shows it.
    case due
    /// The system's clock was set: it may show another time than it should by the other.
    case clockSet
    /// The machine may have been set to another zone.
    case zoneChanged
    /// The time is to be believed more, or less, than before.
    case trustChanged
}

/// A queue of one set of events for one listener. A listener acts on the clocks as they are when it hears an event, so
/// one event of each kind is enough.
package final class TimerEvents: Sendable {
    package let stream: AsyncStream<Set<TimerEvent>>
    private let continuation: AsyncStream<Set<TimerEvent>>.Continuation

    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    deinit { continuation.finish() }

    /// Adds an event to the set that waits for the listener.
    package func emit(_ event: TimerEvent) {
        var events: Set = [event]
        while case .dropped(let unheard) = continuation.yield(events), !unheard.isSubset(of: events) {
            events.formUnion(unheard)
        }
    }
}

/// A clock with a battery that wakes the machine itself: without one, a machine that sleeps or is off stays so.
package protocol Waker: Sendable {
    /// Has the machine awake when the system's clock will show that time, in the place of any time before; nothing for
    /// never. It may be some seconds early. A time that is over needs no waking.
    func set(wallMilliseconds: Int?) throws(WakerError)
}

/// What is wrong with the clock that is to wake the machine.
package enum WakerError: Error, Hashable, Sendable {
    /// The machine has no clock that could.
    case none
    /// The system says no, in its own number. Some clocks cannot wait longer than a day.
    case system(path: String, errorNumber: Int32)
}

extension WakerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "this machine has no clock that could wake it"
        case .system(let path, let number):
            "the machine will not wake from sleep, because \(path) says: \(String(cString: strerror(number)))"
        }
    }
}
