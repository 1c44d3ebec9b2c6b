// A code can burn: where there is no other way out, a second one is asked for.

import Alarms
import CivilTime
import JSON
import Testing

@testable import Engine

@Suite struct SecondCodeTests {
    func bedside(hasEmergencyExit: Bool) throws -> Bedside {
        var bedside = try Bedside(startedAt: "2026-01-12T12:00:00Z")
        var settings = Settings()
        settings.hasEmergencyExit = hasEmergencyExit
        bedside.ask(.saveSettings(settings))
        return bedside
    }

    func code(_ label: String) -> EnrolledCode { EnrolledCode(label: label, kind: .qr, digest: CodeDigest(label)) }

    func alarm(_ labels: [String]) -> Alarm {
        var alarm = Alarm(id: "work")
        alarm.time = ClockTime(hour: 7, minute: 0)
        alarm.challenges = [Challenge(.code(labels: labels))]
        return alarm
    }

    func warnings(_ reply: Reply?) -> [Problem]? {
        if case .done(.saved(_, let warnings)) = reply { warnings } else { nil }
    }

    @Test func firstCode_asksForAnother_whereThereIsNoWayOut() throws {
        var bedside = try bedside(hasEmergencyExit: false)
        #expect(bedside.ask(.enrol(code("bathroom"))) == .done(.enrolled(asksForAnother: true)))
        #expect(warnings(bedside.ask(.save(alarm(["bathroom"]))))?.map(\.place) == ["challenges[0]"])
        #expect(bedside.ask(.enrol(code("kitchen"))) == .done(.enrolled(asksForAnother: false)))
        #expect(warnings(bedside.ask(.save(alarm(["bathroom", "kitchen"])))) == [])
    }

    @Test func oneCode_isEnough_whereThereIsAWayOut() throws {
        var bedside = try bedside(hasEmergencyExit: true)
        #expect(bedside.ask(.enrol(code("bathroom"))) == .done(.enrolled(asksForAnother: false)))
        #expect(warnings(bedside.ask(.save(alarm(["bathroom"])))) == [])
    }

    /// One of them is enough to stop it, and so it is for the evening's look.
    @Test func codes_areInOrder_whileOneOfThemIsEnrolled() throws {
        var bedside = try bedside(hasEmergencyExit: true)
        for label in ["bathroom", "kitchen"] { bedside.ask(.enrol(code(label))) }
        bedside.ask(.save(alarm(["bathroom", "kitchen"])))
        bedside.ask(.forget("kitchen"))
        #expect(bedside.engine.codesHealth == .ok)
        bedside.kinds = []
        bedside.start()
        #expect(bedside.engine.codesHealth == .ok)
    }
}
