// The tests of the details in the status and the history: the length of a snooze, and the time of the last test.

import ScriptedService
import Testing

@Suite struct StatusDetailTests {
    private func status(_ status: String) throws -> [Substring] {
        try CannedService.server(["status": status]).rooster("status").lines
    }

    @Test func snooze_hasItsLength() throws {
        let session = CannedService.session().replacing(#""snoozesMax""#, with: #""snoozeSeconds":360,"snoozesMax""#)
        let lines = try status(CannedService.status(sessions: session))
        #expect(lines.contains { $0.contains("rooster snooze (6 min, 2 snoozes left)") }, "\(lines)")
    }

    @Test func parts_haveTheTimeOfTheirTest() throws {
        let parts =
            #"{"part":"speaker","grade":"ok","text":"","at":"2026-11-23T20:00:02Z"},"#
            + #"{"part":"camera","grade":"ok","text":"","at":"2026-11-23T20:00:00Z"}"#
        let lines = try status(CannedService.status(health: parts))
        #expect(lines.last == "✓ Ready: speaker, camera, tested today 21:00")
    }

    @Test func putOffRing_hasTheTimeToWhichItWasPutOff() throws {
        let ring =
            #"{"alarm":"a","at":"2026-11-23T06:00:00Z","local":"2026-11-23T07:00:00+01:00","label":"Bins","#
            + #""ended":"dismissed","end":"2026-11-24T00:32:00Z","snoozes":0,"challenges":[],"#
            + #""postponedTo":"2026-11-23T23:30:00Z","postponedToLocal":"2026-11-24T00:30:00+01:00"}"#
        let server = try CannedService.server(["history": #"{"ok":true,"history":[\#(ring)]}"#])
        #expect(try server.rooster("history").output.contains("put off to Tue 2026-11-24 00:30"))
    }

    @Test func success_namesTheNumberOfItsRings() throws {
        let ring =
            #"{"alarm":"a","at":"2026-11-23T06:00:00Z","local":"2026-11-23T07:00:00+01:00","label":"Work","#
            + #""ended":"dismissed","end":"2026-11-23T06:02:00Z","snoozes":0,"challenges":[]}"#
        let server = try CannedService.server([
            "history": #"{"ok":true,"history":[\#(ring)],"success":0.9,"successRings":20}"#
        ])
        #expect(try server.rooster("history").lines.last == "Of the 20 rings with challenges, 90 % were ended by them")
    }
}
