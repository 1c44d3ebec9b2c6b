// However much is asked for at once: what somebody has to get up for rings, and what was refused is not so.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct CrowdTests {
    /// A quarter to seven, and an alarm with a challenge at seven.
    func bedside() throws -> Bedside {
        var bedside = try Bedside(startedAt: "2026-01-12T06:00:00Z")
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

    /// More alarms at once than the limit: those that are due first ring, and each of the rest is missed and told.
    @Test func crowd_hasABound_andTheRestIsMissed() throws {
        var bedside = try bedside()
        var file = AlarmsFile()
        file.alarms = (0..<Sessions.countMax + 10).map { index in
            var soft = Alarm(id: "soft \(index)")
            soft.time = ClockTime(hour: 7, minute: 0)
            return soft
        }
        bedside.ask(.restore(file))
        bedside.pass(milliseconds: 15 * 60_000)
        #expect(bedside.engine.sessions.all.count == Sessions.countMax)
        #expect(bedside.engine.sessions.all.contains { $0.occurrence.alarm == "work" })
        #expect(bedside.engine.history.count { $0.ending == .missed } == 11)
        #expect(bedside.notices.count == 11)
    }

    /// A disk that hangs takes what somebody was told is not confirmed: it holds, and a restart finds the same.
    @Test(arguments: [10, 6000]) func importThatWasNotConfirmed_holdsIfTheDiskHasIt(count: Int) throws {
        var bedside = try bedside()
        var file = AlarmsFile()
        file.alarms = (0..<count).map { index in
            var one = Alarm(id: "\(index)")
            one.time = ClockTime(hour: 12, minute: 0)
            return one
        }
        bedside.disk = .slow
        bedside.ask(.restore(file))
        bedside.pass(milliseconds: 11_000)
        guard case .refused(.notKept)? = bedside.replies.last else {
            Issue.record("\(bedside.replies.last as Any)")
            return
        }
        bedside.disk = .quick
        bedside.settlePending()
        let alarms = bedside.engine.alarms
        #expect(alarms.count == count + 1)
        bedside.start()
        #expect(bedside.engine.alarms == alarms)
        bedside.pass(milliseconds: 3_600_000)
        #expect(bedside.sound?.occurrence.alarm == "work")
    }
}
