// The service adds no behaviour: what it is told goes to the engine as it is, and what the engine wants is done as it wants it.

import Alarms
import CivilTime
import Devices
import Engine
import Household
import Journal
import Oracles
import Service
import SimulatedDevices
import Testing

@Suite struct NothingAddedTests {
    @Test(arguments: 0..<30) func effects_areThoseOfABareEngine_andAllAreCarriedOut(seed: Int) async throws {
        let scratch = try Scratch()
        let home = try Household(directory: scratch.path)
        var random = SeededRandom(seed: UInt64(seed))
        let replies = await live(home, &random)
        await home.end()

        var bare = Engine()
        var (effects, isSame) = ([Effect](), true)
        for await step in home.steps {
            let wanted = bare.handle(step.input, at: step.moment)
            isSame = isSame && wanted == step.effects
            effects += wanted
        }
        #expect(isSame)
        await expectCarriedOut(effects, at: home, replies, in: scratch.path)
    }

    /// Somebody's day: alarms, time, and everything that is asked for.
    private func live(_ home: Household, _ random: inout SeededRandom) async -> [String: Reply] {
        var replies: [String: Reply] = [:]
        await home.start(seed: random.next())
        // What a preflight tries out, it tries out beside the engine.
        var settings = Settings()
        settings.preflight = .off
        replies["settings"] = await home.ask(.saveSettings(settings), "settings")
        for turn in 0..<60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: home.clock.advance(byMilliseconds: Int.random(in: 1...900_000, using: &random))
            case 3: home.clock.step(byMilliseconds: Int.random(in: -3_600_000...3_600_000, using: &random))
            case 4:
                home.clock.zoneName = ["UTC", "Asia/Tokyo", "America/New_York"].randomElement(using: &random) ?? "UTC"
            case 5: home.speaker.report(.started(.route("Headphones"), latencyMilliseconds: turn))
            default: replies["\(turn)"] = await home.ask(command(&random), "\(turn)")
            }
        }
        return replies
    }

    private func command(_ random: inout SeededRandom) -> Command {
        let id = "\(Int.random(in: 0..<4, using: &random))"
        switch Int.random(in: 0..<9, using: &random) {
        case 0...2:
            let (hour, minute) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<60, using: &random))
            return .save(.daily(id, "\(hour / 10)\(hour % 10):\(minute / 10)\(minute % 10)", sums: minute % 3))
        case 3: return .delete(id)
        case 4: return .skip(id)
        case 5: return .snooze(seconds: nil)
        case 6: return .answer(Int.random(in: 0..<100, using: &random))
        case 7: return .testRing(RingSettings(), inSeconds: 1)
        default: return .stop
        }
    }

    private func expectCarriedOut(
        _ effects: [Effect], at home: Household, _ replies: [String: Reply], in directory: String
    ) async {
        var (kept, answered, wakes, orders) = ([Entry](), [String: Reply](), [WakeTimes](), [SpeakerOrder]())
        var ordering = SpeakerOrdering()
        for effect in effects {
            switch effect {
            case .keep(let entries, _): kept += entries
            case .reply(let reply, let request): answered[request.id] = reply
            case .wake(let wake):
                wakes.append(
                    WakeTimes(wallMilliseconds: wake.wallMilliseconds, uptimeMilliseconds: wake.uptimeMilliseconds))
            case .sound(let order): ordering.ring = order
            case .readySpeaker(let sound): ordering.nearSound = sound
            default: break
            }
            if orders.last ?? .silent != ordering.order { orders.append(ordering.order) }
        }
        #expect(answered == replies)
        // At the end everything is put down.
        #expect(await all(home.clock.wakes, count: wakes.count + 1) == wakes + [WakeTimes()])
        #expect(await all(home.speaker.orders, count: orders.count + 1) == orders + [.silent])
        #expect(await written(in: directory) == kept)
    }

    private func all<Element: Sendable>(_ stream: AsyncStream<Element>, count: Int) async -> [Element] {
        var (elements, iterator) = ([Element](), stream.makeAsyncIterator())
        while elements.count < count, let element = await iterator.next() { elements.append(element) }
        return elements
    }

    private func written(in directory: String) async -> [Entry] {
        do {
            let disk = try LinuxDisk(directory: directory)
            return try Journal.open(disk).records.compactMap(Entry.init)
        } catch {
            Issue.record(error)
            return []
        }
    }
}
