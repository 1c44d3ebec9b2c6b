// The random events of a night: faults, and the actions of people.

import Alarms
import Challenges
import Engine
import Health
import SimulatedDevices

extension Night {
    /// Draws the events. Most happen around an alarm, where they do most harm.
    func drawEvents(_ faults: Set<NightEvent.Kind>, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        var drawn: [(at: Int, NightEvent)] = []
        for kind in NightEvent.Kind.allCases {
            let count = chance.pick([0, 0, 1, 2, 4])
            for _ in 0..<count {
                let some = drawEvent(kind, at: drawTime(&chance), &chance)
                // A kind that is left out is also drawn, so that the other kinds stay the same.
                if faults.contains(kind) { drawn += some }
            }
        }
        return drawn
    }

    func drawTime(_ chance: inout SeededGenerator) -> Int {
        guard chance.number(in: 0...3) > 0 else { return chance.number(in: 0...Night.dayMilliseconds - 1) }
        let alarm = alarms[chance.number(in: 0...alarms.count - 1)]
        let due = ((alarm.time?.secondsSinceMidnight ?? 0) - 18 * 3600 + 86_400) % 86_400 * 1000
        let spread = chance.pick([1000, 60_000, 1_800_000])
        return min(max(due + chance.number(in: -spread...spread * 2), 0), Night.dayMilliseconds - 1)
    }

    func drawEvent(_ kind: NightEvent.Kind, at: Int, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        switch kind {
        case .power:
            let off = drawLength(&chance)
            let hasClock = chance.number(in: 0...1) == 0
            let known = off + chance.number(in: 1000...chance.pick([10_000, 600_000, 7_200_000]))
            return [(at, aim(.powerCut(milliseconds: off, hasClock: hasClock, knownAfter: known), &chance))]
        case .crash: return [(at, aim(.crash(milliseconds: chance.number(in: 100...10_000)), &chance))]
        case .suspend: return [(at, aim(.suspend(milliseconds: drawLength(&chance)), &chance))]
        case .clock:
            let step = chance.number(in: -3...3) * chance.pick([1000, 60_000, 1_800_000, 14_400_000])
            let known = at + chance.number(in: 1000...7_200_000)
            return [(at, aim(.clockStep(milliseconds: step), &chance)), (known, aim(.clockSet, &chance))]
        case .zone: return [(at, aim(.zone(chance.number(in: 0...SimulatedZones.all.count - 1)), &chance))]
        case .disk:
            let mended = at + drawLength(&chance)
            if chance.number(in: 0...1) == 0 {
                let speed = chance.pick([200, 3000, 30_000])
                let quick = NightEvent.diskSpeed(milliseconds: SimulatedStore.quickMilliseconds)
                return [(at, .diskSpeed(milliseconds: speed)), (mended, quick)]
            }
            let count = chance.pick([1, 4, Int.max])
            let kind: DiskFault.Kind = chance.pick([.full, .worn, .readOnly, .short, .broken])
            return [(at, .disk(DiskFault(kind, after: 0, count: count))), (mended, .disk(nil))]
        case .camera: return drawCamera(at: at, &chance)
        case .buttons:
            let choice = chance.number(in: 0...4)
            if choice == 0 { return [(at, .hold(milliseconds: chance.number(in: 55_000...80_000)))] }
            if choice == 4 {
                // The page reports a hold every two seconds, and its end. In one case of four it ends the
                // hold once in between.
                let count = chance.number(in: 25...34)
                let gap = chance.number(in: 0...3) == 0 ? chance.number(in: 1...count) : nil
                return (0...count).map { (at + 2000 * $0, .ask(.hold($0 != count && $0 != gap))) }
            }
            let isStuck = choice == 1
            let button = chance.pick(Button.allCases)
            let bounces = isStuck ? 0 : chance.number(in: 0...4)
            let length = isStuck ? drawLength(&chance) : chance.number(in: 60...400)
            return [true, false].map { isDown in
                (isDown ? at : at + length, .button(button, isDown: isDown, bounces: bounces))
            }
        case .devices:
            let devices: [Part] = [.camera, .tags, .steps, .buttons]
            let lost = Set(devices.filter { _ in chance.number(in: 0...1) == 0 })
            return [(at, .configuration(without: lost)), (at + drawLength(&chance), .configuration(without: []))]
        case .speaker: return drawCard(at: at, &chance)
        case .people:
            if chance.number(in: 0...59) == 0 { return [(at, .burst(chance.number(in: 40...100)))] }
            // Half of the commands come together with another one.
            return (0...chance.number(in: 0...1)).map { _ in (at, .ask(drawCommand(at: at, &chance))) }
        }
    }

    /// Draws when the sleeper turns over: in two nights of three, and often before an alarm that may be early. It
    /// has a generator of its own, so that the other events stay the same.
    func drawMovements() -> [(at: Int, NightEvent)] {
        var chance = SeededGenerator(seed: seed, number, 3)
        return (0..<chance.pick([0, 3, 6]) * days).map { _ in
            let day = chance.number(in: 0...days - 1) * Night.dayMilliseconds
            let ahead = chance.number(in: 0...2000) * 1000
            return (max(0, day + drawTime(&chance) - ahead), .movement)
        }
    }

    private func drawCamera(at: Int, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        let again = at + drawLength(&chance)
        switch chance.number(in: 0...3) {
        case 0: return [(at, .camera(.sock)), (again, .camera(.room))]
        case 1:
            return [
                (at, .camera(.nothing)), (at + 500, .health(.camera, .broken)), (again, .camera(.room)),
                (again + 500, .health(.camera, .ok)),
            ]
        case 2:
            let part: Part = chance.pick([.speaker, .disk, .buttons, .tags, .steps])
            return [(at, .health(part, .broken)), (again, .health(part, .ok))]
        default: return [(at, .camera(.nothing)), (again, .camera(.room))]
        }
    }

    private func drawCard(at: Int, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        let again = at + drawLength(&chance)
        let card = chance.number(in: 0...MachineSpeakers.cardCount - 1)
        // If no fault is drawn, the card is unplugged.
        let fault: CardFault? = chance.pick([
            .stalls, .trickles, .opensNever, .refuses(errorNumber: 16), .breaks(errorNumber: 5), .closesNever, nil,
        ])
        return [(at, .card(card, isPlugged: fault != nil, fault)), (again, .card(card, isPlugged: true, nil))]
    }

    /// Moves half of the events into the middle of a disk operation.
    private func aim(_ event: NightEvent, _ chance: inout SeededGenerator) -> NightEvent {
        switch chance.number(in: 0...3) {
        case 0: .during(.write, event)
        case 1: .during(.compaction, event)
        default: event
        }
    }

    private func drawLength(_ chance: inout SeededGenerator) -> Int {
        chance.number(in: 200...chance.pick([5000, 120_000, 3_600_000, 14_400_000]))
    }
}

extension Night {
    /// Draws the events of a life: up to two actions a day, and a power cut, crash or sleep every ten days.
    func drawLife(_ faults: Set<NightEvent.Kind>, _ chance: inout SeededGenerator) -> [(at: Int, NightEvent)] {
        var drawn: [(at: Int, NightEvent)] = []
        for day in 0..<days {
            for _ in 0..<chance.pick([0, 0, 1, 1, 2]) {
                let at = day * Night.dayMilliseconds + drawTime(&chance)
                let commands = drawLifeCommands(at: at, &chance)
                if faults.contains(.people) { drawn += commands }
            }
            guard chance.number(in: 0...9) == 0 else { continue }
            let kind = chance.pick([NightEvent.Kind.power, .crash, .suspend])
            let some = drawEvent(kind, at: day * Night.dayMilliseconds + drawTime(&chance), &chance)
            if faults.contains(kind) { drawn += some }
        }
        return drawn
    }
}
