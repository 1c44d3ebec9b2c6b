// What leaves a service, for the doors that people come in by.

import Engine

/// Something that has happened. It is told in the order in which the engine gave it.
public enum ServiceEvent: Hashable, Sendable {
    /// What the status says has changed.
    case statusChanged
    /// Somebody in the room is to be told.
    case prompted(Prompt)
    /// Somebody elsewhere is to be told.
    case notified(Notice)
}

/// Whoever wants to know.
public protocol Subscriber: Sendable {
    /// Hears something, and must not keep the service waiting.
    func handle(_ event: ServiceEvent, from service: isolated Service)
}
