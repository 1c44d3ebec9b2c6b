// The status that clients show: the command line and other programs.

import Alarms
import Challenges
import CivilTime
import Health

/// The state of the device, as clients show it.
package struct Status: Hashable, Sendable {
    /// The best-known time, in milliseconds since 1970.
    package var nowMilliseconds: Int
    package var isClockTrusted: Bool
    package var zoneName: String
    /// The master switch.
    package var isEnabled: Bool
    /// The open sessions: the one that is heard, then those that wait, then those that are silent.
    package var sessions: [SessionStatus]
    /// The challenges of a locked alarm that are done ahead of time; nil if none are.
    package var unlocking: Unlocking?
    /// The alarms whose challenges were done ahead of time, until their rings.
    package var unlocked: [AlarmName]
    /// The scan in progress; nil if there is none.
    package var scan: ScanPurpose?
    /// The next rings, as many as were requested.
    package var next: [PlannedRing]
    /// The next rings of which a notice was given, at most ten.
    package var noticed: [PlannedRing]
    /// The rings of chores that were missed or unanswered, and are not done, the oldest first.
    package var open: [PastRing]
    /// The light of an open session, or the next planned one.
    package var sunrise: Sunrise?
    /// The next bedtime; nil if none is set.
    package var bedtime: Instant?
    /// The time since which the owner is in bed, in milliseconds since 1970; nil if the owner has not said so.
    package var inBedMilliseconds: Int?
    /// Missed, unanswered and emergency endings of the last day, the latest first, at most ten.
    package var lately: [PastRing]
    package var health: [PartStatus]
    /// The number of facts that are not durable yet: a restart would lose them.
    package var pendingFactCount: Int
    /// The reason why the last commit failed; nil after a success.
    package var failure: String?

    /// The challenges of a locked alarm, done ahead of time.
    package struct Unlocking: Hashable, Sendable {
        package var alarm: AlarmName
        package var assignment: Assignment
        package var progress: TaskProgress
        /// The milliseconds until an answer is accepted again after too many wrong ones.
        package var lockedOutMilliseconds: Int
        /// True if the last answer was wrong, a moment ago.
        package var isWrong: Bool
    }

    package struct PartStatus: Hashable, Sendable {
        package var part: Part
        package var health: Health
        /// The time of the last test or report; nil if there was none since the start.
        package var tested: Instant?
    }
}

package struct SessionStatus: Hashable, Sendable {
    package var session: Session
    package var isHeard: Bool
    package var isShaking: Bool
    /// The milliseconds until the session's pause ends; nil while it rings.
    package var leftMilliseconds: Int?
    /// The milliseconds until its wake-up check asks, 0 while it asks; nil if no check is open.
    package var asksMilliseconds: Int?
    /// The owner's next task; nil if no challenge has begun.
    package var assignment: Assignment?
    package var progress: TaskProgress?
    /// The challenge that replaces the session's open one, because its device is missing.
    package var replacement: Challenge?
    /// The milliseconds until an answer is accepted again after too many wrong ones.
    package var lockedOutMilliseconds: Int
    /// True if the last answer was wrong, a moment ago.
    package var isWrong: Bool
    /// True while a challenge in progress refuses snoozes.
    package var isBusy: Bool
    /// True if the right code was in view from the beginning: the owner must remove it and show it again.
    package var isCodeStanding: Bool
    /// The milliseconds until its emergency exit takes effect; nil while it is not held.
    package var emergencyMilliseconds: Int?
}

extension Engine {
    /// Returns the engine at a later moment, if no input comes until then.
    package func at(_ moment: Moment) -> Engine {
        var later = self
        _ = later.agenda.update(at: moment)
        return later
    }

    /// Returns the status at the moment of the last input, with at most `nextCount` of the next rings.
    package func status(nextCount: Int = 3) -> Status {
        Status(
            nowMilliseconds: clock.now, isClockTrusted: clock.isTrusted,
            zoneName: agenda.zones.device(agenda.settings).name, isEnabled: agenda.settings.isEnabled,
            sessions: sessionStatuses, unlocking: unlocking, unlocked: unlocked, scan: codeScan?.purpose,
            next: agenda.due.rings(countMax: nextCount),
            noticed: agenda.noticed.rings(countMax: Engine.noticedMax), open: openRings, sunrise: sunrise,
            bedtime: agenda.bedtime.next, inBedMilliseconds: sessions.inBed(at: clock.now), lately: lately,
            health: preflight.knownHealth.map { part, health in
                Status.PartStatus(
                    part: part, health: health, tested: preflight.testedUptimes[part].map(agenda.instant(atUptime:)))
            },
            pendingFactCount: writes.pendingFactCount, failure: writes.failure)
    }

    private static let noticedMax = 10
    private static let latelyMilliseconds = 86_400_000
    private static let latelyMax = 10

    private var lately: [PastRing] {
        let past = sessions.past.rings
        var lately: [PastRing] = []
        for index in past.indices.reversed() {
            guard past[index].endedMilliseconds > clock.now - Engine.latelyMilliseconds, lately.count < Engine.latelyMax
            else { break }
            let ending = past[index].ending
            let isProblem = [.missed, .unanswered, .emergency].contains(ending)
            if isProblem { lately.append(past[index]) }
        }
        return lately
    }

    private var unlocked: [AlarmName] {
        // Without the guard, ten thousand alarms would be looked up for each status.
        guard !agenda.unlocked.isEmpty else { return [] }
        return agenda.alarms.all.filter(isUnlocked).map(\.alarm.name)
    }

    private var unlocking: Status.Unlocking? {
        guard let active = challengeState.current, case .unlock(let id, _) = active.purpose,
            let entry = agenda.alarms[id]
        else { return nil }
        return Status.Unlocking(
            alarm: entry.alarm.name, assignment: active.assignment, progress: active.progress(at: clock.uptime),
            lockedOutMilliseconds: active.lockMilliseconds(uptime: clock.uptime),
            isWrong: challengeState.isWrong(at: clock.uptime))
    }

    private var sessionStatuses: [SessionStatus] {
        let heard = sessions.current?.occurrence
        return sessions.byRingOrder.map { session in
            let active = challengeState.current.flatMap { $0.isFor(session.occurrence) ? $0 : nil }
            return SessionStatus(
                session: session, isHeard: session.occurrence == heard,
                isShaking: emitted.shaking != nil && session.shakes(at: clock.uptime),
                leftMilliseconds: session.pause?.untilUptime.map { max(0, $0 - clock.uptime) },
                asksMilliseconds: session.askedUptime.map { max(0, $0 - clock.uptime) },
                assignment: active?.assignment, progress: active?.progress(at: clock.uptime),
                replacement: active?.replacement,
                lockedOutMilliseconds: active?.lockMilliseconds(uptime: clock.uptime) ?? 0,
                isWrong: active != nil && challengeState.isWrong(at: clock.uptime),
                isBusy: challengeState.isBusy(with: session.occurrence, at: clock.uptime),
                isCodeStanding: active?.hasStandingCode ?? false,
                emergencyMilliseconds: emergencyLeft.flatMap {
                    $0.session == session.occurrence ? $0.milliseconds : nil
                })
        }
    }

    /// Returns the terms of a session that is open or has just ended; nil if there is none.
    package func terms(of occurrence: Occurrence) -> Terms? {
        sessions[occurrence]?.terms
            ?? history.suffix(Engine.justEndedMax).last { $0.session?.occurrence == occurrence }?.session?.terms
    }

    private static let justEndedMax = 100

    /// The sound that is ordered now; nil for silence.
    package var sound: SoundOrder? { emitted.sound }

    package var isAtRest: Bool { sessions.isEmpty }

    /// Returns the health of a part, or nil if it was never reported.
    package func health(of part: Part) -> Health? { preflight.health[part] }

    /// All alarms as their owner sees them, in the order of creation.
    package var alarms: [Alarm] { agenda.alarms.all.map { agenda.pruned($0.shown) } }

    /// Returns an alarm as its owner sees it, with its next ring.
    package func alarm(_ id: Alarm.ID) -> (alarm: Alarm, next: PlannedRing?)? {
        agenda.alarms[id].map { (agenda.pruned($0.shown), agenda.due[id]) }
    }

    /// Returns the revision of an alarm, or nil if there is no such alarm.
    package func revision(ofAlarm id: Alarm.ID) -> String? { agenda.alarms[id]?.alarm.revision }

    /// Returns the rings of all alarms that are on in [from, until), in order and at most `countMax`.
    package func rings(from: Instant, until: Instant, countMax: Int) -> [PlannedRing] {
        guard agenda.settings.isEnabled else { return [] }
        let schedules = agenda.alarms.all.filter(\.alarm.isEnabled).map {
            agenda.planningContext.schedule($0.alarm, $0.position.anchor)
        }
        let postponed = agenda.alarms.all.compactMap { entry in
            entry.postponed.flatMap { agenda.ring(of: entry, after: $0.until.advanced(by: -1)) }
        }.filter { $0.isPostponed && from <= $0.at && $0.at < until }
        // Rings ahead that were done or put off do not come.
        let left = Set(
            agenda.alarms.all.flatMap { entry in
                entry.rung.filter { $0 > clock.instant }.map { Occurrence(alarm: entry.id, at: $0) }
            })
        let planned = RingsInOrder(schedules, from: from, until: until).lazy.filter { !left.contains($0.occurrence) }
        let rings = Array(planned.prefix(countMax))
        return postponed.isEmpty ? rings : Array((rings + postponed).sorted { $0.at < $1.at }.prefix(countMax))
    }

    /// Returns whether an alarm rings on this date if it is on and the date is not skipped.
    package func hasRing(_ id: Alarm.ID, on date: CivilDate) -> Bool {
        guard let entry = agenda.alarms[id] else { return false }
        var alarm = entry.alarm
        alarm.skipped = DateSet()
        let before = zone(of: alarm).instants(of: CivilDateTime(date, .midnight)).first.advanced(by: -1)
        return agenda.planningContext.schedule(alarm, entry.position.anchor).next(after: before)?.date == date
    }

    package enum Outlook: Hashable, Sendable {
        case rings(PlannedRing)
        /// The master switch is off; no ring is planned; or no ring is planned, but a session is open.
        case allOff, noRing, noOtherRing
    }

    /// The next ring, or the reason why none is planned. It does not consider the health of the parts.
    package var outlook: Outlook {
        if let next = agenda.due.rings(countMax: 1).first { return .rings(next) }
        guard agenda.settings.isEnabled else { return .allOff }
        return sessions.isEmpty ? .noRing : .noOtherRing
    }

    /// Returns true if an alarm is locked: it rings soon or now, and cannot be made easier to escape.
    package func isLocked(_ id: Alarm.ID) -> Bool { agenda.alarms[id].map { isLocked($0) } ?? false }

    /// The time of the newest record, in milliseconds since 1970. A clock that shows less is wrong.
    package var newestMilliseconds: Int { agenda.newestMilliseconds }

    /// The last recorded zone of the machine.
    package var machineZoneName: String? { agenda.zoneName }

    package var zone: Zone { agenda.zones.device(agenda.settings) }

    /// Returns the zone of an alarm's times, or the device's zone if there is no such alarm any more.
    package func zone(of id: Alarm.ID) -> Zone { zone(of: agenda.alarms[id]?.alarm) }

    package func zone(of alarm: Alarm?) -> Zone { alarm.map { agenda.zones.zone(of: $0, agenda.settings) } ?? zone }

    package var settings: Settings { agenda.settings }

    package var calendars: [String: DayCalendar] { agenda.calendars }

    package var codes: [EnrolledCode] { agenda.codes }

    /// The keys with which the payload of a code is hashed, the device's own first.
    package var codeKeys: [CodeKey] {
        agenda.codeKeys.isEmpty ? [challengeState.newCodeKey].compactMap(\.self) : agenda.codeKeys
    }

    /// A backup: alarms, settings, calendars and codes in one file.
    package var backup: AlarmsFile {
        var file = AlarmsFile()
        (file.settings, file.calendars, file.codes) = (settings, calendars, codes)
        file.alarms = alarms
        // The keys are needed only for codes.
        if !codes.isEmpty { file.codeKeys = codeKeys }
        return file
    }

    /// True if the journal may be compacted now: no session is open, and no commit is in progress.
    package var canCompact: Bool { sessions.isEmpty && writes.isEmpty }

    /// The snapshot: facts that replay to the present state.
    package var snapshot: [Entry] {
        let history = events.entries.map(Fact.eventKept) + sessions.past.rings.map(Fact.pastKept)
        let night = sessions.inBedMilliseconds.map { [Fact.inBed(atMilliseconds: $0, by: Sender(.button))] } ?? []
        let known = clients.all.map { Fact.clientAdded($0) } + preflight.knownHealth.map(Fact.healthChanged)
        return (agenda.snapshot + night + history + known).map { fact in
            // Without a time, a step is not an event of the log. Facts from a clock that was ahead get the
            // newest time as well: no fact in a snapshot may look newer.
            let isStep = if case .clockStepped = fact { true } else { false }
            return Entry(millisecondsSince1970: isStep ? 0 : newestMilliseconds, fact)
        }
    }

    /// Returns the last known label of an alarm that was deleted, or nil if it is not known.
    package func label(ofDeleted id: Alarm.ID) -> String? {
        events.label(ofDeleted: id) ?? history.last { $0.occurrence.alarm == id }?.label
    }

    /// The past rings, the oldest first.
    package var history: [PastRing] { sessions.past.rings }
}
