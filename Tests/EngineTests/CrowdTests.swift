// However much is asked for at once: what somebody has to get up for rings, and what was refused is not so.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct CrowdTests {
    /// A quarter to seven, and an alarm with a challenge at seven.
    func bedside() throws -> Bedside {
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        var bedside = Bedside(wallMilliseconds: now.milliseconds, zone: .utc)
        bedside.start()
        bedside.ask(.save(work))
        bedside.pass(milliseconds: 45 * 60_000)
        return bedside
    }

    var work: Alarm {
        var work = Alarm(id: "work")
        work.time = ClockTime(hour: 7, minute: 0)
        work.recurrence = Recurrence(.daily)
        work.challenges = [Challenge(.sums(level: 1, count: 1, limitSeconds: 60))]
        return work
    }

    /// Whoever lies in bed makes a thousand alarms that are due before: the locked one rings at its time all the same.
    @Test func crowd_keepsNoLockedAlarmFromRinging() throws {
        var bedside = try bedside()
        for index in 0..<Ledger.sessionsMax + 10 {
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 6, minute: 59)
            soft.ring.ringSeconds = 43_200
            bedside.ask(.save(soft))
        }
        bedside.pass(milliseconds: 16 * 60_000)
        #expect(bedside.engine.ledger.sessions.contains { $0.occurrence.alarm == "work" })
        #expect(bedside.engine.ledger.sessions.count == Ledger.sessionsMax + 1)
        // Those that found no room come in as soon as there is some.
        bedside.ask(.stop)
        bedside.ask(.stop)
        #expect(bedside.engine.ledger.sessions.count == Ledger.sessionsMax)
        #expect(bedside.engine.history.allSatisfy { $0.ending != .missed })
    }

    /// Three presses are a challenge, too: what is older than all of these rings beside them, however many they are.
    @Test func crowdWithChallenges_keepsNoLockedAlarmFromRinging() throws {
        var bedside = try bedside()
        var file = AlarmsFile()
        file.alarms = (0..<2 * Ledger.sessionsMax + 10).map { index in
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 6, minute: 59)
            soft.ring.ringSeconds = 43_200
            soft.ring.volume = 0.001
            soft.challenges = [Challenge(.pattern(length: 3))]
            return soft
        }
        bedside.ask(.restore(file))
        bedside.pass(milliseconds: 20 * 60_000)
        #expect(bedside.engine.ledger.sessions.contains { $0.occurrence.alarm == "work" })
        #expect(bedside.engine.ledger.sessions.count == 2 * Ledger.sessionsMax + 1)
        #expect(bedside.sound?.ring.volume ?? 0 >= 0.8)
        // Those that found no room are locked as those are that ring.
        guard case .refused(.locked)? = bedside.ask(.enable("soft \(2 * Ledger.sessionsMax + 9)", false)) else {
            Issue.record("\(bedside.replies.last as Any)")
            return
        }
    }

    /// However young something is that rings: there is a bound, and no session is forgotten for it.
    @Test func crowd_losesNoSession_andHasABound() throws {
        var bedside = try bedside()
        var file = AlarmsFile()
        file.alarms = (0..<4 * Ledger.sessionsMax).map { index in
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 7, minute: 0)
            soft.challenges = [Challenge(.pattern(length: 3))]
            return soft
        }
        bedside.ask(.restore(file))
        bedside.pass(milliseconds: 1000)
        var young = Alarm(id: "young")
        young.time = ClockTime(hour: 6, minute: 59)
        young.challenges = [Challenge(.pattern(length: 3))]
        bedside.ask(.save(young))
        bedside.pass(milliseconds: 16 * 60_000)
        #expect(bedside.engine.ledger.sessions.count <= 3 * Ledger.sessionsMax)
        for _ in 0..<2 {
            #expect(bedside.engine.ledger.sessions.contains { $0.occurrence.alarm == "work" })
            bedside.wallMilliseconds += 61 * 60_000
            bedside.start()
        }
    }

    /// A disk that hangs takes after all what somebody was told it had not.
    @Test(arguments: [10, 6000]) func importThatWasRefused_isUndone(count: Int) throws {
        var bedside = try bedside()
        let before = bedside.engine.alarms
        var file = AlarmsFile()
        file.alarms = (0..<count).map { index in
            var one = Alarm(id: "\(index)")
            one.time = ClockTime(hour: 12, minute: 0)
            return one
        }
        var louder = work
        louder.ring.volume = 1
        file.alarms.append(louder)
        bedside.disk = .slow
        bedside.ask(.restore(file))
        bedside.pass(milliseconds: 11_000)
        guard case .refused(.notKept)? = bedside.replies.last else {
            Issue.record("\(bedside.replies.last as Any)")
            return
        }
        bedside.disk = .quick
        bedside.settlePending()
        #expect(bedside.engine.alarms == before)
        bedside.start()
        #expect(bedside.engine.alarms == before)
        bedside.pass(milliseconds: 3_600_000)
        #expect(bedside.sound?.occurrence.alarm == "work")
    }
}
