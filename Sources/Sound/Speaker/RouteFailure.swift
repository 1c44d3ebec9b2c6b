// Why there is no sound by a route.

import Glibc

package enum RouteFailure: Error, Hashable, Sendable {
    /// What was asked of the card when it failed.
    package enum Operation: String, Hashable, Sendable {
        case open, configure, start, write, poll, resume, recover
    }

    case system(Operation, errorNumber: Int32)
    case openHangs(milliseconds: Int)
    /// The card is open and takes no frames, or so few that nothing is heard.
    case stalled(milliseconds: Int)
    case gone
    /// Nothing that can be played is a thing that the card takes.
    case unplayable(String)
    /// Too many tries still hang in the system: it has to get rid of some first.
    case tooManyHang(count: Int)
}

extension RouteFailure {
    /// Another program has it.
    package var isBusy: Bool { if case .system(.open, EBUSY) = self { true } else { false } }

    /// The same in words that do not change from one try to the next.
    package var cause: String {
        switch self {
        case .openHangs: "does not open"
        case .stalled: "open, but does not play"
        case .tooManyHang: "earlier tries still hang in the system"
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
