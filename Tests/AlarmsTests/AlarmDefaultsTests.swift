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

    /// A check without challenges has no effect, so an alarm without challenges takes none.
    @Test(arguments: [
        (#"{}"#, true, 120, 600, 1), (#"{"challenges":[]}"#, false, 0, 600, 1),
        (#"{"check":{"after":60}}"#, true, 60, 600, 1), (#"{"challenges":[],"check":{"after":60}}"#, true, 60, 600, 1),
        (#"{"check":null,"light":0,"escalate":[]}"#, false, 0, 0, 0), (#"{"escalate":null}"#, true, 120, 600, 1),
    ])
    func newAlarm_takesCheckLightAndEscalation(json: String, hasCheck: Bool, after: Int, light: Int, steps: Int) throws
    {
        var defaults = AlarmDefaults()
        defaults.challenges = [Challenge(.steps(count: 40))]
        (defaults.wakeUpCheck, defaults.lightSeconds) = (WakeUpCheck(after: 120, within: 30), 600)
        (defaults.escalation, defaults.ring.shake) = ([EscalationStep(after: 30, sound: nil, shakes: true)], true)
        defaults.unknown = [.init("mine", 1)]
        #expect(AlarmDefaults.read(defaults.json.members).0 == defaults)
        let alarm = AlarmPatch(try JSON(parsing: Array(json.utf8)).members).completed(by: defaults).value
        #expect((alarm.wakeUpCheck != nil, alarm.wakeUpCheck?.afterSeconds ?? 0) == (hasCheck, after))
        #expect(alarm.wakeUpCheck.map { $0.withinSeconds == 30 } ?? !hasCheck)
        #expect((alarm.lightSeconds, alarm.escalationSteps.count, alarm.ring.shakes) == (light, steps, true))
        #expect(alarm.unknown.isEmpty)
    }

    @Test func defaults_haveTheProblemsOfAnAlarm() throws {
        var defaults = AlarmDefaults()
        (defaults.wakeUpCheck, defaults.lightSeconds) = (WakeUpCheck(after: 300, within: 180), 600)
        var context = ValidationContext()
        #expect(defaults.problems(among: &context).isEmpty)
        (defaults.wakeUpCheck, defaults.lightSeconds) = (WakeUpCheck(after: 0, within: 180), 3601)
        defaults.escalation = [EscalationStep(after: 30, sound: nil)]
        let paths = Set(defaults.problems(among: &context).map(\.path))
        #expect(paths == ["defaults.check.after", "defaults.light", "defaults.escalate[0]"])
    }
}
