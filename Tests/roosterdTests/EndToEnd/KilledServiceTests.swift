// A service that is killed at any instant of a session goes on with it: same occurrence, same counts, same progress.

import Alarms
import Foundation
import Household
import Oracles
import Testing

@Suite struct KilledServiceTests {
    /// How far a session had come, as far as anybody was told.
    private struct Progress {
        var at: JSON?
        var snoozes = 0
        var done = 0

        init(_ session: JSON?) {
            at = session?["at"]
            if case .number(let digits)? = session?["snoozes"] { snoozes = Int(digits) ?? 0 }
            if case .array(let challenges)? = session?["challenges"] {
                done = challenges.count { $0["done"] == .bool(true) }
            }
        }
    }

    @Test func session_goesOnAfterEachKill() throws {
        let scratch = try Scratch()
        var random = SeededRandom(seed: 7)
        var daemon = try Daemon(scratch.path)
        var (endCount, snoozeCount) = (0, 0)
        try ring(daemon)
        for _ in 0..<(Thoroughness.isFull ? 1000 : 200) {
            let client = try daemon.client()
            for _ in 0..<Int.random(in: 0..<6, using: &random) { try client.ask(deed(client, &random)) }
            var before = try status(client)
            // Somebody does something else, and the power goes before, during or after it.
            client.say(Array("\(try deed(client, &random))\n".utf8))
            if Bool.random(using: &random) {
                _ = try client.hear()
                before = try status(client)
            } else {
                usleep(UInt32.random(in: 0..<5000, using: &random))
            }
            daemon.kill()
            guard case .string(let now)? = before["now"] else { throw Client.Gone() }
            daemon = try Daemon(scratch.path, clock: now)
            let after = try status(daemon.client())
            if after["sessions.0"] != nil || before["sessions.0"] == nil {
                let (known, found) = (Progress(before["sessions.0"]), Progress(after["sessions.0"]))
                #expect(found.at == known.at)
                #expect(found.snoozes >= known.snoozes && found.snoozes <= known.snoozes + 1)
                #expect(found.done >= known.done && found.done <= known.done + 1)
                snoozeCount = max(snoozeCount, found.snoozes)
            } else {
                // Nothing but its challenges ends it.
                let history = try daemon.client().ask(#"{"do":"history"}"#)
                guard case .array(let rings)? = history["history"] else { throw Client.Gone() }
                #expect(rings.last?["ended"] == .string("dismissed"))
                #expect(rings.last?["challenges.1.done"] != .null)
            }
            if after["sessions.0"] == nil {
                endCount += 1
                try ring(daemon)
            }
        }
        // All of it has happened.
        #expect(endCount > 0 && snoozeCount > 0)
    }

    /// An alarm that has just begun to ring.
    private func ring(_ daemon: Daemon) throws {
        let client = try daemon.client()
        try client.ask(#"{"do":"configure","changes":{"snooze":{"min":1}}}"#)
        let saved = try client.ask(
            #"{"do":"save","alarm":{"id":"a","time":"15:00","repeat":"FREQ=DAILY","ring":{"for":43200},"#
                + #""snooze":{"max":null,"seconds":1},"challenges":[{"kind":"math","count":2,"limit":300},"#
                + #"{"kind":"math","count":1,"limit":300}]}}"#)
        guard case .string(let next)? = saved["next.at"] else { throw Client.Gone() }
        try daemon.setClock(next)
        try daemon.follow { $0["sessions.0"] != nil }
    }

    private func status(_ client: Client) throws -> JSON {
        guard let status = try client.ask(#"{"do":"status"}"#)["status"] else { throw Client.Gone() }
        return status
    }

    /// Mostly the right answer, if a sum is asked.
    private func deed(_ client: Client, _ random: inout SeededRandom) throws -> String {
        let deeds = [#"{"do":"snooze"}"#, #"{"do":"stop"}"#, #"{"do":"stop"}"#, #"{"do":"answer","number":1}"#]
        let sum = try status(client)["sessions.0.asked.sum"]
        guard Int.random(in: 0..<4, using: &random) > 0, case .string(let text)? = sum else {
            return deeds.randomElement(using: &random) ?? ""
        }
        return #"{"do":"answer","number":\#(Sums.result(of: text))}"#
    }
}
