// The tests that the service adds no behaviour: it forwards every input and carries out every effect.

import Alarms
import CivilTime
import Devices
import Engine
import Fixtures
import Journal
import Mocks
import Oracles
import Service
import Sound
import Testing

@Suite struct NothingAddedTests {
    /// The outputs match the effects of a bare engine: complete, in order, once, and before the next input.
    @Test(.timeLimit(.minutes(10)), arguments: 0..<30) func outputs_matchEffectsOfABareEngine(seed: Int) async throws {
        let scratch = try Scratch()
        let fixture = try ServiceFixture(directory: scratch.path)
        var random = SeededRandom(seed: UInt64(seed))
        await fixture.start(seed: random.next())
        await haveSomeOfEverything(fixture)
        await live(fixture, &random)
        await fixture.end()

        var bare = Engine()
        var ordering = SpeakerMachine()
        var (wanted, kept): ([Passage], [Entry]) = ([], [])
        for await step in fixture.steps {
            wanted.append(.took(step.input))
            for effect in bare.handle(step.input, at: step.moment) {
                wanted += passage(of: effect, &ordering).map { [$0] } ?? []
                if case .commit(let entries, _) = effect { kept += entries }
            }
        }
        #expect(Set(wanted.map(\.kind)) == Passage.kinds)
        // The end resets the timer and the speaker.
        wanted += [.set(WakeTimes()), .silenced]
        let passages = fixture.trace.passages
        expectSame(passages.filter { $0 != .written && $0 != .synced }, wanted)
        expectDurable(passages)
        #expect(await written(in: scratch.path) == kept)
    }

    /// Emits a report, and waits until the engine has handled it. Later reports may be lost at the end.
    private func report(_ report: SpeakerReport, at fixture: ServiceFixture) async {
        guard let input = Input(report) else { return }
        fixture.speaker.report(report)
        await fixture.trace.hasPassed(.took(input))
    }

    /// Returns the passage that an effect causes, or nil if there is none.
    private func passage(of effect: Effect, _ ordering: inout SpeakerMachine) -> Passage? {
        switch effect {
        case .wake(let wake): return .set(wake.next)
        case .reply(let reply, let request): return .replied(reply, to: request)
        case .prompt(let prompt): return .told(.prompted(prompt))
        case .notify(let notice): return .told(.notified(notice))
        case .statusChanged: return .told(.statusChanged)
        case .sound, .readySpeaker:
            return ordering.orders(for: effect).lazy.compactMap { order -> Passage? in
                if case .speaker(let order) = order { .ordered(order) } else { nil }
            }.first
        case .commit, .shake, .sunrise, .camera, .lamps, .enableInputs, .preflight: return nil
        }
    }

    /// Compares the rows, and shows the first difference in place of two long rows.
    private func expectSame(_ passages: [Passage], _ wanted: [Passage]) {
        // Events about records come from the disk's answer, not from the engine's effects.
        let passages = passages.filter { if case .told(.recorded) = $0 { false } else { true } }
        let place = zip(passages, wanted).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(place == nil, "\(place.map { "\(passages[$0]) in place of \(wanted[$0]), number \($0)" } ?? "")")
        #expect(passages.count == wanted.count)
    }

    /// Expects that the engine learns of a commit only after its sync, because its replies depend on it.
    private func expectDurable(_ passages: [Passage]) {
        var isDurable = true
        for passage in passages {
            switch passage {
            case .written: isDurable = false
            case .synced: isDurable = true
            case .took(.committed(let number)): #expect(isDurable, "number \(number)")
            default: break
            }
        }
    }

    /// Causes a refused stop, a missed ring, and a request from within a reply handler.
    private func haveSomeOfEverything(_ fixture: ServiceFixture) async {
        // A preflight would test the devices without the engine.
        var settings = Settings()
        settings.preflight = .off
        _ = await fixture.ask(.saveSettings(settings), "settings")
        _ = await fixture.ask(.save(.daily("work", "15:01", sums: 1)), "work")
        _ = await fixture.ask(.save(.daily("other", "15:30")), "other")
        fixture.clock.advance(byMilliseconds: 60_000)
        _ = await fixture.ask(.snooze(seconds: nil), "snooze", andThen: .stop)
        fixture.clock.step(byMilliseconds: 3 * 3_600_000)
        _ = await fixture.ask(.stop, "stop")
    }

    /// Simulates a random day: alarms, time and requests.
    private func live(_ fixture: ServiceFixture, _ random: inout SeededRandom) async {
        for turn in 0..<60 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: fixture.clock.advance(byMilliseconds: Int.random(in: 1...900_000, using: &random))
            case 3: fixture.clock.step(byMilliseconds: Int.random(in: -3_600_000...3_600_000, using: &random))
            case 4:
                fixture.clock.zoneName =
                    ["UTC", "Asia/Tokyo", "America/New_York"].randomElement(using: &random) ?? "UTC"
            case 5: await report(.started(.route("Headphones"), latencyMilliseconds: turn), at: fixture)
            case 6: _ = await fixture.ask(command(&random), "\(turn)", andThen: command(&random))
            default: _ = await fixture.ask(command(&random), "\(turn)")
            }
        }
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

extension Passage {
    /// The name of the case, without its values.
    fileprivate var kind: String {
        switch self {
        case .took: "took"
        case .ordered: "ordered"
        case .silenced: "silenced"
        case .set: "set"
        case .written: "written"
        case .replied: "replied"
        case .told(.statusChanged): "statusChanged"
        case .told(.prompted): "told"
        case .told(.notified): "notified"
        case .told(.recorded): "recorded"
        case .synced: "synced"
        }
    }

    /// The cases that an engine's effects can cause.
    fileprivate static let kinds: Set = [
        "took", "ordered", "set", "replied", "statusChanged", "told", "notified",
    ]
}
