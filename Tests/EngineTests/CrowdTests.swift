// The tests of too many requests or alarms at once: an alarm with a challenge still rings.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct CrowdTests {
    /// Starts at 06:45, with an alarm that has a challenge at 07:00.
    func fixture() throws -> EngineFixture {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.ask(.save(.daily("work", "07:00", Challenge(.sums(level: 1, count: 1, limitSeconds: 60)))))
        fixture.pass(milliseconds: 45 * 60_000)
        return fixture
    }

    /// More alarms are due at once than the limit. The first ones ring, and the others are reported as
    /// missed.
    @Test func simultaneousAlarms_ringUpToALimit_andTheRestAreMissed() throws {
        var fixture = try fixture()
        var file = AlarmsFile()
        file.alarms = (0..<Sessions.countMax + 10).map { index in
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 7, minute: 0)
            return soft
        }
        fixture.ask(.restore(file))
        fixture.pass(milliseconds: 15 * 60_000)
        #expect(fixture.engine.sessions.all.count == Sessions.countMax)
        #expect(fixture.engine.sessions.all.contains { $0.occurrence.alarm == "work" })
        #expect(fixture.engine.history.count { $0.ending == .missed } == 11)
        #expect(fixture.notices.count == 11)
        #expect(fixture.engine.history.allSatisfy { $0.missed?.reason == .tooManyRings })
    }

    /// A crowd of alarms without challenges that rings first is no way round the challenge.
    @Test func alarmWithChallenges_replacesOneWithout_whenTooManyRing() throws {
        var fixture = try fixture()
        var file = AlarmsFile()
        file.alarms = (0..<Sessions.countMax).map { index in
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 6, minute: 59)
            return soft
        }
        fixture.ask(.restore(file))
        fixture.pass(milliseconds: 14 * 60_000)
        #expect(fixture.engine.sessions.all.count == Sessions.countMax)
        fixture.pass(milliseconds: 60_000)
        #expect(fixture.engine.sessions.all.count == Sessions.countMax)
        #expect(fixture.engine.sessions.all.contains { $0.occurrence.alarm == "work" })
        #expect(fixture.engine.history.map(\.ending) == [.unanswered])
    }

    /// While the disk hangs, replies say "not confirmed". If the disk has the change after all, it applies,
    /// also after a restart.
    @Test(arguments: [10, 6000]) func unconfirmedImport_holds_ifTheDiskHasIt(count: Int) throws {
        var fixture = try fixture()
        var file = AlarmsFile()
        file.alarms = (0..<count).map { index in
            var one = Alarm(id: "\(index)")
            one.time = ClockTime(hour: 12, minute: 0)
            return one
        }
        fixture.disk = .slow
        fixture.ask(.restore(file))
        fixture.pass(milliseconds: 11_000)
        #expect(fixture.replies.last?.refusal?.code == .notKept)
        fixture.disk = .quick
        fixture.settlePending()
        let alarms = fixture.engine.alarms
        #expect(alarms.count == count + 1)
        fixture.start()
        #expect(fixture.engine.alarms == alarms)
        fixture.pass(milliseconds: 3_600_000)
        #expect(fixture.sound?.occurrence.alarm == "work")
    }
}
