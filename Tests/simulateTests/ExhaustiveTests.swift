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
