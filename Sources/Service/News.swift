// The events of a service, for the doors.

import Engine

/// An event for subscribers, in the order in which the engine emitted it.
public enum ServiceEvent: Hashable, Sendable {
    /// The status has changed.
    case statusChanged
    /// A prompt for the person in the room.
    case prompted(Prompt)
    /// A notification for the owner outside the room.
    case notified(Notice)
}

/// A subscriber to a service's events.
public protocol Subscriber: Sendable {
    /// The callback for each event. It must return at once: the service waits for it.
    func handle(_ event: ServiceEvent, from service: isolated Service)
}
