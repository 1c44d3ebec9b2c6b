// Alarms made to keep planning busy: rules that nearly never or never ring. An answer comes all the same.

import CivilTime
import Testing

@testable import Alarms

@Suite struct HostileScheduleTests {
    let noon = ClockTime(hour: 12, minute: 0)

    func alarm(_ rule: String? = "FREQ=DAILY") throws -> Alarm {
        var alarm = Alarm(id: "a")
        alarm.time = noon
        alarm.start = .first
        alarm.recurrence = try rule.map { try Recurrence(parsing: $0) }
        return alarm
    }

    /// Days that are skipped one by one: asking took a second for each alarm, and asking goes on all night.
    @Test func skippedMillennia_areLeaptOver() throws {
        var alarm = try alarm()
        let end = try #require(CivilDate(year: 9000, month: 1, day: 1))
        alarm.skipped = DateSet([.first...end])
        let schedule = Schedule(alarm, in: .utc, since: .earliest)
        for _ in 0..<10_000 {
            #expect(schedule.next(after: .earliest)?.date == end.advanced(by: 1))
        }
        alarm.skipped = DateSet([.first ... .last])
        #expect(Schedule(alarm, in: .utc, since: .earliest).next(after: .earliest) == nil)
    }

    @Test func skippedDates_hideEveryLayer() throws {
        var alarm = try alarm()
        let days = (0..<5).map { CivilDate(dayNumber: 20_000 + $0) }
        alarm.dates = [days[0]: .off, days[1]: .at(.midnight), days[3]: .at(.midnight)]
        alarm.skipped = DateSet([days[1]...days[2]])
        let schedule = Schedule(alarm, in: .utc, since: .earliest)
        let from = Instant(secondsSince1970: days[0].dayNumber * 86_400 - 1)
        let rings = Array(sequence(first: from) { schedule.next(after: $0)?.occurrence.at }.prefix(3).dropFirst())
        #expect(
            rings.map(\.local) == [
                CivilDateTime(days[3], .midnight), CivilDateTime(days[4], noon ?? .midnight),
            ])
    }
}

extension Instant {
    fileprivate var local: CivilDateTime { Zone.utc.local(self) }
}
