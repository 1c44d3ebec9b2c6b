// How long a session is silent after a restart, by records that do not say how long it was to be.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct PauseTests {
    /// The clock was set back by ten hours while the machine was off.
    @Test(arguments: [
        (Session.Pause.Reason.snooze, SessionStatus.State.snoozed(leftMilliseconds: 3_600_000)),
        (.rest, .rests(leftMilliseconds: 300_000)),
    ])
    func pauseOfUnknownLength_isNoLongerThanTheLongest(
        reason: Session.Pause.Reason, expected: SessionStatus.State
    ) throws {
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        var alarm = Alarm(id: "work")
        alarm.time = ClockTime(hour: 6, minute: 0)
        alarm.recurrence = Recurrence(.daily)
        var session = Session(
            occurrence: Occurrence(alarm: "work", at: now), terms: Terms(of: alarm, Settings(), seed: 1), layer: .base,
            revision: 1, firedMilliseconds: now.milliseconds, seed: 1)
        session.pause = Session.Pause(reason: reason, untilMilliseconds: now.milliseconds + 36_000_000)
        let facts: [Fact] = [.alarmSaved(alarm, PlanPosition(revision: 1, cursor: now)), .sessionKept(session)]
        var engine = Engine(replaying: facts.map { Entry(millisecondsSince1970: now.milliseconds, $0) })
        _ = engine.handle(
            .start(Start(isClockTrusted: true, zone: .utc, seed: 1)),
            at: Moment(wallMilliseconds: now.milliseconds, uptimeMilliseconds: 5000))
        #expect(engine.status().sessions.first?.state == expected)
    }
}
