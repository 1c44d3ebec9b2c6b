// What can be asked for, and by whom, and what is answered.

import Alarms
import CivilTime
import JSON

/// Something that somebody wants.
public enum Command: Hashable, Sendable {
    /// The alarm to be as it is here, whether or not it is there already.
    indirect case save(Alarm)
    /// Some members of the alarm to be as they are here, and nothing else of it.
    case edit(Alarm.ID, AlarmPatch)
    /// The alarm to be gone.
    case delete(Alarm.ID)
    /// The alarm to be on or off.
    case enable(Alarm.ID, Bool)
    /// The alarm not to ring on a date; on that of its next ring, left out already or not, where none is named.
    case skip(Alarm.ID, CivilDate? = nil)
    /// The alarm to ring on the dates that were skipped.
    case unskip(Alarm.ID)
    /// The alarm not to ring on these dates; no dates for no pause.
    case pause(Alarm.ID, DateSet)
    /// The settings to be these.
    case saveSettings(Settings)
    /// Some members of the settings to have new values.
    case configure(SettingsPatch)
    /// The day calendar to be as it is here; nothing for it to be gone.
    case saveCalendar(String, DayCalendar?)
    /// All that a file has to be there as well; the settings only if it is a backup.
    indirect case restore(AlarmsFile, isBackup: Bool = false)
    /// The code or tag to be known by this name.
    case enrol(EnrolledCode)
    /// The code or tag of this name to be known no more.
    case forget(String)
    /// The key with which codes are hashed to last: somebody was told a fingerprint that it makes.
    case keepCodeKey
    /// A code that is held before the camera to be enrolled, or to be told what it is.
    case look(LookPurpose)
    /// That to be over.
    case cancelLook
    /// The session to be silent for a while: as many seconds as the alarm says, or as are asked for.
    case snooze(seconds: Int?)
    /// The session to end, or its first open challenge to begin.
    case stop
    /// The alarm's challenges to be done now, so that it can be changed although it is locked.
    case unlock(Alarm.ID)
    /// This to be the answer to a sum: to that of the number, or to the one that is asked now.
    case answer(Int, to: Int? = nil)
    /// The emergency way out, for as long as it is held.
    case hold(Bool)
    /// To hear how the device rings, some seconds ahead.
    case testRing(RingSettings, inSeconds: Int)
    /// What ringing needs to be tried out.
    case preflight
}

/// Who wants it, and by what the answer is known.
public struct Request: Hashable, Sendable {
    /// Names the request for ever: one that comes again is answered as before, and does nothing.
    public let id: String
    /// Where it came in.
    public let door: Door
    /// The ring to skip, snooze or stop, by what its sender was shown. A restart forgets answers; by this, a request that is
    /// repeated after one does nothing to another ring.
    public let meant: Occurrence?
    /// The revision that its sender has seen of what it changes: where that is another by now, nothing is changed.
    public let basedOn: String?

    /// A request.
    public init(_ id: String, by door: Door, meaning meant: Occurrence? = nil, basedOn: String? = nil) {
        self.id = id
        self.door = door
        self.meant = meant
        self.basedOn = basedOn
    }
}

/// What a request is answered.
public enum Reply: Hashable, Sendable {
    /// It is done; what came of it.
    case done(Outcome)
    /// It is not, and why.
    case refused(Refusal)
}

/// What came of a request.
public enum Outcome: Hashable, Sendable {
    /// It is as it was wanted.
    case done
    /// The alarm is as it was wanted: its next ring, and what the owner should know of it.
    case saved(Alarm.ID, next: PlannedRing?, warnings: [Problem])
    /// The alarm does not ring on that date; what it rings next.
    case skipped(Alarm.ID, CivilDate, next: PlannedRing?)
    /// The code or tag is known. A second one is asked for where the only one could burn: there is no emergency way out.
    case enrolled(asksForAnother: Bool)
    /// A code can be read; its name, if it is enrolled, and by what it is told from others.
    case codeSeen(label: String?, Challenge.Kind, fingerprint: String, symbology: String)
    /// All came in but what is named here, and these codes: each can end a ring from now on.
    case restored(alarms: Int, setAside: [Problem], codes: [String])
    /// It is silent until then, in milliseconds since 1970, and may be so often more; nil where there is no limit. Whether
    /// that is as long as was asked for, and which alarm rings on.
    case snoozed(AlarmName, untilMilliseconds: Int, left: Int?, isClamped: Bool = false, ringing: AlarmName? = nil)
    /// It has ended; which alarm rings on.
    case stopped(AlarmName, ringing: AlarmName? = nil)
    /// There is nothing to stop.
    case nothingRings
    /// The answer was right or wrong; what is next, if there is anything left to do.
    case answered(isRight: Bool, next: Assignment?)
    /// The answer was right for the sum whose time has just run out: this is asked now.
    case late(next: Assignment)
    /// The answer was right, and the last: its ring has ended, or it can be changed until it rings. Which alarm rings on.
    case completed(AlarmName, isUnlocked: Bool, ringing: AlarmName? = nil)
    /// This is to be done.
    case assigned(Assignment)
    /// There is nothing to unlock: the alarm is locked from then on, or is not going to be.
    case notLocked(until: Instant?)
    /// It is so, but could not be written down yet: a restart would not know.
    indirect case unwritten(Outcome)
}

/// Why something is refused.
public enum Refusal: Error, Hashable, Sendable {
    /// There is no alarm of that id.
    case noSuchAlarm(Alarm.ID)
    /// There is no code of that name.
    case noSuchCode(String)
    /// The alarm cannot be as it was wanted; every reason.
    case problems([Problem])
    /// What is to be changed has changed since its sender has seen it; its revision now, nil where it is gone.
    case changedMeanwhile(revision: String?)
    /// The alarm rings soon or is open, and what was wanted would be a way to escape it.
    case locked(AlarmName, isOpen: Bool)
    /// Nothing rings.
    case nothingRings
    /// It must not be done while something rings or is snoozed.
    case ringing
    /// No snooze is left, of so many.
    case noSnoozeLeft(max: Int)
    /// The same was asked for a moment ago.
    case tooSoon
    /// There are challenges, and none was begun.
    case challengesOpen
    /// This challenge is next.
    case challengeOpen(Challenge.Kind)
    /// A challenge is being done.
    case validating
    /// No sum was asked.
    case nothingAsked
    /// Too many wrong answers: none is taken for so many seconds.
    case lockedOut(seconds: Int)
    /// The emergency way out is switched off.
    case noEmergencyExit
    /// This device is set up without a camera, or without a reader of tags.
    case noCamera, noTagReader
    /// A tag is another one each time it is read, as those of phones are.
    case randomTag
    /// A code is being looked for already.
    case looking
    /// No code was held before the camera.
    case noCodeSeen
    /// Several codes were in view at once.
    case severalCodes
    /// The code is known by another name.
    case enrolledAlready(String)
    /// It was called off.
    case cancelled
    /// Too many requests wait.
    case busy
    /// More than Rooster keeps.
    case tooMany(String)
    /// It could not be written down.
    case notKept(reason: String)
}

/// What an alarm goes by.
public struct AlarmName: Hashable, Sendable {
    /// That of a test is empty.
    public let id: Alarm.ID
    /// What its owner calls it.
    public let label: String
}

extension Alarm {
    var name: AlarmName { AlarmName(id: id, label: label) }
}

extension Session {
    var name: AlarmName { AlarmName(id: occurrence.alarm, label: terms.label) }
}

extension Refusal: CustomStringConvertible {
    /// What is wrong and what to do about it, in one line.
    public var description: String {
        switch self {
        case .noSuchAlarm(let id): "There is no alarm \"\(id)\""
        case .noSuchCode(let label): "There is no code or tag \"\(label)\""
        case .problems(let problems): problems.map(\.description).joined(separator: "; ")
        case .locked(let name, let isOpen):
            "\(name.label.isEmpty ? "The alarm" : "\"\(name.label)\"") is locked \(isOpen ? "until its ring is over" : "until it has rung"): complete its challenges first"
        case .changedMeanwhile: "It has been changed meanwhile: look at it anew"
        case .nothingRings: "Nothing rings"
        case .ringing: "Not while an alarm rings or is snoozed"
        case .noSnoozeLeft(0): "This alarm cannot be snoozed"
        case .noSnoozeLeft(let max): "No snooze is left: \(max) of \(max) used"
        case .tooSoon: "Pressed twice: the first one counts"
        case .challengesOpen: "Complete all challenges to stop the alarm"
        case .challengeOpen(let kind): "Complete \(kind.name) challenge to continue"
        case .validating: "Challenge validation in progress"
        case .nothingAsked: "No sum is asked now"
        case .lockedOut(let seconds): "Too many wrong answers: wait \(seconds) s"
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
