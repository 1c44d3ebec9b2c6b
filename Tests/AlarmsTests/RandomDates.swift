// The generator of random dates, runs and sets, within a few weeks so that they often overlap.

import CivilTime
import Oracles

/// Generates sets of dates from a seed, in one window of the calendar.
struct RandomDates {
    let window: ClosedRange<Int>
    var random: SeededRandom

    /// The windows in the middle and at both ends of the calendar.
    static let windows = [
        20_000...20_039, CivilDate.first.dayNumber...CivilDate.first.dayNumber + 39,
        CivilDate.last.dayNumber - 39...CivilDate.last.dayNumber,
    ]

    init(_ window: ClosedRange<Int>, seed: UInt64) {
        self.window = window
        random = SeededRandom(seed: seed)
    }

    /// Every date of the window, in order.
    var dates: [CivilDate] { window.map { CivilDate(dayNumber: $0) } }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 1...100, using: &random) <= percent
    }

    mutating func date() -> CivilDate {
        // The window's ends are often the calendar's ends, so they are drawn more often.
        if chance(10) { return CivilDate(dayNumber: chance(50) ? window.lowerBound : window.upperBound) }
        return CivilDate(dayNumber: Int.random(in: window, using: &random))
    }

    mutating func runs() -> [ClosedRange<CivilDate>] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let first = date()
            let length = Int.random(in: 0...(chance(10) ? 39 : 6), using: &random)
            return first...CivilDate(dayNumber: min(first.dayNumber + length, window.upperBound))
        }
    }
}

extension Set<CivilDate> {
    /// The set of every date in the runs.
    init(_ runs: [ClosedRange<CivilDate>]) {
        self.init(
            runs.flatMap { run in (run.lowerBound.dayNumber...run.upperBound.dayNumber).map(CivilDate.init(dayNumber:))
            })
    }
}
