// The tests of the advice to enrol a second code, because a printed code can be destroyed.

import Alarms
import CivilTime
import JSON
import Testing
import Text

@testable import Engine

@Suite struct SecondCodeTests {
    func fixture(hasEmergencyExit: Bool) throws -> EngineFixture {
        var fixture = try EngineFixture(startedAt: "2026-01-12T12:00:00Z")
        var settings = Settings()
        settings.hasEmergencyExit = hasEmergencyExit
        fixture.ask(.saveSettings(settings))
        return fixture
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

    @Test func firstCode_withoutAnEmergencyExit_asksForAnother() throws {
        var fixture = try fixture(hasEmergencyExit: false)
        #expect(fixture.ask(.enrol(code("bathroom"))) == .done(.enrolled(asksForAnother: true)))
        #expect(warnings(fixture.ask(.save(alarm(["bathroom"]))))?.map(\.path) == ["challenges[0]"])
        #expect(fixture.ask(.enrol(code("kitchen"))) == .done(.enrolled(asksForAnother: false)))
        #expect(warnings(fixture.ask(.save(alarm(["bathroom", "kitchen"])))) == [])
    }

    @Test func oneCode_withAnEmergencyExit_isEnough() throws {
        var fixture = try fixture(hasEmergencyExit: true)
        #expect(fixture.ask(.enrol(code("bathroom"))) == .done(.enrolled(asksForAnother: false)))
        #expect(warnings(fixture.ask(.save(alarm(["bathroom"])))) == [])
    }

    /// One of the codes is enough to stop the alarm, so the evening's check must not warn.
    @Test func codesHealth_isOK_whileOneCodeIsEnrolled() throws {
        var fixture = try fixture(hasEmergencyExit: true)
        for label in ["bathroom", "kitchen"] { fixture.ask(.enrol(code(label))) }
        fixture.ask(.save(alarm(["bathroom", "kitchen"])))
        fixture.ask(.forget("kitchen"))
        #expect(fixture.engine.codesHealth == .ok)
        fixture.kinds = []
        fixture.start()
        #expect(fixture.engine.codesHealth == .ok)
    }
}
