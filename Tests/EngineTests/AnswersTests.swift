// In which order people are answered.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct AnswersTests {
    /// Whoever hears last what is so must not be told what was so before.
    @Test func answers_leaveInTheOrderInWhichTheyWereDecided_thoughTheDiskIsSlow() throws {
        var bedside = try Bedside(startedAt: "2026-01-12T06:00:00Z")
        bedside.disk = .slow
        let same = Settings()
        var (locked, other) = (same, same)
        (locked.lockSeconds, other.lockSeconds) = (60, 120)
        // This is not confirmed after a while, and durable all the same.
        bedside.ask(.saveSettings(locked))
        bedside.pass(milliseconds: 11_000)
        #expect(bedside.answered == ["1"])
        bedside.finishOne()
        bedside.give(.health(.camera, Health(.described(.broken, "No such device"))))
        bedside.ask(.saveSettings(same))
        bedside.ask(.saveSettings(other))
        #expect(bedside.answered == ["1"])
        for _ in 0..<3 { bedside.finishOne() }
        #expect(bedside.answered == ["1", "2", "3"])
    }

    /// An alarm that rings once is off by the end of its ring, and a restart does not know of that before it is durable.
    @Test func whatIsSoAlready_isAnsweredWhenItIsDurable() throws {
        var bedside = try Bedside(startedAt: "2026-01-12T05:59:00Z")
        var alarm = Alarm(id: "once")
        alarm.time = ClockTime(hour: 6, minute: 0)
        bedside.ask(.save(alarm))
        bedside.pass(milliseconds: 61_000)
        bedside.disk = .slow
        bedside.ask(.stop)
        bedside.ask(.enable("once", false))
        #expect(bedside.engine.alarm("once")?.alarm.isEnabled == false)
        #expect(bedside.answered == ["1"])
        bedside.finishOne()
        #expect(bedside.answered == ["1", "2", "3"])
    }

    /// Another request names a zone that nobody has named before: that moves no alarm that was changed meanwhile.
    @Test func answeredRing_isPlanned_thoughAZoneIsReadWhileTheChangeIsOnItsWay() throws {
        var bedside = try Bedside(startedAt: "2026-01-12T07:00:00Z")
        var alarm = Alarm(id: "walk")
        (alarm.time, alarm.recurrence) = (ClockTime(hour: 6, minute: 0), Recurrence(.daily))
        alarm.recurrence?.interval = 2
        bedside.ask(.save(alarm))
        bedside.disk = .slow
        bedside.ask(.edit("walk", AlarmPatch([.init("time", .string("09:00"))])))
        var zones = ZoneCatalogue()
        bedside.give(.zonesRead([try zones.zone(named: "Asia/Tokyo")]))
        bedside.finishOne()
        bedside.finishOne()
        guard case .done(.saved(let saved, _)) = bedside.replies.last else {
            return #expect(Bool(false), "\(bedside.replies)")
        }
        #expect(saved.next?.date == CivilDate("2026-01-13"))
        #expect(bedside.engine.alarm("walk")?.next == saved.next)
    }
}

extension Bedside {
    /// Who was answered, in order.
    fileprivate var answered: [String] {
        effects.compactMap { effect in if case .reply(_, let request) = effect { request.id } else { nil } }
    }
}
