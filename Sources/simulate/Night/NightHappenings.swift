// What happens in a night, drawn by lot: what breaks, and who does what.

import Engine
import SimulatedDevices

extension Night {
    /// Most of it happens around an alarm: that is when it hurts.
    mutating func drawHappenings(_ faults: Set<Happening.Kind>, _ chance: inout Chance) {
        var drawn: [(at: Int, Happening)] = []
        for kind in Happening.Kind.allCases {
            let count = [0, 0, 1, 2, 4][chance.number(in: 0...4)]
            for _ in 0..<count {
                let at = drawTime(&chance)
                let some = drawHappening(kind, at: at, &chance)
                // Drawn all the same: leaving a kind out changes nothing of the others.
                if faults.contains(kind) { drawn += some }
            }
        }
        happenings = drawn.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
            \.element)
    }

    private func drawTime(_ chance: inout Chance) -> Int {
        guard chance.number(in: 0...3) > 0 else { return chance.number(in: 0...Night.milliseconds - 1) }
        let alarm = alarms[chance.number(in: 0...alarms.count - 1)]
        let due = ((alarm.time?.secondsSinceMidnight ?? 0) - 18 * 3600 + 86_400) % 86_400 * 1000
        let spread = [1000, 60_000, 1_800_000][chance.number(in: 0...2)]
        return min(max(due + chance.number(in: -spread...spread * 2), 0), Night.milliseconds - 1)
    }

    private func drawHappening(_ kind: Happening.Kind, at: Int, _ chance: inout Chance) -> [(at: Int, Happening)] {
        switch kind {
        case .power:
            let off = drawLength(&chance)
            let hasClock = chance.number(in: 0...1) == 0
            let known = at + off + chance.number(in: 1000...[10_000, 600_000, 7_200_000][chance.number(in: 0...2)])
            return [(at, .powerCut(milliseconds: off, hasClock: hasClock)), (known, .clockSet)]
        case .crash: return [(at, .crash(milliseconds: chance.number(in: 100...10_000)))]
        case .suspend: return [(at, .suspend(milliseconds: drawLength(&chance)))]
        case .clock:
            let step = chance.number(in: -3...3) * [1000, 60_000, 1_800_000, 14_400_000][chance.number(in: 0...3)]
            return [(at, .clockStep(milliseconds: step)), (at + chance.number(in: 1000...7_200_000), .clockSet)]
        case .zone: return [(at, .zone(chance.number(in: 0...SimulatedZones.all.count - 1)))]
        case .disk:
            let mended = at + drawLength(&chance)
            if chance.number(in: 0...1) == 0 {
                let speed = [200, 3000, 30_000][chance.number(in: 0...2)]
                return [(at, .diskSpeed(milliseconds: speed)), (mended, .diskSpeed(milliseconds: 8))]
            }
            let faults: [DiskFault.Kind] = [.full, .worn, .readOnly, .short]
            let count = [1, 4, Int.max][chance.number(in: 0...2)]
            return [(at, .disk(faults[chance.number(in: 0...3)], count: count)), (mended, .diskMended)]
        case .camera: return [(at, .camera(false)), (at + drawLength(&chance), .camera(true))]
        case .buttons:
            switch chance.number(in: 0...3) {
            case 0: return [(at, .hold(milliseconds: chance.number(in: 55_000...65_000)))]
            case 1:
                // A stuck button.
                let button = Button.allCases[chance.number(in: 0...1)]
                return [
                    (at, .button(button, isDown: true, bounces: 0)),
                    (at + drawLength(&chance), .button(button, isDown: false, bounces: 0)),
                ]
            default:
                let button = Button.allCases[chance.number(in: 0...1)]
                let bounces = chance.number(in: 0...4)
                return [
                    (at, .button(button, isDown: true, bounces: bounces)),
                    (at + chance.number(in: 60...400), .button(button, isDown: false, bounces: bounces)),
                ]
            }
        case .people:
            let want = drawWant(&chance)
            // Half of them at once with something else.
            let others = chance.number(in: 0...1) == 0 ? [(at, Happening.ask(drawWant(&chance)))] : []
            return [(at, .ask(want))] + others
        }
    }

    private func drawLength(_ chance: inout Chance) -> Int {
        chance.number(in: 200...[5000, 120_000, 3_600_000, 14_400_000][chance.number(in: 0...3)])
    }

    private func drawWant(_ chance: inout Chance) -> Want {
        let index = chance.number(in: 0...alarms.count)
        return switch chance.number(in: 0...20) {
        case 0: .add(alarms.count + chance.number(in: 0...1))
        case 1, 2: .edit(index)
        case 3: .weaken(index)
        case 4: .delete(index)
        case 5, 6: .enable(index, false)
        case 7: .enable(index, true)
        case 8: .skip(index)
        case 9: .unskip(index)
        case 10: .pause(index)
        case 11: .master(chance.number(in: 0...2) > 0)
        case 12: .lock(seconds: chance.number(in: 0...7200))
        case 13: .deviceZone(chance.number(in: 0...1) == 0 ? nil : chance.number(in: 0...SimulatedZones.all.count - 1))
        case 14: .forget(chance.number(in: 0...2))
        case 15: .restoreOldBackup
        case 16: .snooze(seconds: [nil, 1, 300, 100_000][chance.number(in: 0...3)])
        case 17: .stop
        case 18: .unlock(index)
        case 19: chance.number(in: 0...1) == 0 ? .testRing : .answer(chance.number(in: 0...99))
        default: .again
        }
    }
}
