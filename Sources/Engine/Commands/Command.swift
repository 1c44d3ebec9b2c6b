// Commands, requests and replies.

import Alarms
import CivilTime
import JSON

/// Something that a client or a button asks for.
package enum Command: Hashable, Sendable {
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

/// The identity of a request: who sent it, and the id that its reply carries.
package struct RequestHeader: Hashable, Sendable {
    /// Makes the request idempotent: when it is sent again it gets the same reply, and has no further effect.
    package let id: String
    package let door: Origin
    /// The ring to skip, snooze or stop, as its sender was shown it. A restart forgets replies; because of this member a
    /// request that is repeated after a restart still affects no other ring.
    package let meant: Occurrence?
    /// The revision that its sender has seen of what it changes: where that is another by now, nothing is changed.
    package let basedOn: String?

    package init(_ id: String, by door: Origin, meaning meant: Occurrence? = nil, basedOn: String? = nil) {
        (self.id, self.door, self.meant, self.basedOn) = (id, door, meant, basedOn)
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
    /// The code or tag is enrolled. `asksForAnother`: it is the only one, and without it there is no way out of a ring.
    case enrolled(asksForAnother: Bool)
    /// A code was read: its label, if it is enrolled, and its fingerprint.
    case codeSeen(label: String?, Challenge.Kind, fingerprint: String, symbology: String)
    /// So many alarms came in; the problems name the rest, and warn of what came in. These codes came in: each can end a ring from now on.
    case restored(alarms: Int, setAside: [Problem], codes: [String])
    /// The session is silent until then, in milliseconds since 1970, and may be snoozed so often more (nil for no limit).
    /// Whether the length was limited by the settings, and which alarm rings on.
    case snoozed(AlarmName, untilMilliseconds: Int, left: Int?, isClamped: Bool = false, ringing: AlarmName? = nil)
    /// The session has ended; which alarm rings on.
    case stopped(AlarmName, ringing: AlarmName? = nil)
    case nothingRings
    /// The answer was right or wrong; what is next, if there is anything left to do.
    case answered(isRight: Bool, next: Assignment?)
    /// The answer was right for the sum whose time has just run out: this is asked now.
    case late(next: Assignment)
    /// The answer was right, and the last: its ring has ended, or it can be changed until it rings. Which alarm rings on.
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

/// Why a command is refused.
package enum Refusal: Error, Hashable, Sendable {
    case noSuchAlarm(Alarm.ID)
    case noSuchCode(String)
    case problems([Problem])
    /// What is to be changed has another revision than its sender has seen; the present one, nil where it was deleted.
    case changedMeanwhile(revision: String?)
    /// The alarm is locked: it rings soon or rings now, and the change would be a way to escape it.
    case locked(AlarmName, isOpen: Bool)
    /// Nothing rings; or the ring that was meant is over, and this one rings.
    case nothingRings, anotherRings(AlarmName)
    /// Not allowed while a session is open.
    case ringing
    /// All snoozes are used, of so many.
    case noSnoozeLeft(max: Int)
    /// A second press right after the first.
    case tooSoon
    /// The session has challenges, and none is done.
    case challengesOpen
    case challengeOpen(Challenge.Kind)
    /// Somebody is doing a challenge now.
    case validating
    case nothingAsked
    /// Too many wrong answers: none is accepted for so many seconds. `isNew`: this one was wrong, too.
    case lockedOut(seconds: Int, isNew: Bool)
    /// The emergency way out is switched off.
    case noEmergencyExit
    /// This device is set up without a camera, or without a reader of tags.
    case noCamera, noTagReader
    /// The tag has another number each time it is read, as a phone's has.
    case randomTag
    /// A scan is under way already.
    case looking
    /// The scan timed out.
    case noCodeSeen
    case severalCodes
    case enrolledAlready(String)
    case cancelled
    /// Too many commands are queued.
    case busy
    case tooMany(String)
    case notKept(reason: String)
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

extension Refusal: CustomStringConvertible {
    /// What is wrong and what to do about it, in one line.
    package var description: String {
        switch self {
        case .noSuchAlarm(let id): "There is no alarm \"\(id)\""
        case .noSuchCode(let label): "There is no code or tag \"\(label)\""
        case .problems(let problems): problems.map(\.description).joined(separator: "; ")
        case .locked(let name, let isOpen):
            "\(name.label.isEmpty ? "The alarm" : "\"\(name.label)\"") is locked \(isOpen ? "until its ring is over" : "until it has rung"): complete its challenges first"
        case .changedMeanwhile: "It has been changed meanwhile: look at it anew"
        case .nothingRings: "Nothing rings"
        case .anotherRings(let name):
            "That ring is over: \(name.label.isEmpty ? "another alarm" : name.label.quoted) rings now"
        case .ringing: "Not while an alarm rings or is snoozed"
        case .noSnoozeLeft(0): "This alarm cannot be snoozed"
        case .noSnoozeLeft(let max): "No snooze is left: \(max) of \(max) used"
        case .tooSoon: "Pressed twice: the first one counts"
        case .challengesOpen: "Complete all challenges to stop the alarm"
        case .challengeOpen(let kind): "Complete \(kind.name) challenge to continue"
        case .validating: "Challenge validation in progress"
        case .nothingAsked: "No sum is asked now"
        case .lockedOut(let seconds, true): "That is wrong, for the third time: wait \(seconds) s"
        case .lockedOut(let seconds, false): "Too many wrong answers: wait \(seconds) s"
        case .noEmergencyExit: "The emergency way out is switched off"
        case .noCamera: "This device is set up without a camera"
        case .noTagReader: "This device is set up without a reader of tags"
        case .randomTag: "This tag is another one each time it is read, as a phone is: take one that stays the same"
        case .looking: "A code or tag is being enrolled or tested already"
        case .noCodeSeen: "Nothing was shown in time"
        case .severalCodes: "Several codes are in view: show one alone"
        case .enrolledAlready(let label): "It is enrolled already, as \"\(label)\""
        case .cancelled: "Called off"
        case .busy: "Too much is asked for at once: try again"
        case .tooMany(let what): "There are too many \(what)"
        case .notKept(let reason): "It could not be written down: \(reason)"
        }
    }
}
