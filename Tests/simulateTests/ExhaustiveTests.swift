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
        #expect(search.failure == nil, "\(search.failure?.description ?? "")")
        #expect(search.stateCount > 50)
    }

    @Test(arguments: [
        ("a wake is forgotten", 1, PlantedFault(wanted: { if case .wake = $0 { .wake(Wake()) } else { $0 } })),
        (
            "it falls silent when it is heard", 2,
            PlantedFault(wanted: { if case .sound = $0 { .sound(nil) } else { $0 } })
        ),
        ("a snooze is not kept", 3, PlantedFault(kept: forgetting { if case .snoozed = $0 { true } else { false } })),
        (
            "a change is not kept", 3,
            PlantedFault(kept: forgetting { if case .alarmSaved = $0 { true } else { false } })
        ),
        ("a power cut ends the ring", 3, PlantedFault(kept: ending)),
    ])
    func plantedFault_isFound(name: String, depth: Int, fault: PlantedFault) {
        var search = Exhaustive(defect: fault)
        search.run(depth: depth)
        #expect(search.failure != nil, "\(name)")
    }
}

private func forgetting(_ isForgotten: @escaping @Sendable (Fact) -> Bool) -> @Sendable ([Entry]) -> [Entry] {
    { entries in entries.filter { !isForgotten($0.fact) } }
}

/// The journal has each ring as cancelled, though it rings.
@Sendable private func ending(_ entries: [Entry]) -> [Entry] {
    entries.flatMap { entry in
        guard case .fired(let session) = entry.fact else { return [entry] }
        let end = Fact.ended(session.occurrence, .cancelled, by: nil, switchesOff: nil)
        return [entry, Entry(millisecondsSince1970: entry.millisecondsSince1970, end)]
    }
}
