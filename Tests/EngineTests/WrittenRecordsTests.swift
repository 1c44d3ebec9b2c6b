// The tests of the records that other programs read, each with an event that must write it.

import Records
import Testing

@testable import Engine

@Suite struct WrittenRecordsTests {
    /// The name of each record, and a scenario whose last line must write it.
    static let records: [(name: String, lines: [String])] = {
        let due = ["alarm work 07:00 daily", "at 07:00:00"]
        let dueWithSums = ["alarm work 07:00 daily math=1 for=1", "at 07:00:00"]
        let dueWithCode = ["code bathroom", "alarm work 07:00 daily code=bathroom", "at 07:00:00"]
        return [
            ("alarm_saved", ["alarm work 07:00 daily"]),
            ("alarm_deleted", ["alarm work 07:00 daily", "delete work"]),
            ("settings_saved", ["setting lock 10"]),
            ("code_enrolled", ["code bathroom"]),
            ("code_forgotten", ["code bathroom", "forget bathroom"]),
            ("planned", ["alarm work 07:00 daily"]),
            ("planned", due),
            ("fired", due),
            ("audio_started", due + ["played usb:Speaker"]),
            ("audio_failed", due + ["unplayed vc4hdmi0"]),
            ("scan_refused", dueWithCode + ["stop", "show milk"]),
            ("challenge_done", dueWithSums + ["answer right"]),
            ("snoozed", due + ["snooze"]),
            ("stop_refused", dueWithSums + ["stop"]),
            ("dismissed", due + ["stop"]),
            ("dismissed", dueWithSums + ["answer right"]),
            ("unanswered", dueWithSums + ["after 13 min"]),
            ("missed", ["alarm work 07:00 daily", "restart for 3 h"]),
            ("emergency", ["alarm work 07:00 daily math=1", "at 07:00:00", "hold 60 s"]),
            ("resumed", due + ["restart for 1 s"]),
            ("resumed", due + ["snooze 5 min", "after 5 min"]),
            ("snooze_taken_back", due + ["down snooze", "after 100 ms", "down stop"]),
            ("notice_given", ["alarm work 07:00 daily notices=30m"]),
            ("postponed", due + ["postpone work 1 h"]), ("done", ["alarm work 07:00 daily", "done work"]),
            ("clock_stepped", ["alarm work 07:00 daily", "clock by 2 h"]),
            ("clock_trusted", ["alarm work 07:00 daily", "clock untrusted", "clock trusted"]),
            ("zone_changed", ["alarm work 07:00 daily", "zone Europe/Berlin"]),
            ("health_changed", ["health speaker broken No card plays"]),
        ]
    }()

    @Test(arguments: records)
    func record_isWrittenOnce_byItsEvent(name: String, lines: [String]) throws {
        let given = ["given", "zone UTC", "clock 2026-01-12T06:59:00"]
        let scenario = scenarioLines((given + lines).joined(separator: "\n"))
        var runner = try ScenarioRunner(after: scenario.dropLast())
        let before = runner.fixture.writtenCount(name)
        try runner.carryOut(#require(scenario.last))
        #expect(runner.fixture.writtenCount(name) == before + 1)
    }

    @Test func everyRecordReliedOn_isTested() {
        #expect(Set(Self.records.map(\.name)) == Self.namesReliedOn)
    }

    /// The names that must never be removed, because other programs read them.
    static let namesReliedOn: Set = [
        "alarm_saved", "alarm_deleted", "settings_saved", "code_enrolled", "code_forgotten", "planned", "fired",
        "audio_started", "audio_failed", "scan_refused", "challenge_done", "snoozed", "stop_refused", "dismissed",
        "unanswered", "missed", "emergency", "resumed", "clock_stepped", "clock_trusted", "zone_changed",
        "health_changed", "snooze_taken_back", "notice_given", "postponed", "done",
    ]

    @Test func namesReliedOn_areKindsOfRecords() {
        #expect(Self.namesReliedOn.isSubset(of: FactKind.allCases.map(\.name)))
    }
}
