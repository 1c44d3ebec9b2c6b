// The facts: every durable change of the state.

import Agenda
import Alarms
import CivilTime
import Clients
import Health

/// A fact. Replaying all facts restores the state.
package enum Fact: Hashable, Sendable {
    /// An alarm was saved. If its revision is new, it gets this position in its plan.
    indirect case alarmSaved(Alarm, ScheduleState)
    /// The clock, a zone or a day calendar moved an alarm in its plan, or its anchor was fixed again.
    case planMoved(Alarm.ID, ScheduleState)
    case alarmDeleted(Alarm.ID, label: String = "")
    indirect case settingsSaved(Settings)
    case calendarSaved(String, DayCalendar)
    case calendarDeleted(String)
    case codeEnrolled(EnrolledCode)
    case codeForgotten(label: String)
    /// A key was added, with which payloads are hashed from now on.
    case codeKeyAdded(CodeKey)
    /// The next ring of an alarm, as it was announced to its owner.
    case planned(Occurrence, Layer)
    /// A lock window opened; this is its first ring. After a power cut, the clock counts as no earlier.
    case lockBegan(Occurrence)
    /// A session began.
    indirect case fired(Session)
    /// The speaker plays a session; the latency from order to sound is nil if a sound already played.
    case audioStarted(Occurrence, route: String, latencyMilliseconds: Int?)
    case audioFailed(Occurrence, route: String, reason: String)
    /// The shaker was ordered to shake for a session. Nothing proves that it was felt.
    case shakerStarted(Occurrence)
    /// A wrong code was shown. Only its length is recorded.
    case scanRefused(Occurrence, byteCount: Int)
    /// A challenge was completed, or the one that replaced it; `index` is its place in the session's list.
    indirect case challengeDone(Occurrence, index: Int, replacedBy: Challenge? = nil)
    /// In a challenge of sums, `count` are solved.
    case sumSolved(Occurrence, index: Int, count: Int)
    /// Too many answers were wrong. None is accepted until this time.
    case lockedOut(Occurrence, untilMilliseconds: Int)
    /// A session was snoozed for the `count`th time.
    case snoozed(Occurrence, count: Int, untilMilliseconds: Int)
    /// A session rang unanswered for the `count`th time, and rests.
    case rested(Occurrence, count: Int, untilMilliseconds: Int)
    /// The challenges of a session are completed, and it waits for an answer to its `count`th wake-up check.
    case checkBegan(Occurrence, count: Int, untilMilliseconds: Int)
    /// A wake-up check was not answered in time. The session rings again, with all its challenges.
    case checkFailed(Occurrence)
    case stopRefused(Occurrence, by: Sender)
    /// A session ended, perhaps by another's challenges (`with`). `switchesOff`: the spent alarm's revision.
    case ended(Occurrence, Ending, by: Sender?, with: Occurrence? = nil, switchesOff: Int?)
    /// Occurrences of one alarm were missed: they were too old to ring when Rooster could ring again.
    case missed(MissedRings)
    /// A ring was put off. `endsSession`: it was in progress. In a snapshot there is no sender.
    case postponed(Alarm.ID, PostponedRing, endsSession: Bool, by: Sender?)
    /// A ring that was put off does not ring any more: it ended meanwhile.
    case postponementEnded(Occurrence)
    /// A ring was reported as done, after it or, with `ahead`, before it was due.
    case done(Occurrence, DoneAhead?, by: Sender)
    /// A notice was given, this long before the ring of an alarm at an instant.
    case noticeGiven(Occurrence, seconds: Int)
    /// A bedtime was given to the owner, or was dropped because the owner was in bed.
    case bedtimeGiven(Instant)
    /// The owner went to bed at this time, in milliseconds since 1970.
    case inBed(atMilliseconds: Int, by: Sender)
    /// A snooze was taken back: its press was the begin of the emergency exit.
    case snoozeTakenBack(Occurrence)
    /// A session rings on after a restart or a silence.
    case resumed(Occurrence)
    /// An event that changes no state, for the log of events.
    case noted(Occurrence, Note, by: Sender? = nil)
    /// Past rings and events from before this time were cleared, in milliseconds since 1970.
    case historyCleared(before: Int, by: Sender)
    /// A client over HTTP got a token. In a snapshot it has its last day.
    indirect case clientAdded(PairedClient)
    /// A client was forgotten, so its token is unknown.
    case clientForgotten(PairedClient.ID, name: String)
    /// A client sent its first request of a day.
    case clientSeen(PairedClient.ID, CivilDate)
    case clockStepped(from: Int, to: Int)
    case clockTrusted(Bool)
    case zoneChanged(String)
    case healthChanged(Part, Health)
    /// A part is no longer configured, so its health is forgotten.
    case partRemoved(Part)
    /// In a snapshot: an alarm with its position and its last rings.
    indirect case alarmKept(Alarm, ScheduleState, rung: [Instant])
    /// In a snapshot: a past ring.
    indirect case pastKept(PastRing)
    /// In a snapshot: an event of the log.
    indirect case eventKept(Entry)
}

/// A fact with its time: an entry of the journal.
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
    /// True if the fact may move the next ring of every alarm.
    var concernsAllAlarms: Bool {
        switch self {
        case .settingsSaved, .calendarSaved, .calendarDeleted, .zoneChanged, .clockStepped: true
        default: false
        }
    }
}
