// The days of one period of a recurrence, as a set of bits.

import CivilTime

/// A set of days around one period: the day before it, its own at most 366, and the one after.
///
/// Bits keep the days sorted and without doubles, and cost no memory of their own.
struct PeriodDays {
    /// The day that bit 0 stands for: the one before the period.
    let dayBefore: Int
    private var words = SIMD8<UInt64>()

    init(firstDay: CivilDate) {
        dayBefore = firstDay.dayNumber - 1
    }

    mutating func insert(_ date: CivilDate) {
        let bit = date.dayNumber - dayBefore
        assert((0..<512).contains(bit))
        words[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// The first day in the set, `date` or later.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        let bit = max(0, date.dayNumber - dayBefore)
        guard bit < 512 else { return nil }
        var word = words[bit >> 6] & (~0 << UInt64(bit & 63))
        for index in (bit >> 6)..<8 {
            if index != bit >> 6 { word = words[index] }
            if word != 0 { return day(index << 6 + word.trailingZeroBitCount) }
        }
        return nil
    }

    private func day(_ bit: Int) -> CivilDate {
        CivilDate(dayNumber: dayBefore + bit)
    }

    /// All days, in order.
    var all: [CivilDate] {
        var all: [CivilDate] = []
        for index in 0..<8 {
            var word = words[index]
            while word != 0 {
                all.append(day(index << 6 + word.trailingZeroBitCount))
                word &= word - 1
            }
        }
        return all
    }

    /// Only the days at these positions of the set, counted from its end when negative.
    func chosen(_ positions: [Int]) -> PeriodDays {
        let all = all
        var chosen = self
        chosen.words = SIMD8<UInt64>()
        for position in positions {
            let index = position > 0 ? position - 1 : all.count + position
            if all.indices.contains(index) { chosen.insert(all[index]) }
        }
        return chosen
    }
}
