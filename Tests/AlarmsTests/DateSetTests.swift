// The tests of date sets against plain sets, date by date.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct DateSetTests {
    /// Checks that the set and the model agree on every date of the window.
    func expect(_ set: DateSet, has model: Set<CivilDate>, in window: [CivilDate], _ what: String) {
        let all = model.sorted()
        #expect(set.isEmpty == model.isEmpty, "\(what)")
        for date in window {
            #expect(set.contains(date) == model.contains(date), "\(date): \(what)")
            #expect(set.first(onOrAfter: date) == all.first { $0 >= date }, "\(date): \(what)")
            let after = (date.dayNumber...date.dayNumber + 40).filter { $0 <= CivilDate.last.dayNumber }
            let outside = after.map { CivilDate(dayNumber: $0) }.first { !model.contains($0) }
            #expect(set.firstOutside(onOrAfter: date) == outside, "\(date): \(what)")
        }
        let gaps = zip(set.runs, set.runs.dropFirst()).map { $0.upperBound.days(until: $1.lowerBound) }
        #expect(gaps.allSatisfy { $0 > 1 }, "\(what)")
    }

    @Test(arguments: RandomDates.windows)
    func randomSets_containExactlyTheirDates(window: ClosedRange<Int>) {
        var random = RandomDates(window, seed: 71)
        for _ in 0..<Thoroughness.pick(100, full: 10_000) {
            let runs = random.runs()
            expect(DateSet(runs), has: Set(runs), in: random.dates, "\(runs)")
            // Two sets of the same dates are equal, by any way of construction.
            let singles = Set(runs).shuffled(using: &random.random).map { $0...$0 }
            #expect(DateSet(singles) == DateSet(runs))
        }
    }

    @Test(arguments: RandomDates.windows)
    func randomChanges_agreeWithAModel(window: ClosedRange<Int>) {
        var random = RandomDates(window, seed: 72)
        for _ in 0..<Thoroughness.pick(20, full: 2000) {
            let runs = random.runs()
            var (set, model) = (DateSet(runs), Set(runs))
            var what = "\(runs)"
            for _ in 0..<6 {
                let date = random.date()
                if random.chance(40) {
                    what += " inserting \(date)"
                    set = set.inserting(date)
                    model.insert(date)
                } else if random.chance(75) {
                    what += " removing \(date)"
                    set = set.removing(date)
                    model.remove(date)
                } else {
                    what += " dropping before \(date)"
                    set = set.dropping(before: date)
                    model = model.filter { $0 >= date }
                }
                expect(set, has: model, in: random.dates, what)
            }
        }
    }

    @Test func setOfAllDates_hasNoDateOutside() throws {
        let all = DateSet([.first ... .last])
        #expect(all.contains(.first) && all.contains(.last))
        #expect(all.firstOutside(onOrAfter: .first) == nil)
        #expect(all.inserting(.last) == all && all.dropping(before: .first) == all)
        #expect(all.dropping(before: .last).runs == [.last ... .last])
        #expect(all.removing(.first).firstOutside(onOrAfter: .first) == .first)
        #expect(all.removing(.last).firstOutside(onOrAfter: .first) == .last)
        let today = try date("2026-01-15")
        #expect(all.removing(today).runs.count == 2)
        #expect(all.removing(today).inserting(today) == all)
        #expect(DateSet().firstOutside(onOrAfter: .last) == .last)
    }
}
