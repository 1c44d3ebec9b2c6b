// The alarm: the owner's fields for when and how it rings. It has times of day, never instants.

import CivilTime
import JSON

/// An alarm, as its owner set it.
///
/// Three layers decide when it rings, and each works without the others. The base is `time` on the days of
/// `recurrence`, on `date`, or once at the next such time. `weekly` and `dates` override single weekdays and
/// dates.
public struct Alarm: Hashable, Sendable, Identifiable {
    /// The alarm's identity, which never changes.
    public var id: String
    package var label = ""
    package var isEnabled = true
    /// The time of the base; nil if the alarm has no base.
    package var time: ClockTime?
    /// The day of a one-time alarm; nil for the next day that fits.
    package var date: CivilDate?
    /// The day from which intervals count; nil for the anchor.
    package var start: CivilDate?
    /// The day that Rooster fixed because the owner named none. Exports show it. An import keeps it if its
    /// ring is still to come.
    package var anchor: CivilDate?
    /// The days of the base; nil for an alarm that rings once.
    package var recurrence: Recurrence?
    /// The zone of the alarm's times; nil for the device's zone.
    package var zoneName: String?
    package var calendarName: String?
    package var weekly: [Weekday: DayRule] = [:]
    package var dates: [CivilDate: DayRule] = [:]
    /// Dates whose ring is skipped, whichever layer it comes from.
    package var skipped = DateSet()
    /// Days on which the alarm rings only if `dates` has an entry for the date.
    package var paused = DateSet()
    package var ring = RingSettings()
    /// The stronger sounds of an unanswered ring; nil for the standard step.
    package var escalation: [EscalationStep]?
    package var snooze = SnoozeSettings()
    /// The challenges that the sleeper completes to stop the ring, in this order.
    package var challenges: [Challenge] = []
    /// The check that follows the challenges; nil for none.
    package var wakeUpCheck: WakeUpCheck?
    /// The longest delay after which a ring that could not come in time still rings.
    package var lateWindowSeconds = 3600
    /// True if its ring can be put off although it has challenges.
    package var allowsPostponing = false
    /// The time before each ring from which a movement begins it.
    package var earlySeconds = 0
    /// The time before each ring for which the light of the sunrise rises; 0 for no light.
    package var lightSeconds = 0
    /// The times before each ring at which a notice is given.
    package var notices: [NoticeLead] = []
    package var note = ""
    package var category = ""
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    /// Creates an alarm with an id and default values.
    package init(id: String) {
        self.id = id
    }

    /// Returns the first instant at which a movement begins a ring that is planned for `instant`.
    package func earliest(_ instant: Instant) -> Instant { instant.advanced(by: -earlySeconds) }

    /// True if the alarm has entries, skips or pauses for single days. Most alarms have none.
    package var hasSingleDays: Bool { !(dates.isEmpty && skipped.isEmpty && paused.isEmpty) }

    /// Returns the alarm without entries, skips and pauses before `today`, the date in the alarm's zone. An
    /// alarm that consists of dates alone keeps its last date: without any it would be invalid.
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

    /// Bounds on the parts of an alarm. They limit the memory that one file or request can use.
    package enum Limits {
        package static let idBytes = 64
        package static let labelCharacters = 200
        package static let noteCharacters = 2000
        /// The longest file name that Linux allows.
        package static let soundBytes = 255
        package static let unknownBytes = 1 << 14
        package static let dateEntries = 4000
        /// Runs of skipped or paused days. Seven years have fewer weekends.
        package static let dateRuns = 400
        package static let rampSeconds = 0...600
        package static let ringSeconds = 1...43_200
        package static let rounds = 1...12
        package static let restSeconds = 60...1800
        package static let escalationSteps = 3
        package static let snoozeSeconds = 1...86_400
        package static let snoozes = 0...100
        package static let lateWindowSeconds = 0...43_200
        package static let earlySeconds = 0...1800
        package static let lightSeconds = 0...3600
        /// Below this volume most sleepers do not wake.
        package static let volumeThatWakes = 0.25
    }
}
