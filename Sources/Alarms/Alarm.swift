// What an alarm is: the owner's words for when and how it rings. Never an instant, always a time on the clock.

import CivilTime
import JSON

/// An alarm, as its owner set it.
///
/// Its base is `time` on the days that `recurrence` gives, or on `date`, or once at the next such time. `weekly` and
/// `dates` say otherwise for single weekdays and dates; each of the three works without the others.
public struct Alarm: Hashable, Sendable, Identifiable {
    /// Names it for ever.
    public var id: String
    package var label = ""
    package var isEnabled = true
    /// The time of the base; nil where there is no base.
    package var time: ClockTime?
    /// The day of a one-time alarm; nothing for the next day that fits.
    package var date: CivilDate?
    /// The day that intervals count from; nothing for the anchor.
    package var start: CivilDate?
    /// The day that Rooster fixed where the owner named none: written by exports, taken over by an import.
    package var anchor: CivilDate?
    /// The days of the base; nothing for an alarm that rings once.
    package var recurrence: Recurrence?
    /// The zone its times are read in; nothing for the device's.
    package var zoneName: String?
    package var calendarName: String?
    package var weekly: [Weekday: DayRule] = [:]
    package var dates: [CivilDate: DayRule] = [:]
    /// Dates whose ring is skipped, whichever layer it comes from.
    package var skipped = DateSet()
    /// Days on which it rings only if the date has an entry of its own in `dates`.
    package var paused = DateSet()
    package var ring = RingSettings()
    package var snooze = SnoozeSettings()
    /// What must be done to stop it, in this order.
    package var challenges: [Challenge] = []
    /// How late it still rings when it could not ring in time.
    package var lateWindowSeconds = 3600
    package var note = ""
    package var category = ""
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []

    /// An alarm that has only its name yet.
    package init(id: String) {
        self.id = id
    }

    /// Whether it says anything about single days. Most alarms do not.
    package var hasSingleDays: Bool { !(dates.isEmpty && skipped.isEmpty && paused.isEmpty) }

    /// The alarm without what it says about days that are over: `today` is the date in the alarm's zone. One that says nothing
    /// else keeps the last of them: it goes on being an alarm, and its owner will give it other days.
    package func forgettingDates(before today: CivilDate) -> Alarm {
        guard hasSingleDays else { return self }
        var alarm = self
        alarm.dates = dates.filter { $0.key >= today }
        if alarm.dates.isEmpty, time == nil, weekly.isEmpty, let last = dates.max(by: { $0.key < $1.key }) {
            alarm.dates = [last.key: last.value]
        }
        alarm.skipped = skipped.dropping(before: today)
        alarm.paused = paused.dropping(before: today)
        return alarm
    }

    /// How large the parts of an alarm may be. They bound what one file or request can make Rooster hold.
    enum Limits {
        static let idBytes = 64
        static let labelCharacters = 200
        static let noteCharacters = 2000
        /// No file has a longer name.
        static let soundBytes = 255
        static let unknownBytes = 1 << 14
        static let dateEntries = 4000
        /// Runs of days that it skips, or of its pause: the weekends of seven years are fewer.
        static let dateRuns = 400
        static let rampSeconds = 0...600
        static let ringSeconds = 1...43_200
        static let snoozeSeconds = 1...86_400
        static let snoozes = 0...100
        static let lateWindowSeconds = 0...43_200
        /// Quieter than this, sleepers do not wake.
        static let volumeThatWakes = 0.25
    }
}
