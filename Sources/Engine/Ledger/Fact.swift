// Everything that can become true and must last.

import Alarms
import CivilTime

/// One thing that happened. The state is made of facts alone: replaying them makes it again.
public enum Fact: Hashable, Sendable {
    /// An alarm is there as its owner wants it. `since` then on it rings: what it would have rung before does not count.
    /// When that really was is doubtful if nobody trusted the clock, until the time is known. `savedAt` is when it was saved
    /// by a clock that was set back behind that since; from `begins` its intervals count, where it does not say from which
    /// day.
    case alarmSaved(
        Alarm, since: Instant, isDoubtful: Bool = false, savedAt: Instant? = nil, begins: Beginning? = nil)
    /// An alarm is there as its owner wants it, but counts since it did, and is off still by whatever switched it off. What
    /// was left out until `passed`, and is no longer, is over; `isSpent` says that the one time is over for good that it
    /// rings by its base.
    case alarmChanged(Alarm, passed: Instant? = nil, isSpent: Bool = false)
    /// The alarm that was saved at `version` counts since another time, and its intervals from another day, if there is one:
    /// nobody could know when it really was saved. Whatever its owner has saved meanwhile stays as it is.
    case alarmCounted(Alarm.ID, version: Instant, since: Instant, isDoubtful: Bool, begins: CivilDate? = nil)
    /// The day that the intervals count from of the alarm that was saved at `version`: the clock was wrong by which that was
    /// chosen.
    case alarmStarts(Alarm.ID, version: Instant, CivilDate)
    /// The next time of the alarm that was saved at `version` is the next one since then: it was to come when the house came to
    /// be in another zone.
    case alarmMoved(Alarm.ID, version: Instant, since: Instant)
    /// The one time at which an alarm was to ring by its base was over when other days came to count, and it did not ring: it
    /// was left out then, or missed. Those days do not bring it back. Nothing where one that was over by a wrong clock is not.
    case baseOver(Alarm.ID, at: Instant?)
    /// An alarm is gone.
    case alarmDeleted(Alarm.ID)
    /// The settings are these. `since` then on alarms ring, if the master switch lets them; `zoneSince` then on they name
    /// the zone that they name, or none.
    case settingsSaved(Settings, since: Instant, zoneSince: Instant)
    /// A day calendar is there as its owner wants it, since then.
    case calendarSaved(String, DayCalendar, since: Instant)
    /// A day calendar is gone.
    case calendarDeleted(String)
    /// A code or a tag was enrolled.
    case codeEnrolled(EnrolledCode)
    /// A code or a tag was forgotten.
    case codeForgotten(label: String)
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
    /// A session was snoozed for the `count`th time.
    case snoozed(Occurrence, count: Int, untilMilliseconds: Int)
    /// A session rang unanswered for the `count`th time, and rests.
    case rested(Occurrence, count: Int, untilMilliseconds: Int)
    /// A stop was refused.
    case stopRefused(Occurrence, by: Door)
    /// A session ended. `switchesOff` tells which version of its alarm has now rung for good, by when it was saved.
    case ended(Occurrence, Ending, by: Door?, switchesOff: Instant?)
    /// Occurrences of one alarm, `first` to the last one, were too old when they could have rung. It was called that then,
    /// and would have rung as late as that.
    case missed(Occurrence, label: String, lateWindowSeconds: Int? = nil, first: Instant, switchesOff: Instant?)
    /// A session rings on after a restart or a silence.
    case resumed(Occurrence)
    /// The clock was set.
    case clockStepped(from: Int, to: Int)
    /// The time is known to be right, or no longer.
    case clockTrusted(Bool)
    /// The machine is in another zone, since then as far as is known.
    case zoneChanged(String, since: Instant)
    /// The zone of that name has had other rules since then, as far as is known.
    case zoneRulesChanged(String, since: Instant)
    /// Something that ringing needs is in order, or no longer.
    case healthChanged(Part, Health)
    /// How a session stood when the journal was compacted.
    case sessionKept(Session)
    /// What was over when the journal was compacted.
    case pastKept(PastRing)
}

/// Where a request came in, or where a challenge was done.
public enum Door: String, Hashable, Sendable, CaseIterable {
    case button, page, commandLine = "command line", homeAssistant = "home assistant", keypad, camera, steps,
        tagReader = "tag reader"
}
