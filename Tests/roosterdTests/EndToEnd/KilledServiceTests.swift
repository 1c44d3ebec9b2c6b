// The tests of a service that is killed at random instants: each session continues with its progress.

import CivilTime
import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct KilledServiceTests {
    /// Runs the rounds of one stage: that percentage of all kills, then more until each event has happened.
    /// Twice as many rounds are rarely needed. After twenty times as many, the test fails.
    private static func forRounds(
        _ percent: Int, until hasAllHappened: () -> Bool, _ round: () async throws -> Void
    ) async rethrows {
        let count = Thoroughness.pick(30, full: 1000) * percent / 100
        for number in 0..<20 * count where number < count || !hasAllHappened() { try await round() }
        #expect(hasAllHappened())
    }

    /// A kill may hit a session that is snoozed, half solved, or queued behind another.
    @Test func session_continues_afterEachKill() async throws {
        var service = try FaultyDaemon(seed: 7)
        var (endCount, snoozeCount, queueCount, wokenCount) = (0, 0, 0, 0)
        func hasAllHappened() -> Bool { endCount > 0 && snoozeCount > 0 && queueCount == 2 && wokenCount > 0 }
        try await Self.forRounds(45, until: hasAllHappened) {
            if try service.sessions().isEmpty { try begin(&service) }
            let client = try service.daemon.client()
            for _ in 0..<Int.random(in: 0..<6, using: &service.random) { try client.ask(deed(&service)) }
            var known = try service.sessions()
            // The kill falls before, during or after one more action.
            let (last, now) = (try deed(&service), try service.now())
            client.say(Array("\(last)\n".utf8))
            let isHeard = Bool.random(using: &service.random)
            if isHeard {
                _ = try client.hear()
                known = try service.sessions()
            } else {
                service.wait(microsecondsMax: 5000)
            }
            service.kill()
            try service.start(clock: now)
            try service.expectGoneOn(known, underWay: isHeard ? 0 : 1)
            let found = try service.sessions()
            if found.count < known.count { endCount += 1 }
            snoozeCount = max(snoozeCount, found.values.map(\.snoozes).max() ?? 0)
            queueCount = max(queueCount, found.count)
            // A snoozed session must ring again by itself.
            if try service.status(service.daemon.client())["sessions.0.state"] == .string("snoozed") {
                try service.daemon.follow {
                    $0.isRinging && $0["speaker.output"] != .null
                }
                wokenCount += 1
            }
        }
    }

    /// Starts one or two alarms with sums, and waits until they ring.
    private func begin(_ service: inout FaultyDaemon) throws {
        let client = try service.daemon.client()
        try client.ask(#"{"do":"configure","changes":{"snooze":{"min":1}}}"#)
        let isAlone = Bool.random(using: &service.random)
        var next = ""
        for (id, count) in [("a", 2), ("b", 3)] {
            let isOn = id == "a" || !isAlone
            let saved = try service.save(
                id,
                #"{"time":"15:00","repeat":"FREQ=DAILY","enabled":\#(isOn),"ring":{"for":43200},"#
                    + #""snooze":{"max":null,"seconds":1},"challenges":[{"kind":"math","count":\#(count),"limit":300},"#
                    + #"{"kind":"math","count":1,"limit":300}]}"#)
            next = saved ?? next
        }
        try service.daemon.setClock(next)
        try service.daemon.follow { $0["sessions.\(isAlone ? 0 : 1)"] != nil }
    }

    /// Returns a random action. If the session asks a sum, it is mostly the right answer.
    private func deed(_ service: inout FaultyDaemon) throws -> String {
        let deeds = [#"{"do":"snooze"}"#, #"{"do":"stop"}"#, #"{"do":"stop"}"#, #"{"do":"answer","number":1}"#]
        let sum = try service.status(service.daemon.client())["sessions.0.asked.sum"]
        guard Int.random(in: 0..<4, using: &service.random) > 0, case .string(let text)? = sum else {
            return deeds.randomElement(using: &service.random) ?? ""
        }
        return #"{"do":"answer","number":\#(Sums.result(of: text))}"#
    }

    /// A kill may fall before the ring is due, when it is recorded, or when it is first heard. The ring must
    /// play at the next start, and never again after its end.
    @Test func ring_plays_afterAKillAtAnyTimeAroundIt() async throws {
        var service = try FaultyDaemon(seed: 8)
        var (begunCount, lateCount) = (0, 0)
        // On every machine a ring begins after about half this time.
        var reachMicroseconds: UInt32 = 40_000
        try await Self.forRounds(45, until: { begunCount > 0 && lateCount > 0 }) {
            let rings = try save(&service)
            let due = try #require(Instant(rings[0].at, rounding: .down))
            // At this speed the last second lasts 20 ms.
            try service.daemon.client().ask(
                #"{"do":"simulate","clock":"\#(due.advanced(by: -1))","speed":50}"#)
            service.wait(microsecondsMax: reachMicroseconds)
            service.kill()
            let lateSeconds = [0, 1, 900].randomElement(using: &service.random) ?? 0
            try service.start(clock: "\(due.advanced(by: lateSeconds))")
            try service.daemon.follow {
                $0.isRinging && $0["speaker.output"] != .null
            }
            let found = try service.sessions()
            #expect(Set(found.keys) == Set(rings))
            // The ring began before the kill, or begins now. A stall of 20 ms makes it a second late.
            for progress in found.values {
                #expect(progress.lateSeconds < lateSeconds + 60)
                guard lateSeconds == 900 else { continue }
                if progress.lateSeconds < lateSeconds {
                    begunCount += 1
                    reachMicroseconds = max(25_000, reachMicroseconds / 2)
                } else {
                    lateCount += 1
                    reachMicroseconds = min(800_000, reachMicroseconds * 2)
                }
            }
            if Int.random(in: 0..<3, using: &service.random) == 0 {
                let before = try service.decibels()
                service.kill()
                try service.start(clock: "\(due.advanced(by: lateSeconds + 1))")
                #expect(try Set(service.sessions().keys) == Set(rings))
                // The level must not fall. A late ring has already reached its full level.
                #expect(try service.decibels() >= before)
            }
            for ring in rings {
                let stop = #"{"do":"stop","ifRing":{"alarm":"\#(ring.alarm)","at":"\#(ring.at)"}}"#
                #expect(try service.daemon.client().ask(stop)["ok"] == .bool(true))
            }
            #expect(try service.sessions().isEmpty)
            #expect(try service.dismissed().isSuperset(of: rings))
        }
    }

    /// Saves one or two alarms that ring together on the next day. Returns their rings.
    private func save(_ service: inout FaultyDaemon) throws -> [RingName] {
        let isAlone = Bool.random(using: &service.random)
        var rings: [RingName] = []
        for id in ["a", "b"] {
            let isOn = id == "a" || !isAlone
            let next = try service.save(id, #"{"time":"15:00","repeat":"FREQ=DAILY","enabled":\#(isOn)}"#)
            if let next { rings.append(RingName(id, at: next)) }
        }
        return rings
    }

    /// The calendars fill the journal until it is compacted. A kill must not lose an acknowledged change.
    @Test func acknowledgedChanges_surviveAKillDuringACompaction() async throws {
        var service = try FaultyDaemon(seed: 9)
        var (saved, caughtCount, before) = (0, 0, Set<RingName>())
        // Only the full run must hit a compaction. On a fast disk a few kills may miss it.
        try await Self.forRounds(10, until: { caughtCount > 0 || !Thoroughness.isFull }) {
            let next = try service.save("a", #"{"time":"15:00","repeat":"FREQ=DAILY"}"#)
            let ring = RingName("a", at: try #require(next))
            let (files, sent) = (try service.files, saved + 20)
            let client = try service.daemon.client()
            client.say(Array((saved + 1...sent).map(note).joined().utf8))
            // A compaction writes the whole state to a new segment, which replaces the old one.
            try await waitUntil(everyMilliseconds: 0) { try service.files != files }
            if Bool.random(using: &service.random) {
                try await waitUntil(everyMilliseconds: 0) { try !service.isCompacting }
            }
            service.wait(microsecondsMax: 3000)
            service.kill()
            if try service.isCompacting { caughtCount += 1 }
            // Responses that were sent before the kill still arrive.
            do {
                while true {
                    #expect(try client.hear()["ok"] == .bool(true))
                    saved += 1
                }
            } catch is Client.Gone {
                // All responses have been read.
            }
            try service.start(clock: ring.at)
            let found = try service.daemon.client().ask(#"{"do":"calendars"}"#)["calendars.0.calendar.number"]
            let number = if case .string(let digits)? = found { Int(digits) ?? 0 } else { 0 }
            #expect((saved...sent).contains(number))
            saved = number
            try service.daemon.follow { $0["sessions.0"] != nil }
            #expect(try Set(service.sessions().keys) == [ring])
            try service.daemon.client().ask(#"{"do":"stop"}"#)
            #expect(try service.dismissed().isSuperset(of: before.union([ring])))
            before = [ring]
        }
    }

    /// Returns a line that saves a calendar with a number and 15,000 bytes of padding. Its response is
    /// short, because a service stops reading lines of a client that reads no responses.
    private func note(_ number: Int) -> String {
        #"{"do":"saveCalendar","name":"note","calendar":{"weekdays":["mon"],"number":"\#(number)","more":""#
            + String(repeating: "x", count: 15_000) + "\"}}\n"
    }
}
