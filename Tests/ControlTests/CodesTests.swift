// Codes at the door: whoever waits for one and goes, what becomes of alarms without theirs, and what a file brings.

import Alarms
import Devices
import Engine
import Household
import Oracles
import SimulatedDevices
import Testing

@testable import Control

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

    /// Else the next code that comes into view would be enrolled for nobody.
    @Test func enrolment_ofWhoeverIsGone_isOver() async throws {
        let (scratch, camera) = (try Scratch(), MockCamera())
        let house = try await House(scratch, camera: camera)
        for wish in [#"{"do":"enrol","label":"bathroom"}"#, #"{"do":"testCode"}"#] {
            var gone: Client? = try Client(of: house.path)
            gone?.say(Array("\(wish)\n".utf8))
            for await order in camera.orders where order != .off { break }
            #expect(try Client(of: house.path).ask(#"{"do":"status"}"#)["status.looking"] != .null)
            gone = nil
            for await order in camera.orders where order == .off { break }
            #expect(try Client(of: house.path).ask(#"{"do":"status"}"#)["status.looking"] == .null)
        }
        await house.end()
    }

    /// One that was refused, or has an answer, ends nobody else's.
    @Test func enrolment_goesOn_whoeverElseGoes() async throws {
        let (scratch, camera) = (try Scratch(), MockCamera())
        let house = try await House(scratch, camera: camera)
        let first = try Client(of: house.path)
        first.say(Array(#"{"do":"enrol","label":"bathroom"}"#.utf8) + [UInt8(ascii: "\n")])
        for await order in camera.orders where order != .off { break }
        for _ in 0..<3 {
            #expect(try Client(of: house.path).ask(#"{"do":"testCode"}"#)["reason"] == .string("looking"))
        }
        #expect(try Client(of: house.path).ask(#"{"do":"status"}"#)["status.looking.label"] == .string("bathroom"))
        // Whoever calls it off is told whose it was, and whoever waited that it was.
        let other = try Client(of: house.path)
        #expect(try other.ask(#"{"do":"cancel"}"#)["looking.label"] == .string("bathroom"))
        #expect(try first.hear()["reason"] == .string("cancelled"))
        #expect(try other.ask(#"{"do":"cancel"}"#)["looking"] == .null)
        await house.end()
    }
}
