// What the journal's records say, worked out a second time and as simply as can be.

import Alarms
import CivilTime
import Engine

/// What is durable.
struct Model: Equatable {
    struct Kept: Equatable {
        var alarm: Alarm
        var since: Instant
        /// From then intervals count, where the alarm does not say so.
        var begins: CivilDate?
    }

    private(set) var alarms: [Alarm.ID: Kept] = [:]
    private(set) var settings = Settings()
    private(set) var enabledSince = Instant.earliest
    private(set) var begun: Set<Occurrence> = []
    private(set) var ended: [Occurrence: Ending] = [:]
    /// How late what was missed would have rung, in seconds.
    private var windows: [Occurrence: Int] = [:]
    /// Which version of its alarm a missed ring has switched off.
    private var switchedOff: [Occurrence: Instant] = [:]
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
        case .alarmSaved(let alarm, let since, _, _, let begins):
            alarms[alarm.id] = Kept(alarm: alarm, since: since, begins: begins?.day)
        case .alarmChanged(var alarm, _, _):
            alarm.isEnabled = alarms[alarm.id]?.alarm.isEnabled ?? false
            alarms[alarm.id]?.alarm = alarm
        case .alarmCounted(let id, let version, let since, _, let begins):
            guard alarms[id]?.since == version else { break }
            alarms[id]?.since = since
            if let begins { alarms[id]?.begins = begins }
        case .alarmStarts(let id, let version, let date):
            if alarms[id]?.since == version { alarms[id]?.begins = date }
        case .alarmDeleted(let id):
            alarms[id] = nil
            for occurrence in begun where occurrence.alarm == id && ended[occurrence] != nil { forget(occurrence) }
        case .clockStepped(let from, let to):
            newestMilliseconds = to
            let now = Instant(secondsSince1970: to / 1000)
            for (occurrence, ending) in ended where ending == .missed {
                if occurrence.at >= now.advanced(by: -windowSeconds(occurrence)) { takeBackMissed(occurrence) }
            }
            for (id, kept) in alarms where kept.since > now { alarms[id]?.since = now }
            // It was switched on as long ago as it was.
            let ahead = Int((Double(from - to) / 1000).rounded(.up))
            if enabledSince > now { enabledSince = min(enabledSince.advanced(by: -ahead), now) }
        case .settingsSaved(let settings, let since, _): (self.settings, enabledSince) = (settings, since)
        case .zoneChanged(let name, _): zoneName = name
        case .codeEnrolled(let code): codes[code.label] = code
        case .codeForgotten(let label): codes[label] = nil
        case .calendarSaved(let name, let calendar, _): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .healthChanged(let part, let health): self.health[part] = health
        case .fired(let session):
            begun.insert(session.occurrence)
            ended[session.occurrence] = nil
        case .snoozed(let occurrence, let count, _): snoozes[occurrence] = max(snoozes[occurrence] ?? 0, count)
        case .rested(let occurrence, let count, _): rests[occurrence] = max(rests[occurrence] ?? 0, count)
        case .challengeDone(let occurrence, let index): challengesDone[occurrence] = index + 1
        case .ended(let occurrence, let ending, _, let version):
            // A test is nobody's alarm.
            if !occurrence.alarm.isEmpty { ended[occurrence] = ending }
            if alarms[occurrence.alarm] == nil { forget(occurrence) }
            switchOff(occurrence, version)
        case .missed(let occurrence, _, let window, _, let version):
            ended[occurrence] = .missed
            windows[occurrence] = window
            switchOff(occurrence, version)
            switchedOff[occurrence] = version
        case .pastKept(let ring):
            ended[ring.occurrence] = ring.ending
            windows[ring.occurrence] = ring.lateWindowSeconds
            switchedOff[ring.occurrence] = ring.switchedOff
        case .sessionKept(let session):
            begun.insert(session.occurrence)
            snoozes[session.occurrence] = session.snoozeCount
            rests[session.occurrence] = session.restCount
            challengesDone[session.occurrence] = session.doneMilliseconds.count
        default: break
        }
    }

    /// A session of an alarm that is gone: another one of the same id may have the same occurrence.
    private mutating func forget(_ occurrence: Occurrence) {
        begun.remove(occurrence)
        (snoozes[occurrence], rests[occurrence], challengesDone[occurrence]) = (nil, nil, nil)
    }

    private func windowSeconds(_ occurrence: Occurrence) -> Int { max(windows[occurrence] ?? 0, 2) }

    /// Forgets what matters only until a session is over, and what does not outlive a snapshot.
    mutating func forgetOver() {
        (begun, snoozes, rests, challengesDone, windows, switchedOff) = ([], [:], [:], [:], [:], [:])
        newestMilliseconds = 0
        ended = ended.filter { $0.value != .missed }
    }

    /// By the clock as it is now, this was not missed: what that switched off is on again, unless it was saved anew since.
    private mutating func takeBackMissed(_ occurrence: Occurrence) {
        ended[occurrence] = nil
        guard let version = switchedOff.removeValue(forKey: occurrence) else { return }
        if alarms[occurrence.alarm]?.since == version { alarms[occurrence.alarm]?.alarm.isEnabled = true }
    }

    private mutating func switchOff(_ occurrence: Occurrence, _ version: Instant?) {
        guard let version, alarms[occurrence.alarm]?.since == version else { return }
        alarms[occurrence.alarm]?.alarm.isEnabled = false
    }
}
