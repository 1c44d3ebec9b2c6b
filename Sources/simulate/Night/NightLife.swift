// What happens in some weeks of a house in which little goes wrong: people change their minds.

import Engine

extension Night {
    /// Every other day somebody wants something, and now and then the power goes.
    mutating func drawLife(_ faults: Set<Happening.Kind>, _ chance: inout Chance) {
        var drawn: [(at: Int, Happening)] = []
        for day in 0..<days {
            for _ in 0..<[0, 0, 1, 1, 2][chance.number(in: 0...4)] {
                let at = day * Night.dayMilliseconds + drawTime(&chance)
                let wants = drawWants(at: at, &chance)
                if faults.contains(.people) { drawn += wants }
            }
            guard chance.number(in: 0...9) == 0 else { continue }
            let kind = [Happening.Kind.power, .crash, .suspend][chance.number(in: 0...2)]
            let at = day * Night.dayMilliseconds + drawTime(&chance)
            let some = drawHappening(kind, at: at, &chance)
            if faults.contains(kind) { drawn += some }
        }
        happenings = drawn.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private func drawWants(at: Int, _ chance: inout Chance) -> [(at: Int, Happening)] {
        let index = chance.number(in: 0...alarms.count - 1)
        let later = at + chance.number(in: 0...3 * Night.dayMilliseconds)
        switch chance.number(in: 0...11) {
        case 0, 1: return [(at, .ask(.skip(index)))]
        case 2, 3: return [(at, .ask(.unskip(index)))]
        case 4, 5: return [(at, .ask(.pause(index, days: chance.number(in: 1...20))))]
        case 6: return [(at, .ask(.pause(index, days: 0)))]
        // Nobody sleeps in for ever.
        case 7: return [(at, .ask(.master(false))), (later, .ask(.master(true)))]
        case 8: return [(at, .ask(.enable(index, false))), (later, .ask(.enable(index, true)))]
        case 9: return [(at, .ask(.edit(index)))]
        case 10:
            let days = Want.DaysOff.allCases[chance.number(in: 0...Want.DaysOff.allCases.count - 1)]
            return [(at, .ask(.calendar(days)))]
        default: return [(at, .ask(.harden(index, .time)))]
        }
    }
}
