// The tests of the command line with a real service over a real socket.

import Alarms
import ControlServer
import Fixtures
import Foundation
import JSON
import Oracles
import Service
import Sound
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(10))) struct RealServiceTests {
    /// Runs a service in New York, on the afternoon before clocks are set forward, with an open socket.
    private func withCommandLine(_ body: (CommandLineFixture) async throws -> Void) async throws {
        try await withService { service in
            let path = "\(service.directory)/control.sock"
            let socket = try ControlSocket(at: path, group: nil, to: service.service, on: service.loop)
            try await socket.open()
            try await body(CommandLineFixture(base: service, path: path))
            await socket.close()
        }
    }

    private struct CommandLineFixture {
        let base: ServiceFixture
        let path: String

        /// Runs the command line. Returns its output, or its errors if it is expected to fail.
        func rooster(_ words: String..., exitStatus: Int32 = 0, input: String = "") throws -> String {
            let run = try run(words, input: input)
            #expect(run.exitStatus == exitStatus, "\(words): \(run.errors)")
            return exitStatus == 0 ? run.output : run.errors
        }

        /// Runs a sound test in the background, with an audible speaker. Its output and errors go to files.
        func beginSoundTest(_ words: String..., in scratch: Scratch) throws -> Process {
            base.speaker.status = SpeakerStatus(
                routes: [RouteStatus(Route(id: "Headphones", kind: .analogue), .good)], output: .route("Headphones"))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Program.built("rooster"))
            process.arguments = ["sound", "test"] + words
            process.environment = ["ROOSTER_SOCKET": path]
            process.standardOutput = try FileHandle(forWritingTo: try scratch.file("output"))
            process.standardError = try FileHandle(forWritingTo: try scratch.file("errors"))
            try process.run()
            return process
        }

        /// Returns the command's output and errors so far.
        func told(_ scratch: Scratch) throws -> (output: String, errors: String) {
            let (output, errors) = ("\(scratch.path)/output", "\(scratch.path)/errors")
            return (
                try String(contentsOfFile: output, encoding: .utf8), try String(contentsOfFile: errors, encoding: .utf8)
            )
        }

        func run(_ words: [String], input: String = "") throws -> Program {
            try Program(
                Program.built("rooster"), words, input: input,
                environment: ["ROOSTER_SOCKET": path, "TZDIR": "/usr/share/zoneinfo"])
        }
    }

    @Test func alarms_areSet_seen_changedAndDeleted() async throws {
        try await withCommandLine { fixture in
            let added = try fixture.rooster("add", "2:30", "daily", "--label", "Night", "--snoozes", "unlimited")
            #expect(added.hasPrefix("Added Night ("))
            let ring = "rings in 11 h 30 min, Sun 03:30 (there is no 02:30 that night)\n"
            #expect(added.hasSuffix("), 02:30 every day: \(ring)"), "\(added)")
            #expect(try fixture.rooster("list").hasSuffix(ring))
            _ = try fixture.rooster(
                "add", "18:00", "monthly", "last", "fri", "--label", "Bins", "--on", "2024-03-12=9:00")
            let list = try fixture.rooster("list").split(separator: "\n")
            #expect(list.count == 2)
            #expect(list.last?.contains("last Friday of the month, with other times on 2024-03-12") == true, "\(list)")
            #expect(list.last?.hasSuffix("Tue 09:00 (this date has its own time)") == true, "\(list)")
            #expect(try fixture.rooster("show", "night").contains("unlimited, 9 min each"))
            #expect(
                try fixture.rooster("edit", "night", "7:00", "weekends", "--math", "2")
                    == "Night, 07:00 weekends: rings in 15 h, Sun 07:00\n")
            #expect(try fixture.rooster("edit", "night", "--snoozes", "2").contains("weekends: rings in 15 h"))
            #expect(try fixture.rooster("edit", "night", "--snoozes", "unlimited").contains("weekends: rings in 15 h"))
            #expect(try fixture.rooster("show", "night", "--json").contains(#""max":null"#))
            #expect(
                try fixture.rooster("skip", "night")
                    == "Night skips Sun 2024-03-10. It rings in 6 days 15 h, Sat 2024-03-16 07:00.\n")
            #expect(try fixture.rooster("unskip", "night") == "Night rings in 15 h, Sun 07:00\n")
            // The alarm rings on weekends.
            let weekday = try fixture.run(["skip", "night", "2024-03-13"])
            #expect(weekday.exitStatus == 0)
            #expect(weekday.errors == "rooster: warning: The alarm does not ring on 2024-03-13 anyway\n")
            #expect(try fixture.run(["skip", "night", "2024-03-16"]).errors.isEmpty)
            _ = try fixture.rooster("unskip", "night")
            #expect(
                try fixture.rooster("pause", "night", "2024-03-10/2024-03-31").contains(
                    "is paused on 2024-03-10 to 2024-03-31. "))
            #expect(try fixture.rooster("pause", "night", "--end").hasSuffix("rings in 15 h, Sun 07:00.\n"))
            #expect(try fixture.rooster("disable", "bins") == "Bins is off\n")
            #expect(try fixture.rooster("enable", "bins").hasPrefix("Bins is on: rings in"))
            #expect(try fixture.rooster("delete", "bins") == "Deleted Bins (last Friday of the month)\n")
            #expect(try fixture.rooster("edit", "bins", "7:00", exitStatus: 1).contains(#"There is no alarm "bins""#))
            #expect(try fixture.rooster("add", "7:00", "--zone", "Mars/Base", exitStatus: 1).contains("zone: "))
        }
    }

    /// Rooster chooses the day of an alarm without one. After an edit the response must name the new day.
    @Test func response_namesTheChosenDay() async throws {
        try await withCommandLine { fixture in
            let added = try fixture.rooster("add", "23:10", "--label", "Late")
            #expect(added.hasSuffix("), 23:10 once, on Sat 9 Mar: rings in 8 h 10 min, today 23:10\n"), "\(added)")
            let edited = try fixture.rooster("edit", "late", "14:00")
            #expect(edited == "Late, 14:00 once, on Sun 10 Mar: rings in 22 h, Sun 14:00\n")
            #expect(try fixture.rooster("list").contains("once, on Sun 10 Mar  rings in 22 h"))
            _ = try fixture.rooster("add", "7:00", "every", "2", "weeks", "--label", "Bins")
            let bins = try fixture.rooster("show", "bins")
            #expect(bins.contains("2024-03-10\n"), "\(bins)")
        }
    }

    @Test func alarmThatCannotRing_isReported_withAReason() async throws {
        try await withCommandLine { fixture in
            let past = try fixture.rooster("add", "7:00", "2020-01-01", "--label", "Past", exitStatus: 1)
            #expect(past == "rooster: 07:00 on 2020-01-01 has passed\n")
            let today = try fixture.rooster("add", "7:00", "today", exitStatus: 1)
            #expect(today == "rooster: 07:00 on 2024-03-09 has passed. Did you mean tomorrow?\n")
            _ = try fixture.rooster("add", "16:00", "daily", "--label", "Tea")
            let pause = try fixture.rooster("pause", "tea", "2020-01-01", exitStatus: 1)
            #expect(pause == "rooster: 2020-01-01 is over\n")
            #expect(try fixture.rooster("add", "7:00", "--off").hasSuffix("07:00 once, on Sun 10 Mar: off\n"))
            _ = try fixture.rooster("settings", "--enabled", "off")
            let off = try fixture.rooster("add", "7:00", "weekly")
            #expect(off.contains(": all alarms are off ('rooster settings"), "\(off)")
        }
    }

    @Test func lockedAlarm_isNamed_andUnlockedBySums() async throws {
        try await withCommandLine { fixture in
            _ = try fixture.rooster("add", "15:10", "daily", "--label", "My work", "--math", "1")
            let refused = try fixture.rooster("disable", "my work", exitStatus: 1)
            #expect(refused.hasSuffix(". 'rooster unlock \"My work\"' begins them.\n"), "\(refused)")
            let asked = try fixture.rooster("unlock", "my work")
            let sum = try Self.sum(askedIn: asked)
            #expect(try fixture.rooster("status").contains("▸ Solve: \(sum) — rooster answer N, to unlock My work\n"))
            let done = try fixture.rooster("answer", Self.result(of: sum))
            #expect(
                done
                    == "Right. All challenges are done. My work is unlocked: it can be changed until it rings. "
                    + "If you move it to another time, it locks again.\n")
            #expect(try fixture.rooster("status").contains("✓ My work is unlocked: it can be changed until it rings\n"))
            let unlocked =
                "My work is unlocked: it can be changed until it rings. If you move it to another time, it locks again.\n"
            #expect(try fixture.rooster("unlock", "my work") == unlocked)
            #expect(try fixture.rooster("disable", "my work") == "My work is off\n")
            let free = "is not locked: it can be changed\n"
            #expect(try fixture.rooster("unlock", "my work") == "My work \(free)")
            _ = try fixture.rooster("add", "15:10", "daily", "--label", "Plain")
            #expect(try fixture.rooster("unlock", "plain") == "Plain \(free)")
            _ = try fixture.rooster("add", "19:10", "daily", "--label", "Late", "--math", "1")
            let soon = "Late is not locked before today 18:40: until then it can be changed\n"
            #expect(try fixture.rooster("unlock", "late") == soon)
        }
    }

    /// A user of the command line has not seen the file, so the message must name the option.
    @Test func mistakes_areReportedByTheirOptions() async throws {
        try await withCommandLine { fixture in
            for (words, said) in [
                (["add", "7:00", "--math", "0"], "The count of --math must be between 1 and 20"),
                (["add", "7:00", "--late", "9999"], "between 0 s and 12 h"),
                (["settings", "--lock", "99h"], "between 0 s and 24 h"),
            ] {
                let run = try fixture.run(words)
                #expect(run.errors.contains(words[words.count - 2]), "\(run.errors)")
                #expect(run.errors.contains(said) && run.errors.contains(words[words.count - 1]), "\(run.errors)")
            }
            let sound = try fixture.run(["add", "7:00", "--sound", "nosuch", "--label", "Work"])
            #expect(sound.errors.hasPrefix("rooster: warning: --sound: "), "\(sound.errors)")
            #expect(sound.errors.hasSuffix("'rooster sound list' shows all.\n"), "\(sound.errors)")
            _ = try fixture.rooster("calendar", "save", "school")
            _ = try fixture.rooster("edit", "work", "7:00", "daily", "--days", "school")
            let calendar = try fixture.rooster("calendar", "delete", "school", exitStatus: 1)
            #expect(calendar.contains("\"Work\"") && calendar.contains("give it other days first"), "\(calendar)")
        }
    }

    @Test func ring_isSnoozedSolvedAndRecorded() async throws {
        try await withCommandLine { fixture in
            _ = try fixture.rooster("add", "15:01", "daily", "--label", "Work", "--math", "1")
            await fixture.base.advance(byMilliseconds: 60_000)
            var status = try fixture.rooster("status")
            while !status.contains("Work RINGS") { status = try fixture.rooster("status") }
            #expect(try fixture.rooster("snooze").hasPrefix("Work is snoozed for 9 min, until 15:10. 2 snoozes left."))
            #expect(try fixture.rooster("status").contains("◐ Work rings again in 9 min, at 15:10 (2 snoozes left)"))
            #expect(try fixture.rooster("disable", "work", exitStatus: 1).hasSuffix(". 'rooster stop' begins them.\n"))
            let refusal = try fixture.run(["stop", "--json"])
            #expect(refusal.exitStatus == 1)
            let json = try JSON(parsing: Array(refusal.output.utf8))
            #expect(json["error.code"] == .string("challengesOpen"))
            #expect(json["error.asked.kind"] == .string("math"))
            let refused = try fixture.rooster("stop", exitStatus: 1)
            #expect(refused.contains("Solve: "), "\(refused)")
            let asked = refused.split(separator: "Solve: ").last.map(String.init) ?? ""
            let sum = try #require(asked.split(separator: " — ").first)
            #expect(try fixture.rooster("answer", "100000", exitStatus: 1).contains("100000 is wrong"))
            let solved = try fixture.rooster("answer", Self.result(of: sum))
            #expect(solved == "Right. All challenges are done. Work is stopped.\n")
            #expect(try fixture.rooster("stop") == "Nothing rings\n")
            #expect(try fixture.rooster("history").contains("Work  dismissed  1 snooze"))
            #expect(try fixture.rooster("history", "--csv").split(separator: "\r\n").count == 2)
        }
    }

    /// The service plays the test as it would ring, and the owner can stop it early.
    @Test func soundTest_isPlayedByTheService() async throws {
        try await withCommandLine { fixture in
            let scratch = try Scratch()
            let process = try fixture.beginSoundTest("bells01", "--seconds", "60", in: scratch)
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            // As before an alarm, the service opens a card and prepares the sound ahead of time.
            await fixture.base.onLoop {
                for await order in fixture.base.speaker.orders {
                    if order == .ready(sound: "bells01", isNear: true) { break }
                    guard case .play = order else { continue }
                    Issue.record("it is heard before anything is ready")
                }
                fixture.base.clock.advance(byMilliseconds: 2000)
            }
            var orders = fixture.base.speaker.orders.makeAsyncIterator()
            while let order = await orders.next() {
                guard case .play(let playback) = order else { continue }
                #expect(playback.sound == "bells01")
                #expect(playback.ramp.seconds == 0)
                break
            }
            #expect(try fixture.rooster("speakers") == "→ Headphones  Headphones: plays now\n")
            process.interrupt()
            while let order = await orders.next(), order != .silent {}
            try await waitUntil { !process.isRunning }
            #expect(await fixture.base.service.status.sessions.isEmpty)
            #expect(try fixture.told(scratch).errors == "")
        }
    }

    /// Another sound replaces the missing one. The owner must not take the replacement for this file.
    @Test func soundTest_ofAMissingFile_reportsIt() async throws {
        try await withCommandLine { fixture in
            let scratch = try Scratch()
            let process = try fixture.beginSoundTest("missing.wav", "--seconds", "1", in: scratch)
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            await fixture.base.onLoop {
                let ready = SpeakerOrder.ready(sound: "missing.wav", isNear: true)
                for await order in fixture.base.speaker.orders where order == ready { break }
                fixture.base.clock.advance(byMilliseconds: 2000)
            }
            try await waitUntil { try !fixture.told(scratch).output.isEmpty }
            let told = try fixture.told(scratch)
            #expect(told.output == "Playing Chimes instead of missing.wav on Headphones (Headphones)\n")
            #expect(told.errors.contains(#"warning: The sound "missing.wav" cannot be played"#), "\(told.errors)")
            process.interrupt()
            try await waitUntil { !process.isRunning }
            let added = try fixture.run(["add", "7:00", "--sound", "missing.wav"])
            #expect(added.exitStatus == 0)
            #expect(added.errors.contains("Chimes"), "\(added.errors)")
        }
    }

    /// The sum in "Solve: 12 + 30 — rooster answer N".
    private static func sum(askedIn words: String) throws -> Substring {
        let parts = words.split(separator: "Solve: ").last?.split(separator: " — ") ?? []
        return try #require(parts.first)
    }

    private static func result(of sum: Substring) -> String {
        let parts = sum.split(separator: " ")
        guard let a = Int(parts[0]), let b = Int(parts[2]) else { return "" }
        return "\(parts[1] == "+" ? a + b : a - b)"
    }

    @Test func device_isConfiguredExportedAndRestored() async throws {
        try await withCommandLine { fixture in
            #expect(
                try fixture.rooster("settings", "--lock", "10", "--zone", "Europe/Berlin", "--snooze-max", "20")
                    .contains("from 10 min before"))
            let reversed = try fixture.run(["settings", "--snooze-max", "1"])
            #expect(reversed.errors == "rooster: --snooze-max must be at least --snooze-min, 5 min, not 1 min\n")
            _ = try fixture.rooster(
                "calendar", "save", "school", "--weekdays", "mon-fri", "--off", "2024-03-25/2024-04-01")
            #expect(try fixture.rooster("calendar") == "school  Weekdays, not 2024-03-25/2024-04-01\n")
            _ = try fixture.rooster("add", "7:00", "weekdays", "--days", "school", "--label", "School")
            let file = try fixture.rooster("export")
            _ = try fixture.rooster("delete", "school")
            _ = try fixture.rooster("settings", "--zone", "machine", "--lock", "0")
            let taken = try fixture.run(["import", "-"], input: file)
            #expect(taken.output == "Imported 1 alarm\n")
            #expect(taken.errors.hasPrefix("rooster: warning: The settings of the file are not "), "\(taken.errors)")
            let backup = try fixture.run(["import", "-", "--backup"], input: file)
            #expect(backup.output == "Imported 1 alarm\n" && backup.errors.isEmpty, "\(backup.errors)")
            #expect(try fixture.rooster("export") == file)
            #expect(try fixture.rooster("bedside", "--by", "1h", exitStatus: 1).contains("roosterd --simulate"))
            // A delay above the limit must be rejected. Otherwise the reply says an hour, but the test
            // rings after a minute.
            let late = try fixture.rooster("test-ring", "--in", "3600", exitStatus: 2)
            #expect(late.hasPrefix("rooster: --in must be at most 60 s"), "\(late)")
            #expect(
                try fixture.rooster("test-ring", "--in", "1min") == "A test rings in 1 min: 'rooster stop' ends it\n")
        }
    }

    @Test func testRing_ends_whenItIsSnoozed() async throws {
        try await withCommandLine { fixture in
            _ = try fixture.rooster("test-ring", "--in", "0")
            #expect(try fixture.rooster("status").contains("  ▸ rooster stop\n"))
            #expect(try fixture.rooster("snooze") == "The test is over\n")
            #expect(try fixture.rooster("stop") == "Nothing rings\n")
        }
    }
}
