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

    /// What has come of a session.
    struct Progress: Equatable {
        var snoozeCount = 0
        var restCount = 0
        var doneCount = 0
        /// How many sums of the next challenge are solved.
        var solvedCount = 0
    }

    private(set) var alarms: [Alarm.ID: Kept] = [:]
    private(set) var settings = Settings()
    /// The sessions that have not ended.
    private(set) var open: [Occurrence: Progress] = [:]
    private(set) var ended: [Occurrence: Ending] = [:]
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
        case .alarmDeleted(let id): alarms[id] = nil
        case .clockStepped(_, let to): newestMilliseconds = to
        case .settingsSaved(let settings): self.settings = settings
        case .zoneChanged(let name): zoneName = name
        case .codeEnrolled(let code): codes[code.label] = code
        case .codeForgotten(let label): codes[label] = nil
        case .calendarSaved(let name, let calendar): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .healthChanged(let part, let health): self.health[part] = health
        case .fired(let session):
            (open[session.occurrence], ended[session.occurrence]) = (Progress(), nil)
        case .snoozed(let occurrence, let count, _):
            change(occurrence) { $0.snoozeCount = max($0.snoozeCount, count) }
        case .rested(let occurrence, let count, _): change(occurrence) { $0.restCount = max($0.restCount, count) }
        case .challengeDone(let occurrence, let index):
            change(occurrence) { ($0.doneCount, $0.solvedCount) = (index + 1, 0) }
        case .sumSolved(let occurrence, let index, let count):
            change(occurrence) { if index == $0.doneCount { $0.solvedCount = count } }
        case .ended(let occurrence, let ending, _, _, let revision):
            // A test is nobody's alarm.
            if !occurrence.alarm.isEmpty { ended[occurrence] = ending }
            forget(occurrence)
            if let revision, alarms[occurrence.alarm]?.revision == revision {
                alarms[occurrence.alarm]?.alarm.isEnabled = false
            }
        case .pastKept(let ring): if ring.session != nil { ended[ring.occurrence] = ring.ending }
        default: break
        }
    }

    /// Another session may have the same occurrence: its alarm is gone, or the clock was set back by much.
    mutating func forget(_ occurrence: Occurrence) { open[occurrence] = nil }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout Progress) -> Void) {
        if var progress = open[occurrence] {
            change(&progress)
            open[occurrence] = progress
        }
    }

    private mutating func keep(_ alarm: Alarm, _ position: PlanPosition) {
        alarms[alarm.id] = Kept(alarm: alarm, revision: position.revision, anchor: position.anchor?.date)
    }

    /// Without when it was, and what a miss or its being taken back has switched: a snapshot may have that otherwise.
    var essence: Model {
        var essence = self
        essence.newestMilliseconds = 0
        for (id, kept) in alarms where kept.alarm.isOneTime { essence.alarms[id]?.alarm.isEnabled = true }
        return essence
    }
}
