// What happened last, for whoever looks into a broken promise.

import Engine

/// The last events of a night. They are put into words only when somebody wants to read them.
struct LastEvents {
    enum Event {
        case input(Input)
        case happening(Happening)
    }

    private var events: [(at: Int, Event)] = []

    private static let countMax = 30

    mutating func add(_ event: Event, at milliseconds: Int) {
        events.append((milliseconds, event))
        if events.count >= 2 * LastEvents.countMax { events.removeFirst(LastEvents.countMax) }
    }

    /// One line each.
    var words: [String] {
        events.suffix(LastEvents.countMax).map { at, event in
            switch event {
            case .input(.start): "\(at) ms: started"
            case .input(let input): "\(at) ms: \("\(input)".prefix(200))"
            case .happening(let happening): "\(at) ms: \(happening)"
            }
        }
    }
}
