// The days of one period of a recurrence, as a set of bits.

import CivilTime

/// A set of days around one period: the day before it, its own days (366 at most), and the day after it.
/// Bits keep them sorted.
struct PeriodDays {
    /// The day number of bit 0: the day before the period.
    let dayBefore: Int
    /// Bits 0 to 63, which are enough for a month. Setting a bit of an integer is faster than of a vector.
    private var low: UInt64 = 0
    /// The other bits, which only years need. Word 0 is unused.
    private var high = SIMD8<UInt64>()

    init(firstDay: CivilDate) {
        dayBefore = firstDay.dayNumber - 1
    }

    mutating func insert(_ date: CivilDate) {
        let bit = date.dayNumber - dayBefore
        assert((0..<512).contains(bit))
        if bit < 64 {
            low |= 1 << UInt64(bit)
        } else {
            high[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    /// Returns the first day of the set from `date` on.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        let bit = max(0, date.dayNumber - dayBefore)
        guard bit < 512 else { return nil }
        var word = word(bit >> 6) & (~0 << UInt64(bit & 63))
        for index in (bit >> 6)..<8 {
            if index != bit >> 6 { word = self.word(index) }
            if word != 0 { return day(index << 6 + word.trailingZeroBitCount) }
        }
        return nil
    }

    private func word(_ index: Int) -> UInt64 {
        index == 0 ? low : high[index]
    }

    private func day(_ bit: Int) -> CivilDate {
        CivilDate(dayNumber: dayBefore + bit)
    }

    var count: Int {
        (0..<8).reduce(0) { $0 + word($1).nonzeroBitCount }
    }

    /// Returns the nth day of the set, counted from 0, or nil if the set has fewer days.
    func nth(_ n: Int) -> CivilDate? {
        guard n >= 0 else { return nil }
        var left = n
        for index in 0..<8 {
            var word = word(index)
            guard left >= word.nonzeroBitCount else {
                for _ in 0..<left { word &= word - 1 }
                return day(index << 6 + word.trailingZeroBitCount)
            }
            left -= word.nonzeroBitCount
        }
        return nil
    }

    mutating func removeDays(before date: CivilDate) {
        let bit = date.dayNumber - dayBefore
        guard bit > 0 else { return }
        low &= bit < 64 ? ~0 << UInt64(bit) : 0
        for index in 1..<8 where index << 6 < bit {
            let kept = bit - index << 6
            high[index] = kept < 64 ? high[index] & (~0 << UInt64(kept)) : 0
        }
    }

    /// Returns the days at these positions of the set. Negative positions count from its end.
    func chosen(_ positions: [Int]) -> PeriodDays {
        let count = count
        var chosen = self
        chosen.low = 0
        chosen.high = SIMD8()
        guard count > 0 else { return chosen }
        for position in positions {
            if let day = nth(position > 0 ? position - 1 : count + position) { chosen.insert(day) }
        }
        return chosen
    }
}
