// The tests of all weekday sets against Swift's own sets.

import CivilTime
import Testing

@Suite struct WeekdaySetTests {
    /// All 128 sets.
    static let models: [Set<Weekday>] = (0..<128).map { bits in
        Set(Weekday.allCases.filter { bits >> ($0.rawValue - 1) & 1 == 1 })
    }

    @Test func set_containsTheInsertedDays() {
        for model in Self.models {
            var set = WeekdaySet()
            for day in model { set.insert(day) }
            #expect(set == WeekdaySet(model) && set == WeekdaySet(Array(model) + Array(model)))
            #expect(set.days == model.sorted())
            #expect(set.isEmpty == model.isEmpty)
            #expect(Weekday.allCases.filter(set.contains) == model.sorted())
        }
        #expect(Set(Self.models.map { WeekdaySet($0) }).count == 128)
        #expect(WeekdaySet.weekdays == [.monday, .tuesday, .wednesday, .thursday, .friday])
        #expect(WeekdaySet.weekend == [.saturday, .sunday])
    }

    @Test func comparisons_agreeWithAModel() {
        var disagreements = 0
        for a in Self.models {
            for b in Self.models {
                let (left, right) = (WeekdaySet(a), WeekdaySet(b))
                if left.isDisjoint(with: right) != a.isDisjoint(with: b) { disagreements += 1 }
                if left.subtracting(right) != WeekdaySet(a.subtracting(b)) { disagreements += 1 }
            }
        }
        #expect(disagreements == 0)
    }

    @Test func firstDate_agreesWithAWalk_upToTheEndOfTheCalendar() {
        for model in Self.models {
            let set = WeekdaySet(model)
            for dayNumber in [CivilDate.first.dayNumber, -7, 20_000, CivilDate.last.dayNumber - 7] {
                for date in (0..<8).map({ CivilDate(dayNumber: dayNumber + $0) }) {
                    let walk = (date.dayNumber...date.dayNumber + 6).filter { $0 <= CivilDate.last.dayNumber }
                    let expected = walk.map { CivilDate(dayNumber: $0) }.first { model.contains($0.weekday) }
                    #expect(set.first(onOrAfter: date) == expected, "\(set.days) from \(date)")
                }
            }
        }
    }
}
