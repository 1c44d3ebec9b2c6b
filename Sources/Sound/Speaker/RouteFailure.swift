// The reasons why a route does not play.

import Glibc

package enum RouteFailure: Error, Hashable, Sendable {
    /// The operation that failed on the card.
    package enum Operation: String, Hashable, Sendable {
        case open, configure, start, write, poll, resume, recover
    }

    case system(Operation, errorNumber: Int32)
    case openHangs(milliseconds: Int)
    /// The card is open but consumes no frames, or too few to be audible.
    case stalled(milliseconds: Int)
    case gone
    /// The card accepts no format that Rooster can produce.
    case unplayable(String)
    /// Too many earlier attempts hang in the system. Some must end first.
    case tooManyHang(count: Int)
}

extension RouteFailure {
    /// True if another program uses the card.
    package var isBusy: Bool { if case .system(.open, EBUSY) = self { true } else { false } }

    /// The description without durations and counts, so that it is the same for every attempt.
    package var cause: String {
        switch self {
        case .system(.open, EBUSY): "in use by another program"
        case .system(_, ENODEV): "no such device"
        case .openHangs: "does not open"
        case .stalled: "opens but does not play"
        case .tooManyHang: "earlier attempts still hang in its driver"
        case .system, .gone, .unplayable: description
        }
    }
}

extension RouteFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let operation, let number): "cannot \(operation.rawValue): \(String(cString: strerror(number)))"
        case .openHangs(let milliseconds): "not open after \(milliseconds) ms"
        case .stalled(let milliseconds): "open, but has not played for \(milliseconds) ms"
        case .gone: "unplugged"
        case .unplayable(let why): why
        case .tooManyHang(let count): "\(count) earlier tries still hang in the system"
        }
    }
}
