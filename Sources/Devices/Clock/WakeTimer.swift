// The protocols of the timer that wakes the service and of the clock that wakes the machine.

import CivilTime
import Glibc

/// A timer on both clocks, which also reports changes of the clock itself.
package protocol WakeTimer: Sendable {
    /// Replaces all earlier times. The timer emits `due` once for each of the two, as soon as its clock
    /// shows the time. A time in the past is due at once.
    func set(_ times: WakeTimes)

    /// The events for one listener: each kind that has happened since its last read. An event may be
    /// reported twice, but is never lost.
    var events: AsyncStream<Set<TimerEvent>> { get }
}

package enum TimerEvent: Hashable, Sendable, CaseIterable {
    /// A time that was set has come. Never early: the clock shows it.
    case due
    /// The system's clock was set, so it no longer agrees with the uptime.
    case clockSet
    /// The machine's zone may have changed.
    case zoneChanged
    case trustChanged
}

/// A queue of one set of events for one listener. On an event the listener reads the clocks, so one event of
/// each kind is enough.
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

/// A hardware clock that can wake the machine. Without one, a sleeping machine sleeps on.
package protocol Waker: Sendable {
    /// Wakes the machine before the system's clock shows this time, up to some seconds early. Nil cancels.
    /// Replaces the earlier time. A time in the past needs no wake-up.
    func set(wallMilliseconds: Int?) throws(WakerError)
}

/// The reason why the hardware clock cannot wake the machine.
package enum WakerError: Error, Hashable, Sendable {
    /// The machine has no clock with an alarm.
    case none
    /// A system call failed with this error number. Some clocks cannot wait longer than a day.
    case system(path: String, errorNumber: Int32)
}

extension WakerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "this machine has no clock that can wake it"
        case .system(let path, let number):
            "the clock that wakes this machine cannot be set (\(path): \(String(cString: strerror(number))))"
        }
    }
}
