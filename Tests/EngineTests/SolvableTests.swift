// The property that an owner who is up can end every ring, with any part of the hardware missing.

import Alarms
import Challenges
import CivilTime
import Health
import Testing

@testable import Engine

@Suite struct SolvableTests {
    private static let devices: [Part] = [.camera, .tags, .steps, .buttons]
    private static let codes = [
        EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("bathroom")),
        EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("fridge")),
    ]

    /// A ring that only the emergency exit ends is a trap. Devices leave the configuration, break before the
    /// lock window, in it and in the ring, and some work again.
    @Test(arguments: 0..<300) func ring_endsByItsChallenges_whateverIsMissing(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        for code in Self.codes { fixture.ask(.enrol(code)) }
        var alarm = Alarm.daily("work", "07:00")
        alarm.challenges = Self.challenges(&chance)
        fixture.ask(.save(alarm))
        #expect(fixture.engine.alarms.count == 1)
        for part in Self.devices where chance.number(in: 0...2) > 0 { fixture.give(.health(part, .ok)) }
        let removed = Set(Self.devices.filter { _ in chance.number(in: 0...3) == 0 })
        if !removed.isEmpty {
            fixture.remove(removed)
            fixture.start(seed: 2)
        }
        Self.breakDevices(of: &fixture, &chance)
        fixture.pass(milliseconds: 2_400_000)
        Self.breakDevices(of: &fixture, &chance)
        fixture.pass(milliseconds: 1_200_000)
        #expect(fixture.sound != nil)
        for round in 0..<2000 {
            guard let session = fixture.engine.status(nextCount: 0).sessions.first else { break }
            if round < 100, chance.number(in: 0...9) == 0 { Self.change(&fixture, &chance) }
            Self.solve(session.assignment, in: &fixture)
        }
        #expect(fixture.engine.history.last?.ending == .dismissed, "\(alarm.challenges) without \(removed)")
    }

    private static func challenges(_ chance: inout SeededGenerator) -> [Challenge] {
        let all: [Challenge.Task] = [
            .code(labels: ["bathroom"]), .tag(labels: ["fridge"]), .steps(count: 10), .pattern(length: 4),
            .sums(level: 1, count: 2, limitSeconds: 60),
            .roulette([Challenge(.steps(count: 12)), Challenge(.tag(labels: ["fridge"]))]),
        ]
        let some = (0...chance.number(in: 0...2)).map { _ in Challenge(all[chance.number(in: 0...5)]) }
        return some.enumerated().filter { some.firstIndex(of: $1) == $0 }.map(\.element)
    }

    private static func breakDevices(of fixture: inout EngineFixture, _ chance: inout SeededGenerator) {
        for part in devices where fixture.parts.contains(part) && chance.number(in: 0...3) == 0 {
            fixture.give(.health(part, Health(.unusable(reason: "gone"))))
        }
    }

    /// Breaks or mends a device, or cuts the power.
    private static func change(_ fixture: inout EngineFixture, _ chance: inout SeededGenerator) {
        let part = devices[chance.number(in: 0...3)]
        switch chance.number(in: 0...4) {
        case 0: fixture.start(seed: chance.bits())
        case 1, 2: if fixture.parts.contains(part) { fixture.give(.health(part, .ok)) }
        default: if fixture.parts.contains(part) { fixture.give(.health(part, Health(.unusable(reason: "gone")))) }
        }
    }

    /// The owner completes the assignment if its device works. Otherwise they wait for half a minute.
    private static func solve(_ assignment: Assignment?, in fixture: inout EngineFixture) {
        if let device = assignment?.kind?.device, !works(device, in: fixture.engine, fixture.parts) {
            fixture.pass(milliseconds: 30_000)
            fixture.ask(.stop)
            return
        }
        switch assignment {
        case nil, .impossible: fixture.ask(.stop)
        case .code(let labels):
            fixture.give(.frame([]))
            fixture.pass(milliseconds: 1000)
            fixture.give(.frame([SeenCode(digests: [CodeDigest(labels[0])], byteCount: 8)]))
        case .tag(let labels): fixture.give(.tag([CodeDigest(labels[0])]))
        case .steps:
            fixture.give(.step())
            fixture.pass(milliseconds: 400)
        case .pattern(let buttons):
            for button in buttons {
                fixture.press(button)
                fixture.pass(milliseconds: 200)
            }
        case .sum(let sum, _): fixture.ask(.answer(sum.result, to: nil))
        }
    }

    private static func works(_ device: Part, in engine: Engine, _ parts: Set<Part>) -> Bool {
        parts.contains(device) && engine.health(of: device)?.grade != .broken
    }

    /// A journal of a newer version may have a challenge that this version lacks.
    @Test func unknownChallenge_isReplacedByFiveSums() throws {
        let start = Instant(secondsSince1970: 1_768_197_600)
        let alarm = Alarm.daily("work", "06:01", Challenge(.unknown(kind: "dance")))
        var engine = Engine(replaying: [
            Entry(
                millisecondsSince1970: start.milliseconds,
                .alarmSaved(alarm, ScheduleState(revision: 1, cursor: start)))
        ])
        var moment = Moment(wallMilliseconds: start.milliseconds, uptimeMilliseconds: 0)
        _ = engine.handle(.start(Start(isClockTrusted: true, zone: .utc, seed: 1)), at: moment)
        moment.wallMilliseconds += 60_000
        moment.uptimeMilliseconds += 60_000
        _ = engine.handle(.timer, at: moment)
        _ = engine.handle(.command(.stop, RequestHeader("1", by: .page)), at: moment)
        guard case .sum(_, left: 5)? = engine.status().sessions.first?.assignment else {
            Issue.record("\(engine.status().sessions)")
            return
        }
    }
}
