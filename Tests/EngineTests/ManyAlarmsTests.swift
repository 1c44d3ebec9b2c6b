// The tests of thousands of alarms, far more than one household has.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct ManyAlarmsTests {
    /// One alarm rings late and thousands are missed at once. The late ring must still be recorded, or a
    /// restart would lose it.
    @Test func lateRing_besideThousandsOfMissedRings_isRecorded() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        var file = AlarmsFile()
        file.alarms = (0..<4500).map { .daily("soft \($0)", "07:00") }
        fixture.ask(.restore(file))
        fixture.ask(.save(.daily("work", "08:30", Challenge(.sums(level: 1, count: 1, limitSeconds: 60)))))
        fixture.suspend(milliseconds: 3 * 3_600_000)
        #expect(fixture.engine.history.count { $0.ending == .missed } == 4500)
        #expect(fixture.writtenCount("fired") == 1)
        fixture.ask(.snooze(seconds: nil))
        fixture.start()
        #expect(fixture.engine.sessions.all.map(\.snoozeCount) == [1])
    }
}
