// The tests of the log of events: its bound, its order and its size.

import CivilTime
import Testing

@testable import Alarms
@testable import Engine

@Suite struct EventLogTests {
    private let ring = Occurrence(alarm: "work", at: Instant(secondsSince1970: 0))

    private func refusal(_ milliseconds: Int) -> Entry {
        Entry(millisecondsSince1970: milliseconds, .stopRefused(ring, by: Sender(.button)))
    }

    @Test func newestEvents_areKept() {
        var log = EventLog()
        for index in 0..<9000 {
            log.apply(refusal(index))
            #expect(log.entries.count == min(index + 1, log.entries.count) && log.entries.last == refusal(index))
            #expect(log.entries.count >= min(index + 1, 2000) && log.entries.count <= 2200)
        }
        #expect(log.entries.suffix(2000).map(\.millisecondsSince1970) == Array(7000..<9000))
    }

    /// A deletion takes effect when it is durable, and an event at once: a restart finds them in another order.
    @Test(arguments: [0, 1]) func deletion_isInOneOrder_whenEverItIsApplied(laterMilliseconds: Int) {
        let deletion = Entry(millisecondsSince1970: 5000, .alarmDeleted("work", label: "Work"))
        let event = refusal(5000 + laterMilliseconds)
        var (one, other) = (EventLog(), EventLog())
        for entry in [refusal(4000), deletion, event] { one.apply(entry) }
        for entry in [refusal(4000), event, deletion] { other.apply(entry) }
        #expect(one.entries == other.entries && one.entries == [refusal(4000), deletion, event])
        #expect(one.label(ofDeleted: "work") == "Work" && one.label(ofDeleted: "gym") == nil)
    }

    @Test func factsOfTheState_areNoEvents() {
        var log = EventLog()
        let facts: [Fact] = [
            .planned(ring, .base), .challengeDone(ring, index: 0), .ended(ring, .dismissed, by: nil, switchesOff: nil),
            .audioStarted(ring, route: "usb", latencyMilliseconds: nil), .clockTrusted(true),
            // A snapshot repeats a step.
            .clockStepped(from: 9000, to: 8000),
        ]
        for fact in facts { log.apply(Entry(millisecondsSince1970: 5000, fact)) }
        #expect(log.entries.isEmpty)
        log.apply(Entry(millisecondsSince1970: 8000, .clockStepped(from: 9000, to: 8000)))
        #expect(log.entries.count == 1)
    }

    /// 2,200 entries are kept in a service that may take 20 MB.
    @Test func entry_isSmall() {
        #expect(MemoryLayout<Entry>.stride <= 136)
    }

    /// The clock may jump over years of skipped days.
    @Test func leftOutRings_overALongStep_areBounded() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.ask(.save(.daily("work", "07:00")))
        let from = try #require(CivilDate("2026-01-12"))
        fixture.ask(.pause("work", DateSet([from...from.advanced(by: 3000)])))
        fixture.wallMilliseconds += 2500 * 86_400_000
        fixture.give(.timer)
        #expect(
            fixture.engine.events.entries.count { if case .noted(_, .paused, _) = $0.fact { true } else { false } }
                == 1000)
        fixture.pass(milliseconds: 86_400_000)
        #expect(
            fixture.engine.events.entries.count { if case .noted(_, .paused, _) = $0.fact { true } else { false } }
                == 1001)
    }
}
