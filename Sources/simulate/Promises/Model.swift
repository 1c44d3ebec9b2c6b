// What the journal's records say, worked out a second time and as simply as can be.

import Alarms
import CivilTime
import Engine

/// What is durable.
struct Model: Equatable {
    struct Kept: Equatable {
        /// In its owner's words.
        var alarm: Alarm
        /// The revision of when it rings, and the day that Rooster fixed.
        var revision: Int
        var anchor: CivilDate?
    }

    private(set) var alarms: [Alarm.ID: Kept] = [:]
    private(set) var settings = Settings()
    private(set) var begun: Set<Occurrence> = []
    /// The sessions that have ended.
    private(set) var ended: [Occurrence: Ending] = [:]
    private(set) var snoozes: [Occurrence: Int] = [:]
    private(set) var challengesDone: [Occurrence: Int] = [:]
    /// Of each session's next challenge, how many sums are solved.
    private(set) var sumsSolved: [Occurrence: Int] = [:]
    private(set) var rests: [Occurrence: Int] = [:]
    private(set) var codes: [String: EnrolledCode] = [:]
    private(set) var calendars: [String: DayCalendar] = [:]
    private(set) var health: [Part: Health] = [:]
    private(set) var zoneName: String?
    /// When the newest record was made.
    private(set) var newestMilliseconds = 0

    init(_ entries: [Entry] = []) {
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(var alarm, let position):
            if let old = alarms[alarm.id], old.revision == position.revision {
                // What happened while that was on its way to the disk stands.
                alarm.isEnabled = alarm.isEnabled && old.alarm.isEnabled
                alarms[alarm.id]?.alarm = alarm
            } else {
                keep(alarm, position)
            }
        case .alarmKept(let alarm, let position, _): keep(alarm, position)
        case .planMoved(let id, let position):
            if alarms[id]?.revision == position.revision { alarms[id]?.anchor = position.anchor?.date }
        case .alarmDeleted(let id):
            alarms[id] = nil
            for occurrence in begun where occurrence.alarm == id && ended[occurrence] != nil { forget(occurrence) }
        case .clockStepped(_, let to): newestMilliseconds = to
        case .settingsSaved(let settings): self.settings = settings
        case .zoneChanged(let name): zoneName = name
        case .codeEnrolled(let code): codes[code.label] = code
        case .codeForgotten(let label): codes[label] = nil
        case .calendarSaved(let name, let calendar): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .healthChanged(let part, let health): self.health[part] = health
        case .fired(let session):
            // Set back by much, a clock comes to a ring again.
            if begun.contains(session.occurrence) || ended[session.occurrence] != nil { forget(session.occurrence) }
            ended[session.occurrence] = nil
            begun.insert(session.occurrence)
        case .snoozed(let occurrence, let count, _): snoozes[occurrence] = max(snoozes[occurrence] ?? 0, count)
        case .rested(let occurrence, let count, _): rests[occurrence] = max(rests[occurrence] ?? 0, count)
        case .challengeDone(let occurrence, let index):
            (challengesDone[occurrence], sumsSolved[occurrence]) = (index + 1, 0)
        case .sumSolved(let occurrence, let index, let count):
            if index == challengesDone[occurrence] ?? 0 { sumsSolved[occurrence] = count }
        case .ended(let occurrence, let ending, _, _, let revision):
            // A test is nobody's alarm.
            if !occurrence.alarm.isEmpty { ended[occurrence] = ending }
            if alarms[occurrence.alarm] == nil { forget(occurrence) }
            if let revision, alarms[occurrence.alarm]?.revision == revision {
                alarms[occurrence.alarm]?.alarm.isEnabled = false
            }
        case .pastKept(let ring): if ring.session != nil { ended[ring.occurrence] = ring.ending }
        case .sessionKept(let session):
            begun.insert(session.occurrence)
            snoozes[session.occurrence] = session.snoozeCount
            rests[session.occurrence] = session.restCount
            challengesDone[session.occurrence] = session.doneMilliseconds.count
            sumsSolved[session.occurrence] = session.solvedSumCount
        default: break
        }
    }

    /// Another session may have the same occurrence: its alarm is gone, or the clock was set back by much.
    mutating func forget(_ occurrence: Occurrence) {
        begun.remove(occurrence)
        (snoozes[occurrence], rests[occurrence]) = (nil, nil)
        (challengesDone[occurrence], sumsSolved[occurrence]) = (nil, nil)
    }

    private mutating func keep(_ alarm: Alarm, _ position: PlanPosition) {
        alarms[alarm.id] = Kept(alarm: alarm, revision: position.revision, anchor: position.anchor?.date)
    }

    /// Forgets what matters only until a session is over, and what a miss or its being taken back has switched.
    mutating func forgetOver() {
        (begun, snoozes, rests, challengesDone, sumsSolved) = ([], [:], [:], [:], [:])
        newestMilliseconds = 0
        for (id, kept) in alarms where kept.alarm.isOneTime { alarms[id]?.alarm.isEnabled = true }
    }
}
