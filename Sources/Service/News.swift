// What leaves a service, for the doors that people come in by.

import Engine

/// Something that has happened. It is told in the order in which the engine gave it.
public enum News: Hashable, Sendable {
    /// What the status says has changed.
    case statusChanged
    /// Somebody in the room is to be told.
    case told(Prompt)
    /// Somebody elsewhere is to be told.
    case notified(Notice)
    /// Facts are durable.
    case recorded([RecordedEntry])
}

/// A durable fact, and its number in the journal.
public struct RecordedEntry: Hashable, Sendable {
    /// Each record has one more than the record before it.
    public let sequence: Int
    /// What is recorded.
    public let entry: Entry
}

/// Whoever wants to know.
public protocol Listener: Sendable {
    /// Hears something, and must not keep the service waiting.
    func hear(_ news: News, from service: isolated Service)
}
