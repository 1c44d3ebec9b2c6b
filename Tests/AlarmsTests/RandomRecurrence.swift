// The generator of random recurrence rules: all of the grammar, with the usual rules more often.

import CivilTime
import Oracles

/// Generates rules and starts from a seed.
struct RandomRecurrence {
    var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func list<Element>(_ count: ClosedRange<Int>, _ element: (inout Self) -> Element) -> [Element] {
        (0..<number(count)).map { _ in element(&self) }
    }

    mutating func start() -> CivilDate {
        // Days that some months lack find the most mistakes, so they are drawn more often.
        let date = CivilDate(dayNumber: number(3650...21_900))
        guard chance(30) else { return date }
        return CivilDate(year: date.year, month: date.month, day: number(28...31)) ?? date
    }

    /// Returns the parts of a rule, without SKIP.
    mutating func rule() -> String {
        let frequency = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][number(0...3)]
        var parts = ["FREQ=\(frequency)"]
        if chance(40) { parts.append("INTERVAL=\(chance(80) ? number(2...6) : number(7...40))") }
        if chance(20) { parts.append(append("BYMONTH", list(1...3) { $0.number(1...12) })) }
        let hasOrdinals = frequency == "MONTHLY" || frequency == "YEARLY"
        if chance(45) {
            parts.append(
                append("BYDAY", list(1...4) { $0.day(hasOrdinals: hasOrdinals, isYearly: frequency == "YEARLY") }))
        }
        if frequency != "WEEKLY", chance(35) {
            parts.append(append("BYMONTHDAY", list(1...3) { $0.chance(25) ? -$0.number(1...31) : $0.number(1...31) }))
        }
        if parts.contains(where: { $0.hasPrefix("BY") }), chance(15) {
            parts.append(append("BYSETPOS", list(1...2) { $0.chance(40) ? -$0.number(1...4) : $0.number(1...5) }))
        }
        if frequency == "WEEKLY", chance(25) { parts.append("WKST=\(weekday())") }
        if chance(15) { parts.append("COUNT=\(number(1...40))") }
        return parts.joined(separator: ";")
    }

    private func append(_ name: String, _ values: [some CustomStringConvertible]) -> String {
        "\(name)=\(Set(values.map(\.description)).sorted().joined(separator: ","))"
    }

    private mutating func weekday() -> String {
        ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][number(0...6)]
    }

    private mutating func day(hasOrdinals: Bool, isYearly: Bool) -> String {
        guard hasOrdinals, chance(60) else { return weekday() }
        let ordinal = isYearly && chance(30) ? number(1...53) : number(1...5)
        return "\(chance(35) ? -ordinal : ordinal)\(weekday())"
    }
}
