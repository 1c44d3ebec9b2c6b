// The test of the remaining pause after a restart, if its end is too far away.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct PauseTests {
    static let at = Instant(secondsSince1970: 1_768_197_600)
    static let work = Occurrence(alarm: "work", at: at)
    static let until = at.milliseconds + 36_000_000

    /// The pause ends in ten hours, later than any owner may request, because the clock was set back.
    @Test(arguments: [
        (Fact.snoozed(work, count: 1, untilMilliseconds: until), 3_600_000),
        (Fact.rested(work, count: 1, untilMilliseconds: until), 300_000),
    ])
    func pauseThatIsTooLong_isCappedAtTheLongest(pause: Fact, leftMilliseconds: Int) throws {
        let alarm = Alarm.daily("work", "06:00")
        let session = Session(
            occurrence: Self.work, terms: Terms(of: alarm, Settings(), seed: 1), layer: .base,
            revision: 1, firedMilliseconds: Self.at.milliseconds, seed: 1)
        let facts: [Fact] = [.alarmSaved(alarm, ScheduleState(revision: 1, cursor: Self.at)), .fired(session), pause]
        var engine = Engine(replaying: facts.map { Entry(millisecondsSince1970: Self.at.milliseconds, $0) })
        _ = engine.handle(
            .start(Start(isClockTrusted: true, zone: .utc, seed: 1)),
            at: Moment(wallMilliseconds: Self.at.milliseconds, uptimeMilliseconds: 5000))
        #expect(engine.status().sessions.first?.leftMilliseconds == leftMilliseconds)
    }
}
