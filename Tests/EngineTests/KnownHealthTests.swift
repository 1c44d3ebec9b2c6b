// The tests of the health that the engine learns.

import CivilTime
import Health
import Testing
import Text

@testable import Engine

@Suite struct KnownHealthTests {
    /// An earlier version recorded no day and no reason for a camera that was pulled out.
    @Test func cameraPulledOutInAnOldRecord_isBrokenFromTheStartOn() {
        var engine = Engine(replaying: [
            Entry(millisecondsSince1970: 1_768_197_600_000, .healthChanged(.camera, Health(.cameraPulledOut)))
        ])
        let moment = Moment(wallMilliseconds: 1_768_197_600_000, uptimeMilliseconds: 0)
        _ = engine.handle(.start(Start(isClockTrusted: true, zone: .utc, seed: 1)), at: moment)
        #expect(engine.health(of: .camera) == Health(.cameraBroken(reason: "it was unplugged")))
        let reason = "The camera gives no pictures (it was unplugged)."
        let text = engine.health(of: .camera)?.text
        #expect(text == "\(reason) Until it works, five sums replace a code, and the history says so.")
    }

    @Test func buzzerAlone_isWarnedOf_whenAnAlarmIsSaved() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.give(.health(.speaker, Health(.buzzerOnly([]))))
        guard case .done(.saved(_, let warnings)) = fixture.ask(.save(.daily("work", "07:00"))) else {
            return #expect(Bool(false), "not saved")
        }
        #expect(warnings == [Problem(.noSpeaker, "", "no speaker works now, so only the buzzer sounds")])
    }
}
