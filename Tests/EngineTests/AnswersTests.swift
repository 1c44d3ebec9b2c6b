// The tests of the order of replies.

import Alarms
import CivilTime
import Health
import Testing

@testable import Engine

@Suite struct AnswersTests {
    /// A client that keeps the last reply must not end up with an outdated state.
    @Test func replies_onASlowDisk_leaveInTheOrderOfTheDecisions() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.disk = .slow
        let same = Settings()
        var (locked, other) = (same, same)
        (locked.lockSeconds, other.lockSeconds) = (60, 120)
        // This change is reported as not confirmed after a while, but becomes durable later.
        fixture.ask(.saveSettings(locked))
        fixture.pass(milliseconds: 11_000)
        #expect(fixture.answered == ["1"])
        fixture.finishOne()
        fixture.give(.health(.camera, Health(.described(.broken, "No such device"))))
        fixture.ask(.saveSettings(same))
        fixture.ask(.saveSettings(other))
        #expect(fixture.answered == ["1"])
        for _ in 0..<3 { fixture.finishOne() }
        #expect(fixture.answered == ["1", "2", "3"])
    }

    /// A one-time alarm is off when its ring ends, but a restart turns it on again until that is durable.
    @Test func commandWithoutAChange_isAnsweredWhenTheStateIsDurable() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T05:59:00Z")
        var alarm = Alarm(id: "once")
        alarm.time = ClockTime(hour: 6, minute: 0)
        fixture.ask(.save(alarm))
        fixture.pass(milliseconds: 61_000)
        fixture.disk = .slow
        fixture.ask(.stop)
        fixture.ask(.enable("once", false))
        #expect(fixture.engine.alarm("once")?.alarm.isEnabled == false)
        #expect(fixture.answered == ["1"])
        fixture.finishOne()
        #expect(fixture.answered == ["1", "2", "3"])
    }

    /// Another request names a zone that is not loaded yet. Loading it must not move an alarm that was
    /// changed meanwhile.
    @Test func acknowledgedChange_isPlanned_whenAZoneIsLoadedMeanwhile() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T07:00:00Z")
        var alarm = Alarm.daily("walk", "06:00")
        alarm.recurrence?.interval = 2
        fixture.ask(.save(alarm))
        fixture.disk = .slow
        fixture.ask(.edit("walk", AlarmPatch([.init("time", .string("09:00"))])))
        var zones = ZoneCatalogue()
        fixture.give(.zonesRead([try zones.zone(named: "Asia/Tokyo")]))
        fixture.finishOne()
        fixture.finishOne()
        guard case .done(.saved(let saved, _)) = fixture.replies.last else {
            return #expect(Bool(false), "\(fixture.replies)")
        }
        #expect(saved.next?.date == CivilDate("2026-01-13"))
        #expect(fixture.engine.alarm("walk")?.next == saved.next)
    }
}

extension EngineFixture {
    /// The identifiers of the answered requests, in order.
    fileprivate var answered: [String] {
        effects.compactMap { effect in if case .reply(_, let request) = effect { request.id } else { nil } }
    }
}
