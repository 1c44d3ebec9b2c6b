// The tests of `rooster status --follow`: its lines, its changes and its screen.

import Foundation
import Oracles
import ScriptedService
import System
import Testing

@testable import rooster

@Suite struct StatusFollowTests {
    /// At night the service sends nothing for hours. The clock on the screen must still advance.
    @Test func shownStatus_followsTheClock() throws {
        let shown = ShownStatus(try status(CannedService.status()))
        let later = shown.now("/nowhere", uptime: Uptime.milliseconds + 61_500)
        #expect(
            StatusLines(later, .plain).lines.prefix(2) == [
                "  Mon 2026-11-23 23:49:01  Europe/Berlin", "○ Work rings in 7 h 10 min, Tue 07:00",
            ])
    }

    /// A new problem and its end are changes. A new level of the sound is none.
    @Test func follow_printsALineForEachChange() throws {
        let broken = CannedService.status(
            health: #"{"part":"disk","grade":"broken","text":"it is full"}"#, warnings: #""rooster.conf:3: volum""#)
        let loud = CannedService.status(
            sessions: CannedService.session(), speaker: #"{"output":"Headphones","decibels":-3}"#)
        let louder = CannedService.status(
            sessions: CannedService.session(), speaker: #"{"output":"Headphones","decibels":-2}"#)
        let snoozed = CannedService.status(sessions: CannedService.session(state: "snoozed", secondsLeft: "540"))
        let states = [CannedService.status(), broken, broken, CannedService.status(), loud, louder, louder, snoozed]
        let server = try MockServer.following(states.map { .line($0) })
        let run = try server.rooster("status", "--follow")
        #expect(
            run.output == """
                23:48 Work will ring Tue 07:00
                23:48 Work will ring Tue 07:00. disk: it is full. rooster.conf:3: volum.
                23:48 Work will ring Tue 07:00
                23:48 Work rings
                23:48 Work rings again in 9 min, at 23:57

                """)
        // After the service closed the connection, the command connected again, and was refused.
        #expect(run.exitStatus == 1)
        #expect(
            run.errors
                == "rooster: The service has stopped or is restarting. Waiting until it runs.\nrooster: This is the end\n"
        )
        #expect(server.requests.count == 2)
        let json = try MockServer.following(states.map { .line($0) }).rooster("status", "--follow", "--json")
        #expect(json.lines.last?.hasPrefix(#"{"error":{"code":"busy""#) == true)
        #expect(json.lines.count == states.count + 1)
        #expect(json.lines.dropLast().allSatisfy { $0.hasPrefix(#"{"now":"2026-11-23T22:48:00.250Z""#) })
    }

    /// On a terminal the command redraws in place. `script` provides the terminal.
    @Test(.enabled(if: access("/usr/bin/script", X_OK) == 0)) func follow_redrawsOnATerminal() throws {
        let states = [CannedService.status(), CannedService.status(sessions: CannedService.session())]
        func server() throws -> MockServer {
            try MockServer.following(states.map { .line($0) }, others: ["status": states[1]])
        }
        let (coloured, uncoloured) = (try server(), try server())
        let command = "\(Program.built("rooster")) status --follow"
        func environment(_ server: MockServer) -> [String: String] {
            ["ROOSTER_SOCKET": server.path, "TERM": "xterm", "TZDIR": "/usr/share/zoneinfo"]
        }
        let run = try Program(
            "/usr/bin/script", ["-qec", command, "/dev/null"], environment: environment(coloured))
        #expect(run.output.contains("\u{1B}[3F"), "\(run.output.debugDescription)")
        #expect(run.output.contains("Work RINGS"))
        let plain = try Program(
            "/usr/bin/script", ["-qec", command, "/dev/null"],
            environment: environment(uncoloured).merging(["NO_COLOR": "1"]) { $1 })
        #expect(plain.output.contains("Work RINGS"))
        #expect(!plain.output.contains("\u{1B}[1;31m"))
        #expect(run.output.contains("\u{1B}[1;31m"))
    }

    /// The command sends one request and then waits. It must not give up if no change comes for a while.
    @Test(.enabled(if: access("/usr/bin/script", X_OK) == 0)) func follow_continues_withoutAChange() throws {
        let ringing = CannedService.status(sessions: CannedService.session())
        let server = try MockServer.following([
            .line(CannedService.status()), .pause(milliseconds: 2500), .line(ringing),
        ])
        let run = try Program(
            "/usr/bin/script", ["-qec", "\(Program.built("rooster")) status --follow", "/dev/null"],
            environment: ["ROOSTER_SOCKET": server.path, "TERM": "xterm", "TZDIR": "/usr/share/zoneinfo"])
        #expect(run.output.contains("Work RINGS"), "\(run.output.debugDescription)")
        #expect(run.output.contains("The service has stopped or is restarting"))
        #expect(server.requests.count == 2)
    }
}
