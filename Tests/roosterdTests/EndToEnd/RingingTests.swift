// The tests of whole rings: the real program, journal and socket with simulated devices.

import CivilTime
import Devices
import Fixtures
import Foundation
import JSON
import Oracles
import Sound
import Testing

@Suite(.serialized) struct RingingTests {
    private func ringing(_ label: String) -> (JSON) -> Bool {
        { $0.isRinging && $0["sessions.0.label"] == .string(label) }
    }

    @Test func alarm_rings_isSnoozed_andEndsByItsSums() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        try client.ask(#"{"do":"configure","changes":{"snooze":{"min":1}}}"#)
        let made = try client.ask(
            #"{"do":"add","alarm":{"id":"w","label":"Work","time":"15:10","repeat":"FREQ=DAILY","#
                + #""snooze":{"seconds":1,"max":1},"challenges":[{"kind":"math","count":2}]}}"#)
        #expect(made["next.at"] == .string("2024-03-09T20:10:00Z"))
        try daemon.setClock("2024-03-09T20:09:59Z")
        try daemon.follow(until: ringing("Work"))
        try daemon.follow { $0["speaker.output"] == .string("Speaker") }
        // The snooze lasts a second. A client that begins to follow only then can miss it.
        let follower = try daemon.follower()
        #expect(try client.ask(#"{"do":"snooze"}"#)["left"] == .number(0))
        try follower.hearStatus { $0["sessions.0.state"] == .string("snoozed") && $0["speaker.output"] == .null }
        try follower.hearStatus(until: ringing("Work"))
        #expect(try client.ask(#"{"do":"snooze"}"#)["error.code"] == .string("noSnoozeLeft"))
        // No change may serve as an escape from the ring.
        for line in [
            #"{"do":"delete","alarm":"w"}"#, #"{"do":"enable","alarm":"w","on":false}"#,
            #"{"do":"edit","alarm":"w","changes":{"challenges":[]}}"#,
            #"{"do":"configure","changes":{"enabled":false}}"#,
        ] {
            #expect(try client.ask(line)["error.code"] == .string("locked"), "\(line)")
        }
        var reply = try client.ask(#"{"do":"stop"}"#)
        #expect(reply["ok"] == .bool(false))
        while case .string(let sum)? = (reply["error.asked.sum"] ?? reply["asked.sum"]) {
            reply = try client.ask(#"{"do":"answer","number":\#(Sums.result(of: sum))}"#)
        }
        #expect(reply["correct"] == .bool(true))
        try daemon.follow { $0["sessions"] == .array([]) && $0["speaker.output"] == .null }
        let history = try client.ask(#"{"do":"history"}"#)
        #expect(history["history.0.ended"] == .string("dismissed"))
        #expect(history["history.0.snoozes"] == .number(1))
        #expect(daemon.end() == 0)
    }

    /// The check chimes on the simulated speaker. Without an answer the alarm rings again, and asks again.
    @Test func check_chimes_ringsAgain_andIsAnswered() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path, clock: "2024-03-09T15:09:50-05:00", speed: 30)
        let client = try daemon.client()
        try client.ask(
            #"{"do":"add","alarm":{"id":"w","label":"Work","time":"15:10","check":{"after":60,"within":60},"#
                + #""challenges":[{"kind":"math","count":1}]}}"#)
        for isLast in [false, true] {
            try daemon.follow(until: ringing("Work"))
            var reply = try client.ask(#"{"do":"stop"}"#)
            while case .string(let sum)? = (reply["error.asked.sum"] ?? reply["asked.sum"]) {
                reply = try client.ask(#"{"do":"answer","number":\#(Sums.result(of: sum))}"#)
            }
            #expect(reply["state"] == .string("checking"))
            #expect(try client.ask(#"{"do":"awake"}"#)["error.code"] == .string("checkAhead"))
            #expect(try client.ask(#"{"do":"delete","alarm":"w"}"#)["error.asks"] != nil)
            try daemon.follow {
                $0["sessions.0.state"] == .string("checking") && $0["speaker.output"] == .string("Speaker")
            }
            if isLast { #expect(try client.ask(#"{"do":"awake"}"#)["state"] == .string("stopped")) }
        }
        let history = try client.ask(#"{"do":"history"}"#)
        #expect(history["history.0.ended"] == .string("dismissed"))
        #expect(history["history.0.checks"] == .number(2) && history["history.0.failedChecks"] == .number(1))
    }

    /// At ten minutes per second, only the timer can wake the service after the skipped hour.
    @Test func alarm_rings_inANightWithAGap() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path, clock: "2024-03-10T01:55:00-05:00", speed: 600)
        let client = try daemon.client()
        for (id, time, at) in [("gap", "02:30", "07:30"), ("next", "04:00", "08:00")] {
            let made = try client.ask(
                #"{"do":"add","alarm":{"id":"\#(id)","label":"\#(id)","time":"\#(time)","repeat":"FREQ=DAILY"}}"#)
            #expect(made["next.at"] == .string("2024-03-10T\(at):00Z"))
        }
        for (id, local, at) in [
            ("gap", "03:30", "2024-03-10T07:30:00Z"), ("next", "04:00", "2024-03-10T08:00:00Z"),
        ] {
            try daemon.hear("\"\(id)\" on 2024-03-10 at \(local) plays")
            let status = try client.ask(#"{"do":"status"}"#)
            guard case .string(let now)? = status["status.now"] else { throw Client.Gone() }
            // Only the seconds are compared, because a fraction sorts before the Z.
            #expect(now.prefix(19) >= at.prefix(19))
            #expect(try client.ask(#"{"do":"stop"}"#)["alarm"] == .string(id))
        }
        let history = try client.ask(#"{"do":"history"}"#)
        #expect(history["history.1"] != nil && history["history.2"] == nil)
        #expect(daemon.end() == 0)
    }

    @Test func clockStep_givesLateRings_andReportsMissedOnes() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        for (id, time) in [("late", "16:00"), ("missed", "18:00")] {
            try client.ask(
                #"{"do":"add","alarm":{"id":"\#(id)","label":"\#(id)","time":"\#(time)","repeat":"FREQ=DAILY"}}"#)
        }
        try client.ask(#"{"do":"simulate","by":5400}"#)
        let status = try daemon.follow(until: ringing("late"))
        guard case .number(let seconds)? = status["sessions.0.lateSeconds"], let late = Int(seconds) else {
            throw Client.Gone()
        }
        #expect((1800..<1900).contains(late))
        try client.ask(#"{"do":"stop"}"#)
        // After the clock goes back, no earlier ring rings again.
        try client.ask(#"{"do":"simulate","by":-5400}"#)
        #expect(try client.ask(#"{"do":"status"}"#)["status.sessions"] == .array([]))
        try client.ask(#"{"do":"simulate","by":18000}"#)
        try daemon.follow { _ in true }
        let history = try client.ask(#"{"do":"history"}"#)
        #expect(history["history.1.ended"] == .string("missed"))
        #expect(history["history.1.alarm"] == .string("missed"))
        #expect(try client.ask(#"{"do":"status"}"#)["status.recentProblems.0.ended"] == .string("missed"))
    }

    /// Files that are deleted under a running service are written again, and the health says so.
    @Test func deletedJournal_isWrittenAgain() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        try client.ask(#"{"do":"add","alarm":{"id":"a","label":"a","time":"07:00"}}"#)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter {
            $0.hasPrefix("journal-")
        }
        #expect(!files.isEmpty)
        for file in files { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(file)") }
        let doctor = try client.ask(#"{"do":"doctor"}"#)
        #expect("\(doctor)".contains("The journal's file was deleted while Rooster ran"), "\(doctor)")
        try client.ask(#"{"do":"add","alarm":{"id":"b","label":"b","time":"08:00"}}"#)
        daemon.kill()
        let next = try DaemonFixture(scratch.path)
        let alarms = try next.client().ask(#"{"do":"alarms"}"#)
        #expect(alarms["alarms.0.alarm.id"] == .string("a") && alarms["alarms.1.alarm.id"] == .string("b"))
    }

    @Test func brokenCardsAndFullDisks_costNoRing() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        try client.ask(#"{"do":"add","alarm":{"id":"a","label":"a","time":"15:02"}}"#)
        try daemon.setClock("2024-03-09T20:01:59Z")
        try client.ask(#"{"do":"simulate","disk":"full"}"#)
        try daemon.follow(until: ringing("a"))
        try daemon.follow { $0["speaker.output"] == .string("Speaker") }
        try client.ask(#"{"do":"simulate","card":{"id":"Speaker","fault":"stalls"}}"#)
        try daemon.follow { $0["speaker.output"] == .string("Headphones") }
        let refused = try client.ask(#"{"do":"snooze"}"#)
        #expect(refused["error.code"] == .string("notKept"))
        try client.ask(#"{"do":"simulate","disk":"ok"}"#)
        #expect(try daemon.follow(until: ringing("a"))["speaker.output"] == .string("Headphones"))
        // Once the disk works, pending facts are saved, so a restart must not repeat the ring.
        #expect(try client.ask(#"{"do":"snooze"}"#)["ok"] == .bool(true))
        #expect(try client.ask(#"{"do":"stop"}"#)["ok"] == .bool(true))
        daemon.kill()
        let next = try DaemonFixture(scratch.path, clock: "2024-03-09T15:04:00-05:00")
        let again = try next.client()
        #expect(try again.ask(#"{"do":"status"}"#)["status.sessions"] == .array([]))
        let history = try again.ask(#"{"do":"history"}"#)
        #expect(history["history.0.ended"] == .string("dismissed"))
        #expect(history["history.0.snoozes"] == .number(1))
    }

    /// Each response must ask the next sum and warn about the disk, even if nothing can be saved.
    @Test func challenges_onAFullDisk_areDone_withAWarning() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        let sums = #"{"kind":"math","level":1,"count":1},{"kind":"math","level":1,"count":2}"#
        try client.ask(
            #"{"do":"add","alarm":{"id":"a","label":"a","time":"15:02","challenges":[\#(sums)]}}"#)
        try daemon.setClock("2024-03-09T20:01:59Z")
        try client.ask(#"{"do":"simulate","disk":"full"}"#)
        try daemon.follow(until: ringing("a"))
        var reply = try client.ask(#"{"do":"stop"}"#)
        var warnings: [JSON?] = []
        while case .string(let sum)? = (reply["error.asked.sum"] ?? reply["asked.sum"]) {
            reply = try client.ask(#"{"do":"answer","number":\#(Sums.result(of: sum))}"#)
            #expect(reply["correct"] == .bool(true))
            warnings.append(reply["warnings.0.message"])
        }
        let told = JSON.string("This is not saved yet: after a restart the alarm may ring again")
        #expect(warnings == [told, told, told])
        #expect(try client.ask(#"{"do":"status"}"#)["status.sessions"] == .array([]))
    }

    /// The ring uses the machine's clock and timers, and a card that records its frames. Its sound has a
    /// constant level, unlike every other sound.
    @Test func alarm_rings_onTheRealClockAndCard() throws {
        let scratch = try Scratch()
        let (socket, recording) = ("\(scratch.path)/s", "\(scratch.path)/recording")
        let alsa = try scratch.file(
            "alsa.conf",
            holding: """
                pcm.silence { type null }
                pcm.recorder { type file slave.pcm "silence" file "\(recording)" format raw }

                """)
        let square = (0..<48_000).map { $0 / 120 % 2 == 0 ? Float(0.5) : -0.5 }
        let file = Samples(values: square, rate: 48_000).waveFile
        try Data(file).write(to: URL(fileURLWithPath: "\(scratch.path)/square.wav"))
        let configuration = try scratch.file(
            "rooster.conf",
            holding: "speaker: { routes = [ \"alsa:recorder\" ]; sounds = \"\(scratch.path)\"; };\n")
        let service = try Dialogue(
            Program.built("roosterd"),
            ["--state", scratch.path, "--socket", socket, "--config", configuration.path],
            environment: ["ALSA_CONFIG_PATH": alsa.path])
        _ = try #require(service.hear("Ready: "))
        var at = Instant(secondsSince1970: 0)
        var isToCome = false
        // On a busy machine the time may pass before the alarm is saved.
        for _ in 0..<10 where !isToCome {
            at = Instant(secondsSince1970: time(nil) + 6)
            let parts = "\(at)".dropLast().split(separator: "T")
            let ring = #"{"volume":1,"ramp":0,"sound":"square.wav"}"#
            let alarm = #"{"id":"a","date":"\#(parts[0])","time":"\#(parts[1])","zone":"UTC","ring":\#(ring)}"#
            let made = try Client(of: socket).ask(#"{"do":"add","alarm":\#(alarm)}"#)
            isToCome = made["next.at"] == .string("\(at)")
        }
        #expect(service.hear(" plays on ") != nil)
        service.signal(SIGTERM)
        #expect(service.exitStatus() == 0)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: recording)))
        let samples = bytes.withUnsafeBytes { $0.bindMemory(to: Int32.self).filter { $0 != 0 }.map(\.magnitude) }
        let loudest = try #require(samples.max())
        #expect(samples.count { $0 > loudest / 10 * 9 } > samples.count / 10 * 8)
    }

    @Test func secondService_isRefused_andCostsTheFirstNothing() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let second = try Program(
            Program.built("roosterd"), ["--simulate", "--state", scratch.path, "--socket", "\(scratch.path)/s"])
        #expect(second.exitStatus == 1)
        #expect(second.errors.contains("The journal is in use by"))
        #expect(try daemon.client().ask(#"{"do":"status"}"#)["ok"] == .bool(true))
    }

    @Test func unreadableJournal_isRetried_andNotTreatedAsEmpty() throws {
        let scratch = try Scratch()
        let first = try DaemonFixture(scratch.path)
        try first.client().ask(#"{"do":"add","alarm":{"id":"a","label":"a","time":"16:00"}}"#)
        #expect(first.end() == 0)
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: scratch.path)
        let name = try #require(names.first { $0.hasPrefix("journal-") })
        let (segment, away) = ("\(scratch.path)/\(name)", "\(scratch.path)/away")
        try files.moveItem(atPath: segment, toPath: away)
        try files.createDirectory(atPath: segment, withIntermediateDirectories: false)
        let second = try DaemonFixture(scratch.path, isReady: false)
        try second.hear("No alarm can ring")
        // Until then clients receive the reason.
        let refused = try second.client().ask(#"{"do":"alarms"}"#)
        #expect(refused["error.code"] == .string("notReady"), "\(refused)")
        try files.removeItem(atPath: segment)
        try files.moveItem(atPath: away, toPath: segment)
        try second.hear("Ready")
        #expect(try second.client().ask(#"{"do":"alarms"}"#)["alarms.0.alarm.id"] == .string("a"))
    }
}
