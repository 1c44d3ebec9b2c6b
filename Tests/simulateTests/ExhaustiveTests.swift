// All short histories of a few houses keep the promises, and a mistake that is planted in them is found.

import Alarms
import Engine
import Oracles
import Testing

@testable import simulate

@Suite struct ExhaustiveTests {
    @Test func everyShortHistory_keepsThePromises() {
        var search = Exhaustive()
        search.run(depth: Thoroughness.isFull ? 4 : 2)
        #expect(search.failure == nil, "\(search.failure ?? "")")
        #expect(search.stateCount > 50)
    }

    static let defects: [(name: String, make: @Sendable () -> Defect)] = [
        (
            "a wake is forgotten",
            { Defect(wanted: { effect, _ in if case .wake = effect { [.wake(Wake())] } else { [effect] } }) }
        ),
        (
            "it falls silent when it is heard",
            { Defect(wanted: { effect, _ in if case .sound = effect { [.sound(nil)] } else { [effect] } }) }
        ),
        ("a snooze is not kept", { .keepsNo { if case .snoozed = $0 { true } else { false } } }),
        ("a change is not kept", { .keepsNo { if case .alarmSaved = $0 { true } else { false } } }),
        ("a power cut ends the ring", { Defect(kept: { $0.flatMap(\.withEnd) }) }),
    ]

    @Test(arguments: defects)
    func plantedDefect_isFound(name: String, make: @Sendable () -> Defect) {
        var search = Exhaustive(defect: make())
        search.run(depth: 3)
        #expect(search.failure != nil, "\(name)")
    }
}

extension Defect {
    fileprivate static func keepsNo(_ isForgotten: @escaping (Fact) -> Bool) -> Defect {
        Defect(kept: { entries in entries.filter { !isForgotten($0.fact) } })
    }
}

extension Entry {
    /// The beginning of a ring, and behind it that it was cancelled, though it rings.
    fileprivate var withEnd: [Entry] {
        guard case .fired(let session) = fact else { return [self] }
        let end = Fact.ended(session.occurrence, .cancelled, by: nil, switchesOff: nil)
        return [self, Entry(millisecondsSince1970: millisecondsSince1970, end)]
    }
}
