// Everything that can become true and must last.

import Alarms
import CivilTime

/// One thing that happened. The state is made of facts alone: replaying them makes it again.
public enum Fact: Hashable, Sendable {
    /// An alarm is as its owner wants it. Of a new revision, it is at this position of its plan.
    indirect case alarmSaved(Alarm, PlanPosition)
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
    /// Alarms came to be locked before they ring, this one first. Pulling the plug does not turn the clock back before this.
    case lockBegan(Occurrence)
    /// A session began.
    indirect case fired(Session)
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
    indirect case alarmKept(Alarm, PlanPosition, rung: [Instant])
    /// What was over when the journal was compacted.
    indirect case pastKept(PastRing)
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
    /// Whether it may move the next ring of every alarm.
    var concernsAllAlarms: Bool {
        switch self {
        case .settingsSaved, .calendarSaved, .calendarDeleted, .zoneChanged, .clockStepped: true
        default: false
        }
    }
}
