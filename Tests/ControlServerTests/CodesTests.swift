// The tests of codes over the socket: scans whose client leaves, alarms without their code, and imports.

import API
import Alarms
import CodeReading
import Devices
import Engine
import Fixtures
import JSON
import Mocks
import Oracles
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct CodesTests {
    private func code(_ label: String, _ digest: String) -> EnrolledCode {
        EnrolledCode(label: label, kind: .qr, digest: CodeDigest(digest))
    }

    private func alarm(_ id: String, _ codes: [String], isEnabled: Bool = true) -> Alarm {
        var alarm = Alarm.daily(id, "07:00")
        alarm.challenges = [Challenge(.code(labels: codes))]
        alarm.isEnabled = isEnabled
        return alarm
    }

    /// If the scan outlived its client, the next code in view would be enrolled unnoticed.
    @Test func enrolment_whenItsClientDisconnects_ends() async throws {
        let camera = MockCamera()
        try await withSocket(camera: camera) { fixture in
            for line in [#"{"do":"enrol","label":"bathroom"}"#, #"{"do":"testCode"}"#] {
                var gone: Client? = try Client(of: fixture.path)
                gone?.send(line)
                for await order in camera.orders where order != .off { break }
                #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["status.scan"] != .null)
                gone = nil
                for await order in camera.orders where order == .off { break }
                #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["status.scan"] == .null)
            }
        }
    }

    /// A client that was refused or has its response must not end another client's scan when it leaves.
    @Test func enrolment_whenAnotherClientDisconnects_continues() async throws {
        let camera = MockCamera()
        try await withSocket(camera: camera) { fixture in
            let first = try Client(of: fixture.path)
            first.send(#"{"do":"enrol","label":"bathroom"}"#)
            for await order in camera.orders where order != .off { break }
            for _ in 0..<3 {
                #expect(try Client(of: fixture.path).ask(#"{"do":"testCode"}"#)["error.code"] == .string("scanning"))
            }
            #expect(try Client(of: fixture.path).ask(#"{"do":"status"}"#)["status.scan.label"] == .string("bathroom"))
            // The client that cancels gets the scan's label, and the waiting client gets an error.
            let other = try Client(of: fixture.path)
            #expect(try other.ask(#"{"do":"cancelScan"}"#)["scan.label"] == .string("bathroom"))
            #expect(try first.hear()["error.code"] == .string("cancelled"))
            #expect(try other.ask(#"{"do":"cancelScan"}"#)["scan"] == .null)
        }
    }

    private func warning(_ path: String, _ message: String, _ code: String) -> JSON {
        .array([
            .object([.init("path", .string(path)), .init("message", .string(message)), .init("code", .string(code))])
        ])
    }

    @Test func forgettingACode_namesTheAlarmsThatNeedIt() async throws {
        try await withSocket(camera: MockCamera()) { fixture in
            let client = try Client(of: fixture.path)
            for label in ["bathroom", "kitchen"] { _ = await fixture.base.ask(.enrol(code(label, label)), label) }
            for alarm in [
                alarm("off", ["bathroom"], isEnabled: false), alarm("either", ["bathroom", "kitchen"]),
                alarm("other", ["kitchen"], isEnabled: false),
            ] {
                _ = await fixture.base.ask(.save(alarm), alarm.id)
            }
            let answer = try client.ask(#"{"do":"forgetCode","label":"bathroom"}"#)
            #expect(answer["ok"] == .bool(true))
            #expect(answer["warnings.0"]?.description.contains("off\",\"message\":\"asks for it and cannot be") == true)
            #expect(
                answer["warnings.1"]?.description.contains("either\",\"message\":\"asks for it and uses") == true)
            #expect(answer["warnings.2"] == nil)
            // The ring does not ask for the forgotten code either.
            await fixture.base.advance(byMilliseconds: 15 * 3_600_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            let stop = try client.ask(#"{"do":"stop"}"#)
            #expect(stop["error.asked.labels"] == .array([.string("kitchen")]), "\(stop)")
        }
    }

    /// An imported code can end rings at once, so the response must name it.
    @Test func import_namesTheImportedCodes() async throws {
        try await withSocket(camera: MockCamera()) { fixture in
            let client = try Client(of: fixture.path)
            _ = await fixture.base.ask(.enrol(code("bathroom", "mine")), "enrol")
            var file = AlarmsFile()
            file.codes = [code("bathroom", "theirs"), code("kitchen", "theirs too")]
            file.alarms = [alarm("work", ["kitchen"])]
            let keyless = try client.ask(#"{"do":"import","file":\#(file.json)}"#)
            #expect(keyless["codes"] == .array([]) && keyless["setAside"] == .array([]))
            #expect("\(keyless)".contains(", so the alarm is off"), "\(keyless)")
            #expect("\(keyless)".contains("are not imported, because the file has no codeKeys"), "\(keyless)")
            file.codeKeys = [CodeKey(repeatElement(7, count: CodeKey.byteCount))]
            let answer = try client.ask(#"{"do":"import","file":\#(file.json)}"#)
            #expect(answer["codes"] == .array([.string("kitchen")]), "\(answer)")
            let kept = #""bathroom" is not imported, because this device has another code of that name"#
            #expect(answer["warnings"] == warning("codes", kept, "codesNotImported"))
            let backup = try client.ask(#"{"do":"import","backup":true,"file":\#(file.json)}"#)
            #expect(backup["codes"] == .array([.string("bathroom")]), "\(backup)")
            #expect(backup["warnings"] == nil)
        }
    }

    /// Each sheet has another code, which stands on it only as squares. A repeated request gets the same sheet.
    @Test func sheet_hasANewCode_unlessTheRequestIsRepeated() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            func sheet(_ more: String) throws -> String {
                let answer = try client.ask(#"{"do":"codeSheet","label":"bath <1>"\#(more)}"#)
                guard let content: MediaReport = try answer["content"]?.decoded(), let bytes = content.bytes,
                    case .string(let fingerprint)? = answer["fingerprint"]
                else { throw Client.Gone() }
                let svg = String(decoding: bytes, as: UTF8.self)
                #expect(content.type == "image/svg+xml" && svg.hasPrefix("<?xml") && svg.contains("bath &lt;1&gt;"))
                #expect(svg.contains(">Fingerprint: \(fingerprint)<") && !svg.contains("ROOSTER-"))
                let payload = try #require(CodePayload(try read(svg)))
                let digest = payload.digest(key: try #require(ServiceFixture.codeKey.bytes), kind: "qr")
                #expect(payload.isPrinted && digest.map { CodeDigest($0).fingerprint } == fingerprint)
                #expect("\(answer)".contains("This device has no camera, so the code cannot be enrolled"))
                return svg
            }
            let named = #","id":"7","client":"phone""#
            let sheets = try [sheet(""), sheet(""), sheet(named)]
            #expect(Set(sheets).count == 3)
            #expect(try sheet(named) == sheets[2])
            let refused = try client.ask(#"{"do":"codeSheet","label":""}"#)
            #expect(refused["error.problems.0.path"] == .string("label"), "\(refused)")
        }
    }

    /// Returns the payload of the code on a sheet, as the camera would read it.
    private func read(_ svg: String) throws -> [UInt8] {
        let (side, module) = (50, 8)
        var luma = [UInt8](repeating: 255, count: side * side * module * module)
        for bar in svg.matches(of: /M(\d+) (\d+)h(\d+)v1H\d+z/) {
            let (left, top, width) = (Int(bar.1) ?? 0, Int(bar.2) ?? 0, Int(bar.3) ?? 0)
            for y in top * module..<(top + 1) * module {
                for x in left * module..<(left + width) * module { luma[y * side * module + x] = 0 }
            }
        }
        let picture = try #require(Picture(width: side * module, height: side * module, luma: luma))
        var reader = CodeReader()
        return try #require(reader.read(picture, wanted: [.qr], budgetMilliseconds: 60_000).codes.first).payload
    }

    /// The fingerprint must not confirm a guess, so only payloads that Rooster has made get one.
    @Test func fingerprint_isGivenOnlyForRoostersPayloads() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let payload = "ROOSTER-ABCDEFGHIJKLMNOPQRSTUVWX27"
            let answer = try client.ask(#"{"do":"printCode","payload":"\#(payload)"}"#)
            let digest = CodePayload(Array(payload.utf8))?.digest(
                key: try #require(ServiceFixture.codeKey.bytes), kind: "qr")
            #expect(answer["fingerprint"] == digest.map { .string(CodeDigest($0).fingerprint) })
            // The sheet still says so after a restart, which would otherwise make another key.
            #expect(
                await fixture.base.service.engine.snapshot.contains { $0.fact == .codeKeyAdded(ServiceFixture.codeKey) }
            )
            let message = "This device has no camera, so the code cannot be enrolled"
            #expect(answer["warnings"] == warning("", message, "noCamera"))
            for other in ["4006381333931", "", payload.lowercased(), String(payload.dropLast()), "\(payload)A"] {
                let refused = try client.ask(#"{"do":"printCode","payload":"\#(other)"}"#)
                #expect(refused["error.code"] == .string("problems"), "\(other)")
            }
        }
    }
}
