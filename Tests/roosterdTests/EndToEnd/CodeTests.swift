// The tests of a code from its enrolment to the silence: the real programs with simulated devices.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite(.serialized) struct CodeTests {
    private static let payload = "what-the-bathroom-says"

    /// A service, and the command line that uses it.
    private struct CodeFixture {
        let daemon: DaemonFixture

        init(_ scratch: Scratch, clock: String = "2024-03-09T15:00:00-05:00") throws {
            daemon = try DaemonFixture(scratch.path, clock: clock)
        }

        private var environment: [String: String] {
            ["ROOSTER_SOCKET": daemon.socket, "TZDIR": "/usr/share/zoneinfo"]
        }

        /// Runs the command until it exits.
        @discardableResult
        func rooster(_ arguments: String..., exitStatus: Int32 = 0) throws -> String {
            let run = try Program(Program.built("rooster"), arguments, environment: environment)
            #expect(run.exitStatus == exitStatus, "\(arguments): \(run.output)\(run.errors)")
            return exitStatus == 0 ? run.output : run.errors
        }

        /// Starts the command in the background, and waits until it asks for a code.
        func begin(_ arguments: String...) throws -> Dialogue {
            let command = try Dialogue(Program.built("rooster"), arguments, environment: environment)
            _ = try #require(command.hear("Hold the code in front of the camera"))
            return command
        }

        func enrol(_ label: String, showing payload: String) throws {
            let enrolment = try begin("code", "enrol", label)
            try rooster("bedside", "--show", payload)
            let said = try #require(enrolment.hear("Enrolled the code \"\(label)\" (fingerprint "))
            #expect(!said.contains(payload))
            #expect(!enrolment.hearAll().contains(payload))
            #expect(enrolment.exitStatus() == 0)
            try rooster("bedside", "--show", "nothing")
        }

        /// Shows another code until the log reports it as wrong, which takes a second.
        func showAnother() throws {
            try rooster("bedside", "--show", "a carton of milk")
            try daemon.hear("A wrong code was shown for ")
        }

        /// Rings the alarm of 15:10, and waits until it asks for its code.
        func ring() throws {
            // If a camera disappears, its earlier health decides how the alarm continues.
            try daemon.follow { $0.isInOrder("camera") }
            try rooster("bedside", "--clock", "2024-03-09T15:09:59")
            try daemon.follow { $0["sessions.0.asked.kind"] == .string("qr") }
        }
    }

    @Test func enrolledCode_isTheOnlyOneThatEndsTheRing() throws {
        let scratch = try Scratch()
        let fixture = try CodeFixture(scratch)
        let refused = try fixture.rooster("add", "15:10", "--code", "bathroom", exitStatus: 1)
        #expect(refused.contains("'rooster code enrol LABEL'"), "\(refused)")
        try fixture.enrol("bathroom", showing: Self.payload)
        try fixture.rooster("add", "15:10", "daily", "--label", "Work", "--code", "bathroom")
        #expect(try fixture.rooster("code", "list").hasSuffix("  Work\n"))
        #expect(try !fixture.rooster("export").contains(Self.payload))
        let needed = try fixture.rooster("code", "forget", "bathroom", exitStatus: 1)
        #expect(needed.contains("Work"), "\(needed)")
        try fixture.ring()
        #expect(try fixture.rooster("status").contains("▸ Show the code \"bathroom\" to the camera\n"))
        #expect(try fixture.rooster("stop", exitStatus: 1).contains("Show the code \"bathroom\" to the camera"))
        try fixture.rooster("bedside", "--show", "a carton of milk")
        try fixture.daemon.hear("The camera sees a QR code that is not enrolled")
        try fixture.daemon.hear("A wrong code was shown for ")
        #expect(try fixture.rooster("status").contains("! This is the wrong code for this alarm\n"))
        try fixture.rooster("bedside", "--show", "nothing", "--camera", "dark")
        try fixture.daemon.follow { $0["camera.frame.dark"] == .bool(true) }
        #expect(try fixture.rooster("status").contains("! Too dark: turn on a light\n"))
        #expect(try fixture.rooster("stop", exitStatus: 1).contains("Too dark: turn on a light"))
        fixture.daemon.kill()
        let again = try CodeFixture(scratch, clock: "2024-03-09T15:11:00-05:00")
        // A code in view at the start of the ring was left there, so it must not count.
        try again.rooster("bedside", "--show", Self.payload)
        try again.daemon.follow { $0["camera.removeAndShowAgain"] == .bool(true) && $0["speaker.output"] != .null }
        #expect(try again.rooster("status").contains("! The code has been in view since the ring began"))
        try again.showAnother()
        try again.rooster("bedside", "--show", "\n \(Self.payload) \n")
        try again.daemon.follow { $0["sessions"] == .array([]) && $0["speaker.output"] == .null }
        let ending = "Work  dismissed"
        #expect(try again.rooster("history").contains(ending))
        // The key has survived the kill. Under another key this would be another code.
        #expect(try again.rooster("code", "test").hasPrefix("This is the code \"bathroom\""))
        let log = try again.rooster("journal", "dump", scratch.path)
        #expect(log.contains(#""key":"not shown""#) && !log.contains(Self.payload))
    }

    @Test func unpluggedCamera_endsNoRing_andIsReported() throws {
        let scratch = try Scratch()
        let fixture = try CodeFixture(scratch)
        try fixture.enrol("bathroom", showing: Self.payload)
        try fixture.rooster("add", "15:10", "--label", "Work", "--code", "bathroom")
        try fixture.ring()
        try fixture.showAnother()
        try fixture.rooster("bedside", "--camera", "unplugged")
        try fixture.daemon.follow { !$0.isInOrder("camera") }
        #expect(try fixture.rooster("status").contains("✗ No camera is plugged in"))
        #expect(try fixture.rooster("stop", exitStatus: 1).contains("Check its plug"))
        let status = try fixture.daemon.client().ask(#"{"do":"status"}"#)
        #expect(status["status.sessions.0.asked.kind"] == .string("qr"))
        #expect(try fixture.rooster("status").contains("rings for ten minutes before ten sums replace"))
        try fixture.rooster("bedside", "--camera", "ok", "--show", Self.payload)
        try fixture.daemon.follow { $0["sessions"] == .array([]) }
    }

    /// The sheet, the enrolment and the list have one fingerprint. A killed client enrols nothing.
    @Test func sheet_showsTheListedFingerprint_andAKilledClientEnrolsNothing() throws {
        let scratch = try Scratch()
        let fixture = try CodeFixture(scratch)
        let killed = try fixture.begin("code", "enrol", "hall")
        try fixture.daemon.follow { $0["scan.label"] == .string("hall") }
        killed.signal(SIGKILL)
        try fixture.daemon.follow { $0["scan"] == .null }
        let sheet = "\(scratch.path)/sheet.png"
        let said = try fixture.rooster("code", "print", "bathroom", "--output", sheet)
        let fingerprint = try #require(said.firstMatch(of: /fingerprint will be ([0-9a-f]{8})/)?.1)
        let scanned = try fixture.rooster("scan", sheet).split { $0 == " " || $0 == "\n" }
        try fixture.enrol("bathroom", showing: String(try #require(scanned.last)))
        #expect(try fixture.rooster("code", "list").split(separator: "\n").count == 1)
        #expect(try fixture.rooster("code", "list").contains(fingerprint))
    }

    /// While one client scans, another is refused. The first scan lasts until it is cancelled.
    @Test func secondScan_isRefused_andTheFirstCanBeCancelled() throws {
        let scratch = try Scratch()
        let fixture = try CodeFixture(scratch)
        let enrolment = try fixture.begin("code", "enrol", "bathroom")
        #expect(try fixture.rooster("code", "test", exitStatus: 1).contains("is being enrolled or tested"))
        try fixture.daemon.follow { $0["scan.label"] == .string("bathroom") }
        #expect(try fixture.rooster("code", "cancel") == "Cancelled the enrolment of the code \"bathroom\"\n")
        #expect(enrolment.hear("rooster: Cancelled by another client") != nil)
        #expect(enrolment.exitStatus() == 1)
        let second = try fixture.begin("code", "enrol", "bathroom")
        second.signal(SIGINT)
        #expect(second.hear("rooster: Cancelled") != nil)
        #expect(second.exitStatus() == -SIGINT)
        try fixture.daemon.follow { $0["scan"] == .null }
        #expect(try fixture.rooster("code", "list").hasPrefix("No code is enrolled."))
        // The cancelled scan must not block the next one.
        try fixture.enrol("bathroom", showing: Self.payload)
        try fixture.rooster("bedside", "--show", Self.payload)
        let other = try fixture.rooster("code", "enrol", "kitchen", exitStatus: 1)
        #expect(other.contains("enrolled as \"bathroom\""), "\(other)")
    }
}

extension JSON {
    /// True if a status reports the part as in order.
    fileprivate func isInOrder(_ part: String) -> Bool { isOf("ok", part) }

    /// True if a status reports the part as broken.
    fileprivate func isBroken(_ part: String) -> Bool { isOf("broken", part) }

    private func isOf(_ grade: String, _ part: String) -> Bool {
        guard case .array(let parts)? = self["health"] else { return false }
        return parts.contains { $0["part"] == .string(part) && $0["grade"] == .string(grade) }
    }
}
