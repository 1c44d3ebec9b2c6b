// The tests of rings that a movement begins early: how commands set and show them.

import ScriptedService
import Testing

@Suite struct EarlyRingTests {
    private static let ring = CannedService.workRing.replacing(
        #""layer""#,
        with: #""earliest":"2026-11-24T05:40:00Z","earliestLocal":"2026-11-24T06:40:00+01:00","layer""#)
    private static let alarm = CannedService.workAlarm.replacing(#""zone":null"#, with: #""zone":null,"early":1200"#)

    private static func server(next: String, session: String = "") throws -> MockServer {
        try CannedService.server([
            "alarms": #"{"ok":true,"alarms":[{"alarm":\#(alarm),"next":\#(next),"days":"Weekdays","locked":false}]}"#,
            "status": CannedService.status(sessions: session, next: next),
        ])
    }

    @Test func early_isSet() throws {
        let server = try Self.server(next: Self.ring)
        _ = try server.rooster("add", "7:00", "--early", "20m")
        #expect(server.request("add") == #"{"alarm":{"time":"07:00","early":1200}}"#)
        _ = try server.rooster("edit", "work", "--early", "0")
        #expect(server.request("edit") == #"{"alarm":"6f9619ff-8b86-d011","changes":{"early":0}}"#)
    }

    @Test func bothTimes_areShown() throws {
        let server = try Self.server(next: Self.ring)
        let next = "rings in 7 h 12 min, Tue 07:00 (from 06:40 when you move)"
        #expect(try server.rooster("list").lines[0].hasSuffix(next))
        #expect(try server.rooster("status").output.contains("Work \(next)"))
        let shown = try server.rooster("show", "work").lines
        #expect(shown.contains("  next        \(next)"), "\(shown)")
        #expect(shown.contains("  early       rings up to 20 min early when you move"), "\(shown)")
        let deaf = try Self.server(next: CannedService.workRing).rooster("show", "work").output
        #expect(deaf.contains("when you move (not now: no step sensor works, or the clock is not set)"))
    }

    @Test func earlyRing_showsWhenItBegan() throws {
        let session = CannedService.session(at: "2026-11-23T23:00:00Z").replacing(
            #""lateSeconds":0"#, with: #""lateSeconds":0,"earlySeconds":720"#)
        let status = try Self.server(next: Self.ring, session: session).rooster("status").output
        #expect(status.contains("Work RINGS since 23:48, 12 min early"), "\(status)")
        let past = #"""
            {"alarm":"6f9619ff-8b86-d011","at":"2026-11-23T06:00:00Z","local":"2026-11-23T07:00:00+01:00","label":"Work",
            "ended":"dismissed","end":"2026-11-23T05:50:00Z","fired":"2026-11-23T05:48:00Z","lateSeconds":0,
            "earlySeconds":720,"snoozes":0,"challenges":[]}
            """#
        let history = #"{"ok":true,"history":[\#(past.replacing("\n", with: ""))]}"#
        let server = try CannedService.server(["history": history])
        #expect(try server.rooster("history").output.contains("woke you 12 min early, after 2 min"))
        #expect(try server.rooster("history", "--csv").output.hasSuffix(",720,,,0,0\r\n"))
    }
}
