// Commands, requests and replies.

import Alarms
import CivilTime
import Text

/// Something that a client or a button asks for.
package enum Command: Hashable, Sendable {
    /// Add this alarm; refused if there is one with its id.
    indirect case add(Alarm)
    /// Save this alarm, whether or not one of its id exists.
    indirect case save(Alarm)
    /// Change some members of the alarm, and leave the others as they are.
    case edit(Alarm.ID, AlarmPatch)
    case delete(Alarm.ID)
    case enable(Alarm.ID, Bool)
    /// Skip a date; where none is named, the date of the next ring of the plan, skipped already or not.
    case skip(Alarm.ID, CivilDate? = nil)
    case unskip(Alarm.ID)
    /// Pause the alarm on these dates; an empty set ends the pause.
    case pause(Alarm.ID, DateSet)
    case saveSettings(Settings)
    case configure(SettingsPatch)
    /// Save a day calendar; nil deletes it.
    case saveCalendar(String, DayCalendar?)
    /// Add all that a file has; its settings only if it is a backup.
    indirect case restore(AlarmsFile, isBackup: Bool = false)
    case enrol(EnrolledCode)
    /// Forget the code or tag of this label.
    case forget(String)
    /// Record the key with which codes are hashed: a client was shown a fingerprint that was made with it.
    case keepCodeKey
    case scan(ScanPurpose)
    case cancelScan
    /// Snooze the session, for these seconds or for as long as its alarm says.
    case snooze(seconds: Int?)
    /// End the session, or begin its first open challenge.
    case stop
    /// Begin the alarm's challenges now, so that it can be changed although it is locked.
    case unlock(Alarm.ID)
    /// Answer the sum of that number, or the one that is asked now.
    case answer(Int, to: Int? = nil)
    /// Hold or release the emergency way out.
    case hold(Bool)
    case testRing(RingSettings, inSeconds: Int)
    case preflight
}

/// The identity of a request: who sent it, and the id that its reply carries; and the conditions under which
/// it holds.
package struct RequestHeader: Hashable, Sendable {
    /// Makes the request idempotent: when it is sent again it gets the same reply, and has no further
    /// effect.
    package let id: String
    package let origin: Origin
    /// The only ring that may be skipped, snoozed or stopped: the one that the sender was shown. A restart
    /// forgets replies; because of this member a request that is repeated after a restart still affects no
    /// other ring.
    package let ifRing: Occurrence?
    /// The revision that the sender has seen of what it changes: if the present one is another, nothing is
    /// changed.
    package let ifRevision: String?

    package init(_ id: String, by origin: Origin, ifRing: Occurrence? = nil, ifRevision: String? = nil) {
        self.id = id
        self.origin = origin
        self.ifRing = ifRing
        self.ifRevision = ifRevision
    }
}

package enum Reply: Hashable, Sendable {
    case done(Outcome)
    case refused(Refusal)
}

package enum Outcome: Hashable, Sendable {
    case done
    indirect case saved(SavedAlarm, warnings: [Problem])
    indirect case skipped(SavedAlarm, CivilDate)
    /// The settings are these now; the calendar is this one now, or gone.
    case configured(Settings), calendarSaved(DayCalendar?)
    /// The code or tag is enrolled. `asksForAnother`: it is the only one, and without it there is no way out
    /// of a ring.
    case enrolled(asksForAnother: Bool)
    /// A code was read: its label, if it is enrolled, and its fingerprint.
    case codeSeen(label: String?, Challenge.Kind, fingerprint: String, symbology: String)
    /// So many alarms came in; the problems name the rest, and warn of what came in. These codes came in:
    /// each can end a ring from now on.
    case restored(alarms: Int, setAside: [Problem], codes: [String])
    /// The session is silent until then, in milliseconds since 1970, and may be snoozed so often more (nil
    /// for no limit). Whether the length was limited by the settings, and which alarm rings on.
    case snoozed(AlarmName, untilMilliseconds: Int, left: Int?, isClamped: Bool = false, ringing: AlarmName? = nil)
    /// The session has ended; which alarm rings on.
    case stopped(AlarmName, ringing: AlarmName? = nil)
    case nothingRings
    /// The answer was right or wrong; what is next, if there is anything left to do.
    case answered(isRight: Bool, next: Assignment?)
    /// The answer was right for the sum whose time has just run out: this is asked now.
    case late(next: Assignment)
    /// The answer was right, and the last: its ring has ended, or it can be changed until it rings. Which
    /// alarm rings on.
    case completed(AlarmName, isUnlocked: Bool, ringing: AlarmName? = nil)
    case assigned(Assignment)
    /// There is nothing to unlock: the alarm is locked from then on, or is not going to be.
    case notLocked(until: Instant?)
    /// It is done, but is not durable yet: a restart would not know of it.
    indirect case unwritten(Outcome)
}

/// An alarm as it was right after a change. Later changes do not show in it.
package struct SavedAlarm: Hashable, Sendable {
    package let alarm: Alarm
    package let next: PlannedRing?

    package init(_ alarm: Alarm, next: PlannedRing?) { (self.alarm, self.next) = (alarm, next) }
}

package struct AlarmName: Hashable, Sendable {
    /// Empty for a test.
    package let id: Alarm.ID
    package let label: String
}

extension Alarm {
    var name: AlarmName { AlarmName(id: id, label: label) }
}

extension Session {
    package var name: AlarmName { AlarmName(id: occurrence.alarm, label: terms.label) }
}
