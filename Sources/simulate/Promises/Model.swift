// What the journal's records say, worked out a second time and as simply as can be.

import Alarms
import CivilTime
import Engine

/// What is durable.
struct Model: Equatable {
    struct Kept: Equatable {
        var alarm: Alarm
        var since: Instant
        /// The missed ring that it was switched off after.
        var offAfter: Instant?
    }

    private(set) var alarms: [Alarm.ID: Kept] = [:]
    private(set) var settings = Settings()
    private(set) var enabledSince = Instant.earliest
    private(set) var begun: Set<Occurrence> = []
    private(set) var ended: [Occurrence: Ending] = [:]
    private(set) var snoozes: [Occurrence: Int] = [:]
    private(set) var challengesDone: [Occurrence: Int] = [:]
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
        case .alarmSaved(let alarm, let since, _): alarms[alarm.id] = Kept(alarm: alarm, since: since)
        case .alarmChanged(var alarm):
            alarm.isEnabled = alarms[alarm.id]?.alarm.isEnabled ?? false
            alarms[alarm.id]?.alarm = alarm
        case .alarmDeleted(let id): alarms[id] = nil
        case .clockStepped(_, let to):
            newestMilliseconds = to
            let now = Instant(secondsSince1970: to / 1000)
            ended = ended.filter { occurrence, ending in
                ending != .missed || occurrence.at < now.advanced(by: -windowSeconds(occurrence.alarm))
            }
            for id in alarms.keys { alarms[id]?.clockWasSet(to: now) }
            enabledSince = min(enabledSince, now)
        case .settingsSaved(let settings, let since, _): (self.settings, enabledSince) = (settings, since)
        case .zoneChanged(let name, _): zoneName = name
        case .codeEnrolled(let code): codes[code.label] = code
        case .codeForgotten(let label): codes[label] = nil
        case .calendarSaved(let name, let calendar, _): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .healthChanged(let part, let health): self.health[part] = health
        case .fired(let session): begun.insert(session.occurrence)
        case .snoozed(let occurrence, let count, _): snoozes[occurrence] = max(snoozes[occurrence] ?? 0, count)
        case .rested(let occurrence, let count, _): rests[occurrence] = max(rests[occurrence] ?? 0, count)
        case .challengeDone(let occurrence, let index): challengesDone[occurrence] = index + 1
        case .ended(let occurrence, let ending, _, let version):
            // A test is nobody's alarm.
            if !occurrence.alarm.isEmpty { ended[occurrence] = ending }
            switchOff(occurrence, version)
        case .missed(let occurrence, _, _, let version):
            ended[occurrence] = .missed
            switchOff(occurrence, version)
            noteMissed(occurrence, version)
        case .pastKept(let ring):
            ended[ring.occurrence] = ring.ending
            noteMissed(ring.occurrence, ring.switchedOff)
        case .sessionKept(let session):
            begun.insert(session.occurrence)
            snoozes[session.occurrence] = session.snoozeCount
            rests[session.occurrence] = session.restCount
            challengesDone[session.occurrence] = session.doneMilliseconds.count
        default: break
        }
    }

    private func windowSeconds(_ id: Alarm.ID) -> Int { max(alarms[id]?.alarm.lateWindowSeconds ?? 0, 2) }

    /// Forgets what matters only until a session is over, and what does not outlive a snapshot.
    mutating func forgetOver() {
        (begun, snoozes, rests, challengesDone) = ([], [:], [:], [:])
        newestMilliseconds = 0
        ended = ended.filter { $0.value != .missed }
        for id in alarms.keys { alarms[id]?.offAfter = nil }
    }

    private mutating func noteMissed(_ occurrence: Occurrence, _ version: Instant?) {
        guard let version, alarms[occurrence.alarm]?.since == version else { return }
        alarms[occurrence.alarm]?.offAfter = occurrence.at
    }

    private mutating func switchOff(_ occurrence: Occurrence, _ version: Instant?) {
        guard let version, alarms[occurrence.alarm]?.since == version else { return }
        alarms[occurrence.alarm]?.alarm.isEnabled = false
    }
}

extension Model.Kept {
    /// What was saved later is as if it had been saved now, and what was missed later was not missed.
    fileprivate mutating func clockWasSet(to now: Instant) {
        since = min(since, now)
        guard let missed = offAfter, missed >= now.advanced(by: -max(alarm.lateWindowSeconds, 2)), !alarm.isEnabled
        else {
            return
        }
        (alarm.isEnabled, offAfter) = (true, nil)
    }
}
