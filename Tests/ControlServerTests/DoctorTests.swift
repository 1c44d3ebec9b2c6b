// The tests of the doctor over the socket.

import Alarms
import ControlServer
import Fixtures
import JSON
import Mocks
import Oracles
import SimulatedDevices
import Sound
import Testing

@Suite struct DoctorTests {
    /// Returns a part's grade and text, or nil if the response lacks the part.
    private func told(_ part: String, in answer: JSON) -> (grade: JSON?, text: JSON?)? {
        guard case .array(let parts)? = answer["health"] else { return nil }
        return parts.first { $0["part"] == .string(part) }.map { ($0["grade"], $0["text"]) }
    }

    /// Runs a service with a socket and without problems.
    private func withWellService(
        warnings: [String] = [], camera: MockCamera? = nil, _ body: (SocketFixture) async throws -> Void
    ) async throws {
        try await withSocket(warnings: warnings, camera: camera) { fixture in
            fixture.base.speaker.status = SpeakerStatus(routes: [RouteStatus(Route(id: "a", kind: .usb), .good)])
            fixture.base.speaker.status.isReady = true
            try await body(fixture)
        }
    }

    /// Even if all hardware is in order, the owner must learn that no alarm will ring.
    @Test func alarmsPart_namesTheNextRing() async throws {
        try await withWellService { fixture in
            let client = try Client(of: fixture.path)
            func alarms() throws -> (grade: JSON?, text: JSON?)? {
                told("alarms", in: try client.ask(#"{"do":"doctor"}"#))
            }
            #expect(try alarms()?.grade == .string("warning"))
            _ = await fixture.base.ask(.save(.daily("work", "15:01")), "1")
            #expect(try alarms()?.grade == .string("ok"))
            #expect(try alarms()?.text == .string("Alarm work rings next, on 2024-03-09 at 15:01"))
            // The ring of an alarm in another zone is shown in the device's local time.
            var abroad = Alarm.daily("6f9619ff-8b86-d011", "05:00:30")
            abroad.zoneName = "Asia/Tokyo"
            _ = await fixture.base.ask(.save(abroad), "abroad")
            #expect(try alarms()?.text == .string("Alarm 6f9619ff rings next, on 2024-03-09 at 15:00:30"))
            var settings = Settings()
            settings.isEnabled = false
            _ = await fixture.base.ask(.saveSettings(settings), "2")
            #expect(try alarms()?.grade == .string("warning"))
            #expect(try alarms()?.text == .string("All alarms are switched off"))
        }
    }

    /// An alarm whose device does not work must not be said to be fine.
    @Test func alarmsPart_namesChallengesThatAreReplaced() async throws {
        let camera = MockCamera()
        try await withWellService(camera: camera) { fixture in
            let client = try Client(of: fixture.path)
            let code = EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest(String(repeating: "0", count: 64)))
            _ = await fixture.base.ask(.enrol(code), "enrol")
            var alarm = Alarm.daily("work", "15:01")
            alarm.challenges = [Challenge(.code(labels: ["bathroom"]))]
            _ = await fixture.base.ask(.save(alarm), "save")
            #expect(try client.ask(#"{"do":"alarms"}"#)["alarms.0.replaced"] == .null)
            camera.answer(.failed(.none))
            let alarms = told("alarms", in: try client.ask(#"{"do":"doctor"}"#))
            let text = "5 sums instead of the code (the camera does not work)"
            #expect(alarms?.grade == .string("broken"))
            #expect(alarms?.text == .string("Alarm work: \(text)"))
            let listed = try client.ask(#"{"do":"alarms"}"#)
            #expect(listed["alarms.0.replaced.0.text"] == .string(text))
            #expect(listed["alarms.0.replaced.0.by.count"] == .number("5"))
        }
    }

    /// Warnings from the start stay in the response. All other parts are tested again.
    @Test func parts_areTestedAgain_andStartWarningsStay() async throws {
        try await withWellService(warnings: ["The configuration: it is torn"]) { fixture in
            let base = fixture.base
            let client = try Client(of: fixture.path)
            for wear in [FaultyDisk.Wear.none, .full, .none] {
                base.wear.wear = wear
                let answer = try client.ask(#"{"do":"doctor"}"#)
                let start = told("rooster", in: answer)
                #expect(start?.grade == .string("warning"))
                #expect(start?.text == .string("The configuration: it is torn"))
                #expect(told("speaker", in: answer)?.grade == .string("ok"))
                #expect(told("disk", in: answer)?.grade == .string(wear == .full ? "broken" : "ok"), "\(answer)")
                #expect(wear == .full || "\(answer)".contains("B free"), "\(answer)")
            }
            #expect(base.speaker.signal == nil)
            _ = try client.ask(#"{"do":"doctor","loud":true}"#)
            #expect(base.speaker.signal != nil)
            base.speaker.status = SpeakerStatus()
            base.speaker.status.isReady = true
            #expect(told("speaker", in: try client.ask(#"{"do":"doctor"}"#))?.grade == .string("broken"))
        }
    }

    /// The response has the texts of the status. A card in use by another program is busy, not failed.
    @Test func speakers_areReportedAsTheyAreFound() async throws {
        try await withSocket { fixture in
            let card = Route(id: "a", kind: .usb, name: "USB Audio", usbID: "0d8c:0014")
            let others = ["b", "c"].map { RouteStatus(Route(id: $0, kind: .analogue), .unknown) }
            fixture.base.speaker.status = SpeakerStatus(routes: [RouteStatus(card, .unknown)] + others)
            fixture.base.speaker.find(["a": .failed(.system(.open, errorNumber: 16)), "b": .failed(.gone), "c": .good])
            let answer = try Client(of: fixture.path).ask(#"{"do":"trySpeakers"}"#)
            #expect((0..<3).map { answer["routes.\($0).health"] } == ["busy", "failed", "good"].map { .string($0) })
            #expect(
                answer["routes.0"]?.description
                    == #"{"id":"a","kind":"usb","name":"USB Audio","configured":"usb:0d8c:0014","health":"busy","#
                    + #""reason":"in use by another program"}"#)
            #expect(answer["routes.1.reason"] == .string("unplugged"))
        }
    }
}
