// Commands, their senders, and replies.

import Alarms
import Challenges
import CivilTime
import Text

/// A command from a client or a button.
package enum Command: Hashable, Sendable {
    /// Add an alarm. Refused if an alarm has the same id.
    indirect case add(Alarm)
    /// Add an alarm, or replace the one with the same id.
    indirect case save(Alarm)
    /// Change some members of an alarm, and keep the others.
    case edit(Alarm.ID, AlarmPatch)
    case delete(Alarm.ID)
    case enable(Alarm.ID, Bool)
    /// Skip a date, by default that of the next planned ring. A date that is skipped already counts as
    /// planned.
    case skip(Alarm.ID, CivilDate? = nil)
    case unskip(Alarm.ID)
    /// Pause an alarm on these dates. An empty set ends the pause.
    case pause(Alarm.ID, DateSet)
    /// Put off the ring of an alarm that is in progress, or else its next one.
    case postpone(Alarm.ID, Postponement)
    /// Report a ring of an alarm as done: the one in progress, the last, or the next if the last is done and
    /// further away.
    case done(Alarm.ID)
    case saveSettings(Settings)
    case configure(SettingsPatch)
    /// Save a day calendar, or delete it if nil.
    case saveCalendar(String, DayCalendar?)
    /// Add the contents of an alarms file; its settings only if it is a backup.
    indirect case restore(AlarmsFile, isBackup: Bool = false)
    case enrol(EnrolledCode)
    /// Forget the code or tag with this label.
    case forget(String)
    /// Record the key of code hashes, before a client receives a fingerprint that was made with it.
    case keepCodeKey
    case scan(ScanPurpose)
    case cancelScan
    /// Snooze the session for this many seconds, by default for the length that its alarm has.
    case snooze(seconds: Int?)
    /// End the session, or begin its first open challenge.
    case stop
    /// Answer a wake-up check.
    case awake
    /// Begin the challenges of a locked alarm now, so that the owner can change it.
    case unlock(Alarm.ID)
    /// Answer the sum with that number, by default the current one.
    case answer(Int, to: Int? = nil)
    /// Hold or release the emergency exit.
    case hold(Bool)
    case testRing(RingSettings, inSeconds: Int)
    case preflight
    /// The owner goes to bed.
    case inBed
    /// Clear past rings and events, but those of the last day.
    case clearHistory
    indirect case client(ClientCommand)
}

/// The sender of a request, its id, and the conditions under which it is carried out.
package struct RequestHeader: Hashable, Sendable {
    /// The idempotency key. A repeated request gets the same reply and has no further effect.
    package let id: String
    package let origin: Origin
    /// The name that the client gives itself; nil for none.
    package let client: String?
    /// The ring that the sender has seen. The command does not skip, snooze or stop another. A restart
    /// forgets replies: without this member, a request that is repeated after a restart could affect another
    /// ring.
    package let ifRing: Occurrence?
    /// The revision that the sender has seen. If the object has another one by now, the command is refused.
    package let ifRevision: String?

    package init(
        _ id: String, by origin: Origin, client: String? = nil, ifRing: Occurrence? = nil, ifRevision: String? = nil
    ) {
        self.id = id
        self.origin = origin
        self.client = client
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
    /// This ring is done. The alarm is nil if it was deleted while it rang.
    indirect case ringDone(PastRing, SavedAlarm?)
    /// The settings after the change; the calendar after the change, or nil if it was deleted.
    case configured(Settings, warnings: [Problem] = []), calendarSaved(DayCalendar?, warnings: [Problem] = [])
    /// The code or tag is enrolled. `asksForAnother` is true if it is the only one of its kind and the
    /// emergency exit is off.
    case enrolled(asksForAnother: Bool)
    /// A code was read. `label` is nil if the code is not enrolled.
    case codeSeen(label: String?, Challenge.Kind, fingerprint: String, symbology: String)
    /// The number of restored alarms; the problems of the others, and warnings; and the labels of the
    /// restored codes, each of which can end a ring from now on.
    case restored(alarms: Int, setAside: [Problem], codes: [String])
    /// The session is silent until then, in milliseconds since 1970. `left` is the number of further
    /// snoozes, or nil for no limit. `isClamped` is true if the settings changed the length. `ringing` is
    /// the alarm that is audible now.
    case snoozed(AlarmName, untilMilliseconds: Int, left: Int?, isClamped: Bool = false, ringing: AlarmName? = nil)
    /// The session has ended. `ringing` is the alarm that is audible now.
    case stopped(AlarmName, ringing: AlarmName? = nil)
    case nothingRings
    /// The answer was right or wrong. `next` is nil after the last assignment.
    case answered(isRight: Bool, next: Assignment?)
    /// The answer was right for a sum that had just timed out. `next` has replaced that sum.
    case late(next: Assignment)
    /// The last answer was right. The ring has ended or, if `isUnlocked`, the owner may change the alarm
    /// until it rings. `ringing` is the alarm that is audible now.
    case completed(AlarmName, isUnlocked: Bool, ringing: AlarmName? = nil)
    /// The last challenge was completed, and the session will ask at that time whether its owner is awake.
    case checking(AlarmName, asksMilliseconds: Int, ringing: AlarmName? = nil)
    case assigned(Assignment)
    indirect case client(ClientResult)
    /// The alarm is not locked. It will be locked from `until`; nil if no such time is known.
    case notLocked(until: Instant?)
    /// The command is done but not durable yet: a restart would undo it.
    indirect case unwritten(Outcome)
}

/// An alarm right after a change. Later changes do not affect this value.
package struct SavedAlarm: Hashable, Sendable {
    package let alarm: Alarm
    package let next: PlannedRing?
    /// The ring after the next one.
    package let following: PlannedRing?

    package init(_ alarm: Alarm, next: PlannedRing?, following: PlannedRing? = nil) {
        (self.alarm, self.next, self.following) = (alarm, next, following)
    }
}

package struct AlarmName: Hashable, Sendable {
    /// Empty for a test ring.
    package let id: Alarm.ID
    package let label: String
}

extension Alarm {
    var name: AlarmName { AlarmName(id: id, label: label) }
}

extension Session {
    package var name: AlarmName { AlarmName(id: occurrence.alarm, label: terms.label) }
}
