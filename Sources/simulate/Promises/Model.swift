// What the journal's records say, worked out a second time and as simply as can be.

import Alarms
import CivilTime
import Engine

/// What is durable.
struct Model {
    struct Kept {
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
    private(set) var codes: Set<String> = []
    private(set) var zoneName: String?

    init(_ entries: [Entry] = []) {
        for entry in entries { apply(entry.fact) }
    }

    mutating func apply(_ fact: Fact) {
        switch fact {
        case .alarmSaved(let alarm, let since): alarms[alarm.id] = Kept(alarm: alarm, since: since)
        case .alarmDeleted(let id): alarms[id] = nil
        case .clockStepped(_, let to):
            let now = Instant(secondsSince1970: to / 1000)
            for id in alarms.keys { alarms[id]?.clockWasSet(to: now) }
            ended = ended.filter { $0.value != .missed || $0.key.at <= now }
            enabledSince = min(enabledSince, now)
        case .settingsSaved(let settings, let since, _): (self.settings, enabledSince) = (settings, since)
        case .zoneChanged(let name, _): zoneName = name
        case .codeEnrolled(let code): codes.insert(code.label)
        case .codeForgotten(let label): codes.remove(label)
        case .fired(let session): begun.insert(session.occurrence)
        case .snoozed(let occurrence, let count, _): snoozes[occurrence] = count
        case .challengeDone(let occurrence, let index): challengesDone[occurrence] = index + 1
        case .ended(let occurrence, let ending, _, let version):
            // A test is nobody's alarm.
            if !occurrence.alarm.isEmpty { ended[occurrence] = ending }
            switchOff(occurrence, version)
        case .missed(let occurrence, _, let version):
            ended[occurrence] = .missed
            switchOff(occurrence, version)
            noteMissed(occurrence, version)
        case .pastKept(let ring):
            ended[ring.occurrence] = ring.ending
            noteMissed(ring.occurrence, ring.switchedOff)
        case .sessionKept(let session):
            begun.insert(session.occurrence)
            snoozes[session.occurrence] = session.snoozeCount
            challengesDone[session.occurrence] = session.doneMilliseconds.count
        default: break
        }
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
        guard let missed = offAfter, missed > now, !alarm.isEnabled else { return }
        (alarm.isEnabled, offAfter) = (true, nil)
    }
}
