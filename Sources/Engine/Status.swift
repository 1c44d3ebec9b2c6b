// The status that clients show: the page, the command line, Home Assistant.

import Alarms
import CivilTime

/// The state of a Rooster, as clients show it.
public struct Status: Hashable, Sendable {
    /// The best-known time, in milliseconds since 1970.
    public var nowMilliseconds: Int
    /// Whether the clock is trusted.
    public var isClockTrusted: Bool
    /// The device's zone.
    public var zoneName: String
    /// The master switch.
    public var isEnabled: Bool
    /// The open sessions: first the one that is heard, then those that wait, then those that are silent.
    public var sessions: [SessionStatus]
    /// The challenges of a locked alarm that are being done ahead of time; nil where none are.
    public var unlocking: Unlocking?
    /// The scan that is under way; nil where there is none.
    public var looking: ScanPurpose?
    /// The next rings, as many as were asked for.
    public var next: [PlannedRing]
    /// Missed, unanswered and emergency endings of the last day, the latest first, ten at the most.
    public var lately: [PastRing]
    /// The health of each part that was ever reported.
    public var health: [PartStatus]
    /// How many facts are not durable yet: a restart would not know them.
    public var pendingFactCount: Int
    /// Why the last commit failed; nil after a success.
    public var failure: String?

    /// The challenges of a locked alarm, being done ahead.
    public struct Unlocking: Hashable, Sendable {
        /// The alarm.
        public var alarm: AlarmName
        /// What has to be done now.
        public var assignment: Assignment
        /// For how many milliseconds no answer is accepted, after too many wrong ones.
        public var lockedOutMilliseconds: Int
    }

    /// The health of one part.
    public struct PartStatus: Hashable, Sendable {
        /// The part.
        public var part: Part
        /// Its health.
        public var health: Health
    }
}

/// The state of one session.
public struct SessionStatus: Hashable, Sendable {
    /// The session.
    public var session: Session
    /// Whether it is the one that is heard.
    public var isHeard: Bool
    /// The milliseconds until its pause ends; nil while it rings.
    public var leftMilliseconds: Int?
    /// What has to be done now; nil where no challenge has begun.
    public var assignment: Assignment?
    /// For how many milliseconds no answer is accepted, after too many wrong ones.
    public var lockedOutMilliseconds: Int
    /// Whether the right code has been in view from the beginning: it has to be taken away and shown again.
    public var isCodeStanding: Bool
    /// The milliseconds until its emergency way out opens; nil while it is not held.
    public var emergencyMilliseconds: Int?
}

extension Engine {
    /// The engine at a later moment, if no input comes until then.
    public func at(_ moment: Moment) -> Engine {
        var later = self
        _ = later.agenda.update(at: moment)
        return later
    }

    /// The status at the moment of the last input, with so many of the next rings.
    public func status(nextCount: Int = 3) -> Status {
        Status(
            nowMilliseconds: clock.now, isClockTrusted: clock.isTrusted,
            zoneName: agenda.zones.device(agenda.settings).name, isEnabled: agenda.settings.isEnabled,
            sessions: sessionStatuses, unlocking: unlocking, looking: codeScan?.purpose,
            next: agenda.due.rings(countMax: nextCount), lately: lately,
            health: preflight.knownHealth.map { Status.PartStatus(part: $0, health: $1) },
            pendingFactCount: commit.pendingFactCount, failure: commit.failure)
    }

    private static let latelyMilliseconds = 86_400_000
    private static let latelyMax = 10

    private var lately: [PastRing] {
        let past = sessions.past.rings
        var lately: [PastRing] = []
        for index in past.indices.reversed() {
            guard past[index].endedMilliseconds > clock.now - Engine.latelyMilliseconds, lately.count < Engine.latelyMax
            else { break }
            let ending = past[index].ending
            if ending != .dismissed, ending != .cancelled { lately.append(past[index]) }
        }
        return lately
    }

    private var unlocking: Status.Unlocking? {
        guard let attempt = attempts.current, case .unlock(let id, _) = attempt.purpose, let entry = agenda.alarms[id]
        else { return nil }
        return Status.Unlocking(
            alarm: entry.alarm.name, assignment: attempt.assignment,
            lockedOutMilliseconds: attempt.lockMilliseconds(uptime: clock.uptime))
    }

    private var sessionStatuses: [SessionStatus] {
        let heard = sessions.current?.occurrence
        return sessions.byTurn.map { session in
            let attempt = attempts.current.flatMap { $0.isFor(session.occurrence) ? $0 : nil }
            return SessionStatus(
                session: session, isHeard: session.occurrence == heard,
                leftMilliseconds: session.pause?.untilUptime.map { max(0, $0 - clock.uptime) },
                assignment: attempt?.assignment,
                lockedOutMilliseconds: attempt?.lockMilliseconds(uptime: clock.uptime) ?? 0,
                isCodeStanding: attempt?.hasStandingCode ?? false,
                emergencyMilliseconds: emergencyLeft.flatMap {
                    $0.session == session.occurrence ? $0.milliseconds : nil
                })
        }
    }

    /// Whether no session is open.
    public var isAtRest: Bool { sessions.isEmpty }

    /// The health of a part; nil where it was never reported.
    public func health(of part: Part) -> Health? { preflight.health[part] }

    /// All alarms as their owner sees them, in the order in which they were made.
    public var alarms: [Alarm] { agenda.alarms.all.map { agenda.pruned($0.shown) } }

    /// An alarm as its owner sees it, and its next ring.
    public func alarm(_ id: Alarm.ID) -> (alarm: Alarm, next: PlannedRing?)? {
        agenda.alarms[id].map { (agenda.pruned($0.shown), agenda.due[id]) }
    }

    /// The revision of an alarm; nil where there is none.
    public func revision(ofAlarm id: Alarm.ID) -> String? { agenda.alarms[id]?.alarm.revision }

    /// Every ring of all alarms that are on in [from, until), in order, and no more than so many.
    public func rings(from: Instant, until: Instant, countMax: Int) -> [PlannedRing] {
        guard agenda.settings.isEnabled else { return [] }
        let schedules = agenda.alarms.all.filter(\.alarm.isEnabled).map {
            agenda.almanac.schedule($0.alarm, $0.position.anchor)
        }
        return Array(RingsInOrder(schedules, from: from, until: until).prefix(countMax))
    }

    /// Whether anything is going to ring.
    public enum Outlook: Hashable, Sendable {
        case rings(PlannedRing)
        /// All alarms are switched off together; none is going to ring; none but what rings now.
        case allOff, noRing, noOtherRing
    }

    /// Whether anything is going to ring: the rest may be as well as it likes.
    public var outlook: Outlook {
        if let next = agenda.due.rings(countMax: 1).first { return .rings(next) }
        guard agenda.settings.isEnabled else { return .allOff }
        return sessions.isEmpty ? .noRing : .noOtherRing
    }

    /// Whether an alarm is locked: it rings soon or rings now, and cannot be made easier to escape.
    public func isLocked(_ id: Alarm.ID) -> Bool { agenda.alarms[id].map { isLocked($0) } ?? false }

    /// The time of the newest record, in milliseconds since 1970: a clock that shows less is wrong.
    public var newestMilliseconds: Int { agenda.newestMilliseconds }

    /// The machine's zone, as it was last recorded.
    public var machineZoneName: String? { agenda.zoneName }

    /// The device's zone.
    public var zone: Zone { agenda.zones.device(agenda.settings) }

    /// The zone in which an alarm's times are read; the device's where there is no such alarm any more.
    public func zone(of id: Alarm.ID) -> Zone {
        agenda.alarms[id].map { agenda.zones.zone(of: $0.alarm, agenda.settings) } ?? zone
    }

    /// The settings.
    public var settings: Settings { agenda.settings }

    /// The day calendars by name.
    public var calendars: [String: DayCalendar] { agenda.calendars }

    /// The codes and tags, by label.
    public var codes: [EnrolledCode] { agenda.codes }

    /// The keys with which the payload of a code is hashed, the device's own first.
    public var codeKeys: [CodeKey] {
        agenda.codeKeys.isEmpty ? [attempts.newCodeKey].compactMap(\.self) : agenda.codeKeys
    }

    /// A backup: alarms, settings, calendars and codes in one file.
    public var backup: AlarmsFile {
        var file = AlarmsFile()
        (file.settings, file.calendars, file.codes) = (settings, calendars, codes)
        file.alarms = alarms
        // The keys are needed only for codes.
        if !codes.isEmpty { file.codeKeys = codeKeys }
        return file
    }

    /// Whether the journal may be compacted now: no session is open, and no commit is under way.
    public var canCompact: Bool { sessions.isEmpty && commit.isEmpty }

    /// The snapshot: facts that replay to the present state.
    public var snapshot: [Entry] {
        // Facts from a clock that was ahead get this time too: no fact in a snapshot may look newer than the newest.
        (agenda.snapshot + sessions.past.rings.map(Fact.pastKept) + preflight.knownHealth.map(Fact.healthChanged)).map {
            Entry(millisecondsSince1970: newestMilliseconds, $0)
        }
    }

    /// The past rings, the oldest first.
    public var history: [PastRing] { sessions.past.rings }
}

extension Engine {
    /// The first bound on the engine's memory that is exceeded, in words; nil where all are kept.
    package var excess: String? {
        let alarms = agenda.alarms.count
        let bounds =
            commit.bounds + [
                ("sessions are open", sessions.all.count, 1000),
                ("past rings are kept", sessions.past.rings.count, 20_000),
                ("rings are planned", agenda.load, 2 * (2 * alarms + 64)),
                ("rings are unlocked", agenda.unlocked.count, 1000),
                ("alarms are provisional", agenda.savedUptimes.count, alarms),
            ]
        return bounds.first { $0.1 > $0.2 }.map { "\($0.1) \($0.0)" }
    }
}
