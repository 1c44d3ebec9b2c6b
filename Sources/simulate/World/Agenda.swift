// What is still to happen in a night.

import Engine

/// Happenings at their times, those of one time in the order in which they were planned. Some wait for the disk to be in
/// the middle of something.
struct Agenda {
    private var planned: [(at: Int, happening: Happening)] = []
    private var armed: [(stage: Happening.Stage, happening: Happening)] = []

    var nextAt: Int? { planned.first?.at }

    mutating func plan(_ happening: Happening, at: Int) {
        planned.insert((at, happening), at: planned.firstIndex { $0.at > at } ?? planned.count)
    }

    /// Takes what happens next off the agenda.
    mutating func next() -> Happening? {
        planned.isEmpty ? nil : planned.removeFirst().happening
    }

    mutating func arm(_ happening: Happening, for stage: Happening.Stage) {
        armed.append((stage, happening))
    }

    /// The disk has something to do: takes off the agenda whatever waited for that.
    mutating func armed(for stage: Happening.Stage) -> [Happening] {
        defer { armed.removeAll { $0.stage == stage } }
        return armed.filter { $0.stage == stage }.map(\.happening)
    }
}

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
            case .input(let input): "\(at) ms: \("\(input)".prefix(200))"
            case .happening(let happening): "\(at) ms: \(happening)"
            }
        }
    }
}
