// The tests of the list of next rings.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct DueListTests {
    private func instant(_ second: Int) -> Instant { Instant(secondsSince1970: second) }

    /// The list returns the earliest of the last planned rings. At equal times the older alarm comes first,
    /// by its first creation. The list also forgets superseded plans, or it would grow without limit.
    @Test(arguments: [5, 1000]) func firstRings_agreeWithAModel(lastSecond: Int) {
        var random = SeededRandom(seed: 8)
        var due = DueList()
        var places = Array(0..<20)
        var model: [Int: Int] = [:]
        for number in 0..<5000 {
            let index = Int.random(in: 0..<20, using: &random)
            let second = Bool.random(using: &random) ? Int.random(in: 0...lastSecond, using: &random) : nil
            model[index] = second
            let ring = second.map {
                PlannedRing(
                    occurrence: Occurrence(alarm: "\(index)", at: instant($0)), date: CivilDate(dayNumber: 0),
                    layer: .base)
            }
            due.plan("\(index)", ring, place: places[index])
            if second == nil { places[index] = 20 + number }
            let planned = model.sorted { ($0.value, places[$0.key]) < ($1.value, places[$1.key]) }.map {
                Occurrence(alarm: "\($0.key)", at: instant($0.value))
            }
            #expect(due.first?.occurrence == planned.first)
            let until = instant(Int.random(in: 0...lastSecond, using: &random))
            #expect(due.rings(until: until).map(\.occurrence) == planned.filter { $0.at <= until })
            #expect(due.rings(countMax: 3).map(\.occurrence) == Array(planned.prefix(3)))
            #expect(due.load <= 2 * model.count + 65)
        }
    }
}
