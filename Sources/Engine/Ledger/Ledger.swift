// What the records say: the state that a restart finds again.

import Alarms
import CivilTime

/// The fold of all facts. It is told nothing else, so replaying the facts in the journal's order makes it again.
///
/// What an owner asks for becomes a fact when it is durable, everything else at once: so the two may come here in another
/// order than they stand in the journal. They must come to the same.
struct Ledger: Sendable {
    private(set) var settings = Settings()
    /// When the master switch was last switched on.
    private(set) var enabledSince = Since(.earliest)
    private(set) var calendars: [String: DayCalendar] = [:]
    /// When each calendar was last changed.
    private(set) var calendarsSince: [String: Since] = [:]
    private(set) var alarms = AlarmBook()
    /// By label.
    private(set) var codes: [EnrolledCode] = []
    /// The sessions that have not ended, in the order in which they began.
    private(set) var sessions: [Session] = []
    private(set) var past = PastRings()
    private(set) var health: [Part: Health] = [:]
    /// The machine's zone.
    private(set) var zoneName: String?
    /// When the machine came to be in its zone, and when the settings came to name theirs, or none.
    private(set) var machineZoneSince = Since(.earliest)
    private(set) var settingsZoneSince = Since(.earliest)
    /// When zones came to have other rules, by their names.
    private(set) var rulesSince: [String: Since] = [:]
    /// When the newest fact became one.
    private(set) var newestMilliseconds = 0

    /// More sessions than this at once, nobody can answer. As many again may be such as somebody has to get up for.
    static let sessionsMax = 1000

    /// When the device last came to be in another zone.
    var zoneSince: Instant {
        settings.zoneName == nil
            ? max(machineZoneSince.instant, settingsZoneSince.instant) : settingsZoneSince.instant
    }

    func session(_ occurrence: Occurrence) -> Session? { sessions.first { $0.occurrence == occurrence } }

    /// What makes again what is known besides alarms of when it was changed, where a clock that was wrong is set right.
    func setRight(by step: Clock.Step) -> [Fact] {
        var facts: [Fact] = []
        let (enabled, zone) = (enabledSince.right(after: step), settingsZoneSince.right(after: step))
        if enabled != nil || zone != nil {
            facts.append(
                .settingsSaved(
                    settings, since: enabled ?? enabledSince.instant, zoneSince: zone ?? settingsZoneSince.instant))
        }
        if let zoneName, let since = machineZoneSince.right(after: step) {
            facts.append(.zoneChanged(zoneName, since: since))
        }
        for (name, calendar) in calendars.sorted(by: { $0.key < $1.key }) {
            guard let since = calendarsSince[name]?.right(after: step) else { continue }
            facts.append(.calendarSaved(name, calendar, since: since))
        }
        for kept in alarms.all {
            guard let since = kept.moved?.right(after: step) else { continue }
            facts.append(.alarmMoved(kept.alarm.id, version: kept.since, since: since))
        }
        for (name, changed) in rulesSince.sorted(by: { $0.key < $1.key }) {
            if let since = changed.right(after: step) { facts.append(.zoneRulesChanged(name, since: since)) }
        }
        return facts
    }

    mutating func apply(_ entry: Entry) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let since, let isDoubtful, let savedAt, let begins):
            alarms.save(alarm, since: since, isDoubtful: isDoubtful, savedAt: savedAt, begins: begins)
        case .alarmChanged(let alarm, let passed, let isSpent):
            alarms.change(alarm, passed: passed, isSpent: isSpent)
        case .alarmCounted(let id, let version, let since, let isDoubtful, let begins):
            alarms.count(id, version: version, since: since, isDoubtful: isDoubtful, begins: begins)
        case .alarmStarts(let id, let version, let day): alarms.begin(id, version: version, on: day)
        case .alarmMoved(let id, let version, let since): alarms.move(id, version: version, since: since)
        case .baseOver(let id, let instant): alarms.endBase(id, at: instant)
        case .alarmDeleted(let id):
            alarms.delete(id)
            past.orphan(id)
        case .settingsSaved(let settings, let since, let zoneSince):
            (self.settings, enabledSince, settingsZoneSince) = (settings, Since(since), Since(zoneSince))
        case .calendarSaved(let name, let calendar, let since):
            calendars[name] = calendar
            calendarsSince[name] = Since(since)
        case .calendarDeleted(let name):
            calendars[name] = nil
            calendarsSince[name] = nil
        case .codeEnrolled(let code):
            codes.removeAll { $0.label == code.label }
            codes.append(code)
            codes.sort { $0.label < $1.label }
        case .codeForgotten(let label): codes.removeAll { $0.label == label }
        case .fired(let session), .sessionKept(let session): begin(session)
        case .challengeDone(let occurrence, let index):
            change(occurrence) { session in
                guard index == session.doneMilliseconds.count else { return }
                session.doneMilliseconds.append(entry.millisecondsSince1970)
            }
        case .snoozed(let occurrence, let count, let until):
            change(occurrence) { session in
                session.snoozeCount = max(session.snoozeCount, count)
                session.pause(.snooze, at: entry.millisecondsSince1970, until: until)
            }
        case .rested(let occurrence, let count, let until):
            change(occurrence) { session in
                session.restCount = max(session.restCount, count)
                session.pause(.rest, at: entry.millisecondsSince1970, until: until)
            }
        case .ended(let occurrence, let ending, _, let version):
            end(occurrence, ending, at: entry.millisecondsSince1970)
            if let version { alarms.switchOff(occurrence.alarm, version: version) }
        case .missed(let occurrence, let label, let window, let first, let version):
            past.add(
                PastRing(
                    occurrence: occurrence, label: label, ending: .missed,
                    endedMilliseconds: entry.millisecondsSince1970, session: nil, firstMissed: first,
                    lateWindowSeconds: window,
                    switchedOff: version, isOrphan: alarms[occurrence.alarm] == nil))
            alarms.miss(occurrence.alarm, first...max(first, occurrence.at))
            if let version { alarms.switchOff(occurrence.alarm, version: version) }
        case .pastKept(let ring):
            past.keep(ring)
            if ring.isOrphan {
                break
            } else if ring.session == nil {
                let first = ring.firstMissed ?? ring.occurrence.at
                alarms.miss(ring.occurrence.alarm, first...max(first, ring.occurrence.at))
            } else {
                alarms.ring(ring.occurrence.alarm, ring.occurrence.at)
            }
        case .resumed(let occurrence): change(occurrence) { $0.resume() }
        case .zoneChanged(let name, let since): (zoneName, machineZoneSince) = (name, Since(since))
        case .zoneRulesChanged(let name, let since): rulesSince[name] = Since(since)
        case .healthChanged(let part, let health): self.health[part] = health
        case .clockTrusted(let isTrusted): if isTrusted { alarms.trust() }
        case .clockStepped(let from, let to):
            step(Clock.Step(from: from, to: to))
        case .planned, .lockBegan, .audioStarted, .audioFailed, .scanRefused, .stopRefused: break
        }
    }

    /// The clock was set. What came to be by a clock that was ahead counts from now: otherwise it would come to be later, and
    /// whatever is due until then would be overlooked.
    private mutating func step(_ step: Clock.Step) {
        newestMilliseconds = step.to
        let now = step.instant
        // What was missed came after what was saved: what that switched off is found by when it was saved.
        for ring in past.takeBackMissed(at: now, windowSeconds: { alarms[$0]?.alarm.lateWindowSeconds }) {
            if let version = ring.switchedOff { alarms.switchOnAgain(ring.occurrence.alarm, version: version) }
        }
        alarms.pullBack(by: step, missed: past.missed)
        enabledSince = enabledSince.after(step)
        machineZoneSince = machineZoneSince.after(step)
        settingsZoneSince = settingsZoneSince.after(step)
        calendarsSince = calendarsSince.mapValues { $0.after(step) }
        rulesSince = rulesSince.mapValues { $0.after(step) }
    }

    private mutating func begin(_ session: Session) {
        alarms.ring(session.occurrence.alarm, session.occurrence.at)
        if session.layer == .base, let version = session.alarmSince {
            alarms.spend(session.occurrence.alarm, version: version)
        }
        guard self.session(session.occurrence) == nil else { return }
        sessions.append(session)
    }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        if let index = sessions.firstIndex(where: { $0.occurrence == occurrence }) {
            change(&sessions[index])
        } else {
            past.change(occurrence, change)
        }
    }

    private mutating func end(_ occurrence: Occurrence, _ ending: Ending, at milliseconds: Int) {
        guard let index = sessions.firstIndex(where: { $0.occurrence == occurrence }) else { return }
        var session = sessions.remove(at: index)
        session.pause = nil
        guard !session.terms.isTest else { return }
        // Its alarm may have been deleted and made anew meanwhile: the occurrence has had its turn all the same.
        alarms.ring(occurrence.alarm, occurrence.at)
        past.add(
            PastRing(
                occurrence: occurrence, label: session.terms.label, ending: ending, endedMilliseconds: milliseconds,
                session: session, isOrphan: alarms[occurrence.alarm] == nil))
    }
}
