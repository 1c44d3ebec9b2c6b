// The tests of the control socket: every line gets a response, in order.

import API
import Alarms
import Engine
import Fixtures
import Foundation
import JSON
import Oracles
import Service
import Sound
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct ControlSocketTests {
    @Test func alarm_isAddedChangedAndDeleted() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let made = try client.ask(
                #"{"do":"add","alarm":{"label":"Work","time":"07:00","repeat":"FREQ=DAILY","snooze":{"max":null},"#
                    + #""mine":1}}"#)
            #expect(made["ok"] == .bool(true))
            #expect(made["next.local"] == .string("2024-03-10T07:00:00-04:00"))
            guard case .string(let id)? = made["id"] else { throw Client.Gone() }
            let changed = try client.ask(#"{"do":"edit","alarm":"\#(id)","changes":{"time":"06:30","id":"other"}}"#)
            #expect(changed["next.at"] == .string("2024-03-10T10:30:00Z"))
            let shown = try client.ask(#"{"do":"alarms"}"#)
            #expect(shown["alarms.0.alarm.time"] == .string("06:30"))
            #expect(shown["alarms.0.alarm.id"] == .string(id))
            // Members that the change does not name stay, even unknown members and nulls.
            #expect(shown["alarms.0.alarm.mine"] == .number(1))
            #expect(shown["alarms.0.alarm.snooze.max"] == .null)
            #expect(shown["alarms.0.days"] == .string("Every day"))
            #expect(try client.ask(#"{"do":"enable","alarm":"\#(id)","on":false}"#)["next"] == .null)
            #expect(try client.ask(#"{"do":"delete","alarm":"\#(id)"}"#)["id"] == .string(id))
            #expect(try client.ask(#"{"do":"alarm","alarm":"\#(id)"}"#)["error.code"] == .string("noSuchAlarm"))
        }
    }

    /// All clients send before any gets a response, so no client has seen another's change.
    @Test func concurrentEdits_keepEachOthersChanges() async throws {
        try await withSocket { fixture in
            _ = await fixture.base.ask(.save(.daily("work", "07:00")), "1")
            let clients = try (0..<3).map { _ in try Client(of: fixture.path) }
            let lines = [
                #"{"do":"edit","alarm":"work","changes":{"time":"06:00"}}"#,
                #"{"do":"edit","alarm":"work","changes":{"label":"Early","snooze":{"max":1}}}"#,
                #"{"do":"enable","alarm":"work","on":false}"#,
            ]
            for (client, line) in zip(clients, lines) { client.send(line) }
            for client in clients { #expect(try client.hear()["ok"] == .bool(true)) }
            let alarm = try #require(await fixture.base.service.engine.alarm("work")?.alarm)
            #expect(alarm.time?.description == "06:00" && alarm.label == "Early" && alarm.snooze.max == 1)
            #expect(!alarm.isEnabled)
            let settings = [#"{"preflight":"20:00"}"#, #"{"lock":600}"#]
            for (client, changes) in zip(clients, settings) {
                client.send(#"{"do":"configure","changes":\#(changes)}"#)
            }
            for client in clients.prefix(2) { #expect(try client.hear()["ok"] == .bool(true)) }
            let kept = try clients[0].ask(#"{"do":"settings"}"#)
            #expect(kept["settings.preflight"] == .string("20:00") && kept["settings.lock"] == .number(600))
        }
    }

    @Test(arguments: [
        (#"{"do":"edit","alarm":"nobody","changes":{"time":"06:00"}}"#, "noSuchAlarm"),
        (#"{"do":"edit","alarm":"work","changes":["06:00"]}"#, "malformed"),
        (#"{"do":"edit","alarm":"work","changes":{"time":"6 o'clock","zone":"Mars"}}"#, "problems"),
        (#"{"do":"configure","changes":7}"#, "malformed"), (#"{"do":"history","days":-5}"#, "problems"),
        (#"{"do":"configure","changes":{"lock":"long"}}"#, "problems"),
        // A file that is not a backup must not empty the device.
        (#"{"do":"import","backup":true,"file":{}}"#, "problems"),
        (#"{"do":"import","backup":true,"file":{"format":"rooster/1","alarms":[]}}"#, "problems"),
    ])
    func invalidChanges_areRefused_andChangeNothing(line: String, reason: String) async throws {
        try await withSocket { fixture in
            _ = await fixture.base.ask(.save(.daily("work", "07:00")), "1")
            let engine = await fixture.base.service.engine
            let answer = try Client(of: fixture.path).ask(line)
            #expect(answer["error.code"] == .string(reason), "\(answer)")
            #expect(await fixture.base.service.engine.alarms == engine.alarms)
            #expect(await fixture.base.service.engine.settings == engine.settings)
        }
    }

    /// Without events for hours, a request still returns the current time, but a follower gets nothing.
    @Test func status_isCurrentForARequest_andNotSentAgainToAFollower() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            #expect(try client.ask(#"{"do":"status"}"#)["status.local"] == .string("2024-03-09T15:00:00-05:00"))
            await fixture.base.advance(byMilliseconds: 3_600_000)
            // The test of the parts a minute after the start changes the status.
            await fixture.base.service.triedOut()
            #expect(try client.ask(#"{"do":"status"}"#)["status.local"] == .string("2024-03-09T16:00:00-05:00"))
            let follower = try Client(of: fixture.path)
            #expect(try follower.ask(#"{"do":"follow"}"#)["status.local"] == .string("2024-03-09T16:00:00-05:00"))
            await fixture.base.advance(byMilliseconds: 60_000)
            #expect(try client.ask(#"{"do":"status"}"#)["status.local"] == .string("2024-03-09T16:01:00-05:00"))
            #expect(!follower.isToldSomething)
        }
    }

    @Test func unknownSound_isWarnedOf() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let add = #"{"do":"add","alarm":{"id":"a","time":"07:00","ring":{"sound":"bels01"}}}"#
            #expect(try client.list("warnings", in: add).count == 1)
            #expect(
                try client.ask(#"{"do":"edit","alarm":"a","changes":{"ring":{"sound":"bells01"}}}"#)["warnings"] == nil)
        }
    }

    /// A disk that hangs during the check of a file must not delay the response for ever.
    @Test(arguments: [true, false]) func soundFile_whenItsCheckHangs_isWarnedOf(answers: Bool) async throws {
        struct FaultySounds: SoundLibrary {
            func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void) {}
            func list(then callback: @escaping @Sendable ([SoundListing]) -> Void) {}
            func preview(
                _ id: String, then callback: @escaping @Sendable (Result<[UInt8], SoundLibraryError>) -> Void
            ) {}
            func add(
                _ piece: SoundPiece,
                then callback: @escaping @Sendable (Result<AddedSound?, SoundLibraryError>) -> Void
            ) {}
            func remove(
                _ id: String, then callback: @escaping @Sendable (Result<Void, SoundLibraryError>) -> Void
            ) {}
        }
        try await withSocket(sounds: answers ? nil : FaultySounds()) { fixture in
            let client = try Client(of: fixture.path)
            let text = answers ? "cannot be played" : "disk with the sound does not answer"
            for request in [
                #"{"do":"add","alarm":{"id":"a","time":"07:00","ring":{"sound":"absent.mp3"}}}"#,
                #"{"do":"testRing","delaySeconds":60,"ring":{"sound":"absent.mp3"}}"#,
            ] {
                let answer = try client.ask(request)
                #expect(answer["ok"] == .bool(true))
                guard case .string(let warning)? = answer["warnings.0.message"] else { throw Client.Gone() }
                #expect(warning.contains(text), "\(warning)")
                #expect(warning.contains("Chimes"), "\(warning)")
            }
        }
    }

    /// A test that shakes is warned of a missing shaker, as an alarm is.
    @Test func testRing_thatShakes_isWarnedOfAMissingShaker() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            for (ring, warning) in [
                (#"{"shake":true,"sound":"none"}"#, JSON.string("this device has no shaker, so the test only sounds")),
                (#"{"shake":false}"#, nil),
            ] {
                let answer = try client.ask(#"{"do":"testRing","delaySeconds":60,"ring":\#(ring)}"#)
                #expect(answer["warnings.0.message"] == warning)
                #expect(answer["warnings.0.path"] == warning.map { _ in .string("ring.shake") })
            }
        }
    }

    @Test func everyMistake_isReported() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let add = #"{"do":"add","alarm":{"id":"a","time":"7","zone":"Mars","ring":{"volume":3}}}"#
            #expect(try client.list("error.problems", in: add).count == 3)
            let bounds = #"{"do":"configure","changes":{"snooze":{"min":3600,"max":600}}}"#
            #expect(try client.ask(bounds)["error.problems.0.path"] == .string("snooze.min"))
        }
    }

    @Test func requestsOfTwoClients_withTheSameID_areBothDone() async throws {
        try await withSocket { fixture in
            for alarm in ["a", "b"] {
                let client = try Client(of: fixture.path)
                try client.ask(#"{"do":"add","id":"1","alarm":{"id":"\#(alarm)","time":"07:00"}}"#)
            }
            #expect(await fixture.base.service.engine.alarms.map(\.id) == ["a", "b"])
        }
    }

    @Test func socketOfAnotherService_orAnyOtherFile_isNotReplaced() async throws {
        try await withService { other in
            let scratch = try Scratch()
            try await withSocket(in: scratch) { fixture in
                await #expect(throws: ListeningError.self) {
                    try await ControlSocket(at: fixture.path, group: nil, to: other.service, on: other.loop).open()
                }
                let file = try scratch.file("precious", holding: "alarms").path
                await #expect(throws: ListeningError.self) {
                    try await ControlSocket(at: file, group: nil, to: other.service, on: other.loop).open()
                }
                #expect(try String(contentsOfFile: file, encoding: .utf8) == "alarms")
                #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["ok"] == .bool(true))
            }
            // The socket file of a killed service must not prevent the start.
            let again = try ControlSocket(
                at: "\(scratch.path)/control.sock", group: nil, to: other.service, on: other.loop)
            try await again.open()
            await again.close()
        }
    }

    @Test(arguments: [
        ("{", "not valid JSON"), ("[1]", "an object"), ("{}", "do: is missing"),
        (#"{"do":"snoze"}"#, "did you mean \"snooze\""),
        (#"{"do":"enable","alarm":"a"}"#, "on: is missing"),
        (#"{"do":"snooze","seconds":"x"}"#, "seconds: must be a whole number"),
        (#"{"do":"stop","minutes":3}"#, "minutes: is an unknown field"), (#"{"do":"delete"}"#, "alarm: is missing"),
        (#"{"do":"status","id":""}"#, "id: must have"),
        // A stop with an invalid `ifRing` must not end any ring.
        (#"{"do":"stop","ifRing":{"alarm":"work","at":"2026-11-23T20:30:00"}}"#, "ifRing.at: "),
        (#"{"do":"stop","ifRing":{"alarm":"work"}}"#, "ifRing.at: is missing"),
        (#"{"do":"stop","ifRing":{"at":"2026-11-23T20:30:00Z"}}"#, "ifRing.alarm: is missing"),
        (
            #"{"do":"stop","ifRing":{"alarm":"work","at":"2026-11-23T20:30:00Z","day":1}}"#,
            "ifRing.day: is an unknown field"
        ),
        (#"{"do":"stop","ifRing":"work"}"#, "ifRing: "), (#"{"do":"stop","ifRing":{}}"#, "ifRing.alarm: is missing"),
        // A request that cannot check a condition must reject it. Otherwise it would change too much.
        (#"{"do":"export","ifRevision":"x"}"#, "ifRevision: is an unknown field"),
        (
            #"{"do":"unskip","alarm":"a","ifRing":{"alarm":"a","at":"2024-03-10T11:00:00Z"}}"#,
            "ifRing: is an unknown field"
        ),
    ])
    func invalidLine_isAnsweredWithItsMistake(line: String, text: String) async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let reply = try client.ask(line)
            #expect(reply["error.code"] == .string("malformed"))
            guard case .string(let told)? = reply["error.message"] else { throw Client.Gone() }
            #expect(told.contains(text))
            #expect(try client.ask(#"{"do":"status"}"#)["ok"] == .bool(true))
        }
    }

    @Test func responses_comeInTheOrderOfRequests() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let lines = (0..<50).map { number in
                number % 2 == 0
                    ? #"{"do":"add","alarm":{"id":"\#(number)","time":"07:00"}}"#
                    : #"{"do":"alarm","alarm":"\#(number - 1)"}"#
            }
            client.say(Array(lines.map { "\($0)\n" }.joined().utf8))
            for number in 0..<50 {
                let reply = try client.hear()
                #expect(reply[number % 2 == 0 ? "id" : "alarm.alarm.id"] == .string("\(number / 2 * 2)"))
            }
        }
    }

    @Test func follower_receivesEachChange() async throws {
        try await withSocket { fixture in
            let follower = try Client(of: fixture.path)
            #expect(try follower.ask(#"{"do":"follow"}"#)["status.next"] == .array([]))
            _ = await fixture.base.ask(.save(.daily("work", "15:01")), "1")
            while try follower.hear()["status.next.0.alarm"] != .string("work") {}
            await fixture.base.advance(byMilliseconds: 60_000)
            while try follower.hear()["status.sessions.0.state"] != .string("ringing") {}
        }
    }

    @Test func backup_isRestoredUnchanged_andABadOneIsRefused() async throws {
        var file = JSON.null
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"configure","changes":{"zone":"Europe/Berlin"}}"#)
            try client.ask(#"{"do":"saveCalendar","name":"school","calendar":{"weekdays":["mon"]}}"#)
            try client.ask(#"{"do":"add","alarm":{"id":"a","time":"07:00","days":"school","repeat":"FREQ=DAILY"}}"#)
            guard case .object(let members)? = try client.ask(#"{"do":"export"}"#)["file"] else { throw Client.Gone() }
            // Unknown members survive export and import.
            file = JSON.object(members + [.init("x-top", .array([.number(1)]))])
        }
        try await withSocket { fixture in
            let restorer = try Client(of: fixture.path)
            let bad = #"""
                {"format":"rooster/1","alarms":[{"id":"c","label":"Bad","time":"25:00"},{"id":"b","time":"07:00"},
                {"id":"d","time":"07:00","challenges":[{"kind":"qr","codes":["attic"]}]},{"id":"e","time":"7"},
                {"id":"f","label":"Lost","time":"07:00","repeat":"FREQ=DAILY","days":"nowhere"}]}
                """#.replacing("\n", with: "")
            #expect(
                try restorer.ask(#"{"do":"import","backup":true,"file":\#(bad)}"#)["error.code"] == .string("problems"))
            #expect(try restorer.ask(#"{"do":"alarms"}"#)["alarms"] == .array([]))
            #expect(try restorer.ask(#"{"do":"import","backup":true,"file":\#(file)}"#)["ok"] == .bool(true))
            #expect(try restorer.ask(#"{"do":"export"}"#)["file"] == file)
            let taken = try restorer.ask(#"{"do":"import","file":\#(bad)}"#)
            #expect(taken["alarms"] == .number(2))
            guard case .array(let setAside)? = taken["setAside"] else { throw Client.Gone() }
            // Each problem has the alarm's index in the file, even if earlier alarms are left out.
            let said = try setAside.map { try "\($0.decoded(as: ProblemReport.self))" }
            for start in [
                "alarms[0].time: ", "alarms[3].time: ", "alarms[4].days: ",
                #"alarms[0]: "Bad" is left out"#, "alarms[3]: is left out", #"alarms[4]: "Lost" is left out"#,
            ] { #expect(said.count { $0.hasPrefix(start) } == 1, "\(start) in \(said)") }
            #expect(said.count == 6, "\(said)")
            // An alarm that is imported disabled gets a warning instead.
            #expect(taken["warnings.0.path"]?.description.hasPrefix(#""alarms[2].challenges[0]"#) == true, "\(taken)")
        }
    }

    /// The server must handle every line, even if the client has shut down its sending half.
    @Test func lines_ofAClientThatShutDownItsSending_areAllAnswered() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let lines = Array(String(repeating: #"{"do":"settings"}"# + "\nx\n\n", count: 3000).utf8)
            // The write needs its own thread, because the test's thread pool may be exhausted.
            Thread.detachNewThread {
                client.say(lines)
                client.sayNoMore()
            }
            for _ in 0..<3000 {
                #expect(try client.hear()["ok"] == .bool(true))
                #expect(try client.hear()["ok"] == .bool(false))
            }
            #expect(client.isLetGo())
        }
    }
}
