// The tests of the plan that clients show.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct PlannedDaysTests {
    /// A ring that is done ahead of time, or put off, does not ring at its planned time.
    @Test func plan_hasNoRingThatIsDoneOrPutOff() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.ask(.save(.daily("bins", "07:00")))
        fixture.ask(.save(.daily("pills", "08:00")))
        fixture.ask(.done("bins"))
        fixture.ask(.postpone("pills", .seconds(3600)))
        let from = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        let rings = fixture.engine.rings(from: from, until: from.advanced(by: 86_400 + 3 * 3600), countMax: 10)
        let expected = ["2026-01-12T09:00:00Z", "2026-01-13T07:00:00Z", "2026-01-13T08:00:00Z"]
        #expect(rings.map { "\($0.at)" } == expected)
    }
}
