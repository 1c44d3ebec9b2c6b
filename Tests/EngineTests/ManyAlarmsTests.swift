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
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        var bedside = Bedside(wallMilliseconds: now.milliseconds, zone: .utc)
        bedside.start()
        var file = AlarmsFile()
        file.alarms = (0..<4500).map { daily("soft \($0)", 7) }
        bedside.ask(.restore(file))
        var work = daily("work", 8, 30)
        work.challenges = [Challenge(.sums(level: 1, count: 1, limitSeconds: 60))]
        bedside.ask(.save(work))
        bedside.suspend(milliseconds: 3 * 3_600_000)
        #expect(bedside.engine.history.count { $0.ending == .missed } == 4500)
        #expect(bedside.writtenCount("fired") == 1)
        bedside.ask(.snooze(seconds: nil))
        bedside.start()
        #expect(bedside.engine.ledger.sessions.map(\.snoozeCount) == [1])
    }

    /// So many rings are over that some are let go: nobody says of those that they were missed.
    @Test func ringsThatAreForgotten_wereNotMissed() throws {
        let now = try #require(Instant("2026-01-12T08:00:00Z", rounding: .down))
        let day = 86_400
        let alarms = (0..<1000).map { daily("\($0)", 7) }
        let since = now.advanced(by: -60 * day)
        var entries = alarms.map { Entry(millisecondsSince1970: since.milliseconds, .alarmSaved($0, since: since)) }
        for age in (0..<31).reversed() {
            let at = now.advanced(by: -age * day - 3600)
            for alarm in alarms {
                let terms = Terms(of: alarm, Settings(), seed: 0)
                let session = Session(
                    Occurrence(alarm: alarm.id, at: at), terms: terms, layer: .base, alarmSince: since,
                    firedMilliseconds: at.milliseconds, seed: 0)
                entries.append(Entry(millisecondsSince1970: at.milliseconds, .fired(session)))
                entries.append(
                    Entry(
                        millisecondsSince1970: at.milliseconds + 60_000,
                        .ended(session.occurrence, .dismissed, by: .page, switchesOff: nil)))
            }
        }
        var engine = Engine(replaying: Engine(replaying: entries).snapshot)
        let moment = Moment(wallMilliseconds: now.milliseconds, uptimeMilliseconds: 60_000)
        _ = engine.handle(.start(Start(isClockTrusted: true, zone: .utc, seed: 1)), at: moment)
        #expect(engine.history.allSatisfy { $0.ending == .dismissed })
        #expect(engine.history.count > 15_000)
    }
}
