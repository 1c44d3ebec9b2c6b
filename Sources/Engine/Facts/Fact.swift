// The facts: every durable change of the state.

import Alarms
import CivilTime

/// A fact. The state is made of facts alone: replaying them restores it.
package enum Fact: Hashable, Sendable {
    /// An alarm was saved. If its revision is new, it takes this position in its plan.
    indirect case alarmSaved(Alarm, ScheduleState)
    /// The clock, a zone or a day calendar moved an alarm in its plan, or its anchor was resolved again.
    case planMoved(Alarm.ID, ScheduleState)
    case alarmDeleted(Alarm.ID)
    case settingsSaved(Settings)
    case calendarSaved(String, DayCalendar)
    case calendarDeleted(String)
    case codeEnrolled(EnrolledCode)
    case codeForgotten(label: String)
    /// A key was added, with which payloads are hashed from now on.
    case codeKeyAdded(CodeKey)
    /// The next ring of an alarm, as its owner was told.
    case planned(Occurrence, Layer)
    /// A lock window opened; this is its first ring. After a power cut the clock is held to be no earlier than this.
    case lockBegan(Occurrence)
    /// A session began.
    indirect case fired(Session)
    /// The speaker plays a session, with the latency from order to sound; nil where it goes on by another route.
    case audioStarted(Occurrence, route: String, latencyMilliseconds: Int?)
    case audioFailed(Occurrence, route: String, reason: String)
    /// A wrong code was shown. Only its length is recorded.
    case scanRefused(Occurrence, byteCount: Int)
    /// A challenge was completed; `index` is its place in the session's list.
    case challengeDone(Occurrence, index: Int)
    /// Of a challenge of sums, `count` are solved.
    case sumSolved(Occurrence, index: Int, count: Int)
    /// Too many answers were wrong: none is accepted until then.
    case lockedOut(Occurrence, untilMilliseconds: Int)
    /// A session was snoozed for the `count`th time.
    case snoozed(Occurrence, count: Int, untilMilliseconds: Int)
    /// A session rang unanswered for the `count`th time, and rests.
    case rested(Occurrence, count: Int, untilMilliseconds: Int)
    case stopRefused(Occurrence, by: Origin)
    /// A session ended, perhaps by another's challenges (`with`). `switchesOff`: the revision of an alarm with no ring left.
    case ended(Occurrence, Ending, by: Origin?, with: Occurrence? = nil, switchesOff: Int?)
    /// Occurrences of one alarm were missed: they were too old to ring when Rooster could ring again.
    case missed(MissedRings)
    /// A session rings on after a restart or a silence.
    case resumed(Occurrence)
    case clockStepped(from: Int, to: Int)
    case clockTrusted(Bool)
    case zoneChanged(String)
    case healthChanged(Part, Health)
    /// In a snapshot: an alarm with its position, and when it rang last.
    indirect case alarmKept(Alarm, ScheduleState, rung: [Instant])
    /// In a snapshot: a past ring.
    indirect case pastKept(PastRing)
}

/// The origin of a request, or of an action in a challenge.
package enum Origin: String, Hashable, Sendable, CaseIterable {
    case button, page, commandLine = "command line", homeAssistant = "home assistant", keypad, camera, steps,
        tagReader = "tag reader"
}

/// A fact with its time: one entry of the journal.
package struct Entry: Hashable, Sendable {
    /// The best-known time at which it was recorded.
    package var millisecondsSince1970: Int
    package var fact: Fact

    package init(millisecondsSince1970: Int, _ fact: Fact) {
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
