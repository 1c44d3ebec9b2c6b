// The tests of the names that count as misspellings.

import Testing
import Text

@Suite struct MisspellingTests {
    @Test(arguments: [
        ("repeet", "repeat"), ("alarm", "alarms"), ("Label", "label"), ("lable", "label"), ("snoze", "snooze"),
        ("weekday", "weekdays"), ("tiem", "time"), ("tme", "time"), ("challanges", "challenges"), ("dat", "date"),
    ])
    func misspellings_areNear(written: String, meant: String) {
        #expect(written.isNearly(meant))
        #expect(meant.isNearly(written))
    }

    @Test(arguments: [
        ("owner", "label"), ("mite", "time"), ("", "id"), ("for", "ramp"), ("x", "id"), ("color", "sound"),
        (String(repeating: "a", count: 100_000), String(repeating: "a", count: 100_001)),
    ])
    func otherWords_areNotNear(written: String, known: String) {
        #expect(!written.isNearly(known))
    }
}
