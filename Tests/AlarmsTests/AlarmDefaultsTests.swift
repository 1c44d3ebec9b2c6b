// The tests of the owner's choices for the whole house, and of labels: defaults of new alarms, times of day in
// 12 hours.

import CivilTime
import JSON
import Testing
import Text

@testable import Alarms

@Suite struct AlarmDefaultsTests {
    @Test(arguments: [
        ("00:00", "12:00 am"), ("00:05:09", "12:05:09 am"), ("07:00", "7:00 am"), ("12:00", "12:00 pm"),
        ("23:59", "11:59 pm"),
    ])
    func twelveHours(time: String, text: String) throws {
        let clock = try #require(ClockTime(time))
        #expect(HourFormat.twelve.text(clock) == text)
        #expect(HourFormat.twentyFour.text(clock) == time)
        #expect(HourFormat.twelve.text(DayRule.off) == "off")
        let seconds = clock.second == 0 ? text.replacing(" ", with: ":00 ") : text
        #expect(HourFormat.twelve.textWithSeconds(clock) == seconds)
    }

    @Test func otherHours_areRefused() throws {
        let (settings, problems) = Settings.read([.init("hours", 13)])
        #expect(settings.hourFormat == .twentyFour)
        #expect(problems.map(\.description) == ["hours: must be 12 or 24, not 13"])
    }

    @Test(arguments: [
        ("", ""), ("  Work ", "Work"), ("\u{A0}\u{200B}", ""), ("\u{FEFF}a b\u{2060}", "a b"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
    ])
    func label_hasNoBlanksAtItsEnds(label: String, kept: String) throws {
        var problems: [Problem] = []
        let alarm = Alarm.read(.object([.init("id", "a"), .init("label", label)]), &problems)
        #expect(alarm?.label == kept)
    }

    @Test func newAlarm_takesTheDefaultsThatItLacks() throws {
        var defaults = AlarmDefaults()
        (defaults.ring.volume, defaults.ring.rampSeconds, defaults.snooze.max) = (0.5, 10, 1)
        defaults.challenges = [Challenge(.steps(count: 40))]
        func alarm(_ json: String) throws -> Alarm {
            let members = try JSON(parsing: Array(json.utf8)).members
            return AlarmPatch(members).completed(by: defaults).value
        }
        let plain = try alarm(#"{"id":"a","time":"07:00"}"#)
        #expect((plain.ring, plain.snooze, plain.challenges) == (defaults.ring, defaults.snooze, defaults.challenges))
        let own = try alarm(#"{"ring":{"volume":1},"snooze":{"max":null},"challenges":[]}"#)
        #expect((own.ring.volume, own.ring.rampSeconds, own.snooze.max, own.challenges) == (1, 10, nil, []))
        // Null stands for Rooster's own default.
        let none = try alarm(#"{"ring":null,"challenges":null}"#)
        #expect((none.ring, none.challenges, none.snooze.max) == (RingSettings(), [], 1))
    }
}
