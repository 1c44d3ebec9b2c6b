// A hostel full of alarms: what one household never comes to.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct ManyAlarmsTests {
    private func daily(_ id: String, _ hour: Int, _ minute: Int = 0) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(hour: hour, minute: minute)
        alarm.recurrence = Recurrence(.daily)
        return alarm
    }

    /// Thousands are missed at once behind one that rings late: what a restart needs of that one is written down.
    @Test func whatRingsLate_isWrittenDown_howeverMuchIsMissedBesides() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        var file = AlarmsFile()
        file.alarms = (0..<4500).map { daily("soft \($0)", 7) }
        fixture.ask(.restore(file))
        var work = daily("work", 8, 30)
        work.challenges = [Challenge(.sums(level: 1, count: 1, limitSeconds: 60))]
        fixture.ask(.save(work))
        fixture.suspend(milliseconds: 3 * 3_600_000)
        #expect(fixture.engine.history.count { $0.ending == .missed } == 4500)
        #expect(fixture.writtenCount("fired") == 1)
        fixture.ask(.snooze(seconds: nil))
        fixture.start()
        #expect(fixture.engine.sessions.all.map(\.snoozeCount) == [1])
    }
}
