// Everything that can become true and must last.

import Alarms
import CivilTime

/// One thing that happened. The state is made of facts alone: replaying them makes it again.
public enum Fact: Hashable, Sendable {
    /// An alarm is as its owner wants it. Of a new revision, it is at this position of its plan.
    case alarmSaved(Alarm, PlanPosition)
    /// The clock, a zone or a day calendar moved an alarm in its plan, or fixed its anchor anew.
    case planMoved(Alarm.ID, PlanPosition)
    /// An alarm is gone.
    case alarmDeleted(Alarm.ID)
    /// The settings are these.
    case settingsSaved(Settings)
    /// A day calendar is as its owner wants it.
    case calendarSaved(String, DayCalendar)
    /// A day calendar is gone.
    case calendarDeleted(String)
    /// A code or a tag was enrolled.
    case codeEnrolled(EnrolledCode)
    /// A code or a tag was forgotten.
    case codeForgotten(label: String)
    /// Payloads are hashed with this key as well from now on.
    case codeKeyAdded(CodeKey)
    /// An alarm was given its next ring: what its owner was told.
    case planned(Occurrence, Layer)
    /// Alarms came to be locked before they ring, this one first. Whoever pulls the plug does not turn the clock back
    /// behind this.
    case lockBegan(Occurrence)
    /// A session began.
    case fired(Session)
    /// A session is heard: so long after the speaker was asked to, unless it goes on by another route.
    case audioStarted(Occurrence, route: String, latencyMilliseconds: Int?)
    /// A session could not be heard by a route.
    case audioFailed(Occurrence, route: String, reason: String)
    /// A wrong code was shown: how long it was, and nothing else of it.
    case scanRefused(Occurrence, byteCount: Int)
    /// A challenge was completed; `index` is its place in the session's list.
    case challengeDone(Occurrence, index: Int)
    /// Of a challenge of sums, `count` are solved.
    case sumSolved(Occurrence, index: Int, count: Int)
    /// Too many answers were wrong: none is taken until then.
    case lockedOut(Occurrence, untilMilliseconds: Int)
    /// A session was snoozed for the `count`th time.
    case snoozed(Occurrence, count: Int, untilMilliseconds: Int)
    /// A session rang unanswered for the `count`th time, and rests.
    case rested(Occurrence, count: Int, untilMilliseconds: Int)
    /// A stop was refused.
    case stopRefused(Occurrence, by: Door)
    /// A session ended, perhaps by the challenges of another. `switchesOff` is the revision of its alarm that has no ring left.
    case ended(Occurrence, Ending, by: Door?, with: Occurrence? = nil, switchesOff: Int?)
    /// Occurrences of one alarm were too old when they could have rung.
    case missed(MissedRings)
    /// A session rings on after a restart or a silence.
    case resumed(Occurrence)
    /// The clock was set.
    case clockStepped(from: Int, to: Int)
    /// The time is known to be right, or no longer.
    case clockTrusted(Bool)
    /// The machine is in another zone.
    case zoneChanged(String)
    /// Something that ringing needs is in order, or no longer.
    case healthChanged(Part, Health)
    /// How an alarm stood when the journal was compacted, and when it had rung last.
    case alarmKept(Alarm, PlanPosition, rung: [Instant])
    /// What was over when the journal was compacted.
    case pastKept(PastRing)
}

/// Where a request came in, or where a challenge was done.
public enum Door: String, Hashable, Sendable, CaseIterable {
    case button, page, commandLine = "command line", homeAssistant = "home assistant", keypad, camera, steps,
        tagReader = "tag reader"
}

/// One fact with its time: what the journal keeps, and what everything that the engine knows is made of.
public struct Entry: Hashable, Sendable {
    /// When, by the best time that was known.
    public var millisecondsSince1970: Int
    /// What.
    public var fact: Fact

    /// A fact at a time.
    public init(millisecondsSince1970: Int, _ fact: Fact) {
        self.millisecondsSince1970 = millisecondsSince1970
        self.fact = fact
    }
}

extension Fact {
    /// What a fact is about: the number that stands in the journal. It is the version of a fact, too: a number is never used
    /// for anything else, members may come in but none changes its meaning, and what must be said otherwise gets a new one.
    public enum Kind: UInt16, Hashable, Sendable, CaseIterable {
        case alarmSaved = 1
        case alarmDeleted = 2
        case settingsSaved = 3
        case calendarSaved = 4
        case calendarDeleted = 5
        case codeEnrolled = 6
        case codeForgotten = 7
        case planned = 8
        case fired = 9
        case audioStarted = 10
        case audioFailed = 11
        case scanRefused = 12
        case challengeDone = 13
        case snoozed = 14
        case rested = 15
        case stopRefused = 16
        case dismissed = 17
        case unanswered = 18
        case emergency = 19
        case cancelled = 20
        case missed = 21
        case resumed = 22
        case clockStepped = 23
        case clockTrusted = 24
        case zoneChanged = 25
        case healthChanged = 26
        case pastKept = 28
        case lockBegan = 29
        case planMoved = 30
        case alarmKept = 31
        case sumSolved = 32
        case lockedOut = 33
        case codeKeyAdded = 34

        /// The name that people read, as in `alarm_saved`.
        public var name: String {
            "\(self)".reduce(into: "") { name, character in
                name += character.isUppercase ? "_\(character.lowercased())" : "\(character)"
            }
        }
    }
}

extension Fact {
    /// Whether it may move the next ring of every alarm.
    var concernsAllAlarms: Bool {
        switch self {
        case .settingsSaved, .calendarSaved, .calendarDeleted, .zoneChanged, .clockStepped: true
        default: false
        }
    }
}

extension Ending {
    package var kind: Fact.Kind {
        switch self {
        case .dismissed: .dismissed
        case .unanswered: .unanswered
        case .emergency: .emergency
        case .cancelled: .cancelled
        case .missed: .missed
        }
    }
}
