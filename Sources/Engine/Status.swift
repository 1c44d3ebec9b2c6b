// What everybody is shown: the page, the command line, Home Assistant.

import Alarms
import CivilTime

/// How things are now.
public struct Status: Hashable, Sendable {
    /// The best time that is known, in milliseconds since 1970.
    public var nowMilliseconds: Int
    /// Whether that time is known to be right.
    public var isClockTrusted: Bool
    /// The device's zone.
    public var zoneName: String
    /// The master switch.
    public var isEnabled: Bool
    /// The sessions that have not ended: the one that is heard first, then those that wait, then those that are silent.
    public var sessions: [SessionStatus]
    /// What is done ahead so that a locked alarm can be changed; nothing where nobody does.
    public var unlocking: Unlocking?
    /// What a code is held before the camera for; nil where none is.
    public var looking: LookPurpose?
    /// What rings next, as far as it was asked for.
    public var next: [PlannedRing]
    /// Missed, unanswered and emergency endings of the last day, the latest first, ten at the most.
    public var lately: [PastRing]
    /// How each part is that was ever looked at.
    public var health: [PartStatus]
    /// How many facts a restart would not know, because they are not durable yet.
    public var unkeptCount: Int
    /// Why the disk did not keep the last of them; nothing when it did.
    public var failure: String?

    /// The challenges of a locked alarm, being done ahead.
    public struct Unlocking: Hashable, Sendable {
        /// Whose.
        public var alarm: AlarmName
        /// What is to be done now.
        public var assignment: Assignment
        /// For so many milliseconds no answer is taken, for too many were wrong.
        public var lockedOutMilliseconds: Int
    }

    /// How one part is.
    public struct PartStatus: Hashable, Sendable {
        /// Which.
        public var part: Part
        /// How it is.
        public var health: Health
    }
}

/// How one session is now.
public struct SessionStatus: Hashable, Sendable {
    /// What is known of it.
    public var session: Session
    /// Whether it is heard; another that rings waits behind that.
    public var isHeard: Bool
    /// For so many milliseconds it is silent still; nil while it rings.
    public var leftMilliseconds: Int?
    /// What is to be done for it now; nothing where no challenge was begun.
    public var assignment: Assignment?
    /// For so many milliseconds no answer is taken, for too many were wrong.
    public var lockedOutMilliseconds: Int
    /// Whether the code that is asked for has been in view from the beginning: it is to be taken away and shown again.
    public var isCodeStanding: Bool
    /// For so many milliseconds its emergency way out is to be held still; nil while it is not held.
    public var emergencyMilliseconds: Int?
}

extension Engine {
    /// As it is at a later moment, if nothing happens until then but that time passes.
    public func at(_ moment: Moment) -> Engine {
        var later = self
        _ = later.agenda.update(at: moment)
        return later
    }

    /// How things are at the moment of the last input, with so many of the next rings.
    public func status(nextCount: Int = 3) -> Status {
        Status(
            nowMilliseconds: clock.now, isClockTrusted: clock.isTrusted,
            zoneName: agenda.zones.device(agenda.settings).name, isEnabled: agenda.settings.isEnabled,
            sessions: sessionStatuses, unlocking: unlocking, looking: codeLook?.purpose,
            next: agenda.due.rings(countMax: nextCount), lately: lately,
            health: preflight.knownHealth.map { Status.PartStatus(part: $0, health: $1) },
            unkeptCount: commit.unkeptCount, failure: commit.failure)
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
        guard let attempt = attempts.current, case .unlock(let id, _) = attempt.purpose, let kept = agenda.alarms[id]
        else { return nil }
        return Status.Unlocking(
            alarm: kept.alarm.name, assignment: attempt.assignment,
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

    /// Whether nothing rings or is snoozed.
    public var isAtRest: Bool { sessions.isEmpty }

    /// How a part is; nil where nobody has looked yet.
    public func health(of part: Part) -> Health? { preflight.health[part] }

    /// All alarms as their owner has them, in the order in which they were made.
    public var alarms: [Alarm] { agenda.alarms.all.map { agenda.ready($0.shown) } }

    /// An alarm as its owner has it, and its next ring.
    public func alarm(_ id: Alarm.ID) -> (alarm: Alarm, next: PlannedRing?)? {
        agenda.alarms[id].map { (agenda.ready($0.shown), agenda.due[id]) }
    }

    /// The revision of an alarm; nil where there is none.
    public func revision(ofAlarm id: Alarm.ID) -> String? { agenda.alarms[id]?.alarm.revision }

    /// Every ring of all alarms that are on in [from, until), in order, and no more than so many.
    public func rings(from: Instant, until: Instant, countMax: Int) -> [PlannedRing] {
        guard agenda.settings.isEnabled else { return [] }
        let schedules = agenda.alarms.all.filter(\.alarm.isEnabled).map { agenda.almanac.schedule($0.alarm, $0.position.anchor) }
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

    /// Whether nothing can be done to the alarm that would be a way to escape it, because it rings soon or rings.
    public func isLocked(_ id: Alarm.ID) -> Bool { agenda.alarms[id].map { isLocked($0) } ?? false }

    /// When the newest record was made, in milliseconds since 1970: no clock that shows less is right.
    public var newestMilliseconds: Int { agenda.newestMilliseconds }

    /// The zone that the machine was in when that was last written down.
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

    /// All that its owner keeps, in one file: restoring it brings it back.
    public var backup: AlarmsFile {
        var file = AlarmsFile()
        (file.settings, file.calendars, file.codes) = (settings, calendars, codes)
        file.alarms = alarms
        // Where no code is, nobody needs a key.
        if !codes.isEmpty { file.codeKeys = codeKeys }
        return file
    }

    /// Whether the journal may be replaced by a snapshot now: nothing rings, and nothing is on its way to the disk.
    public var canCompact: Bool { sessions.isEmpty && commit.isEmpty }

    /// Facts that come to the same as all that there ever were.
    public var snapshot: [Entry] {
        // Facts of a clock that was ahead get this time too: none must look newer than the newest.
        (agenda.snapshot + sessions.past.rings.map(Fact.pastKept) + preflight.knownHealth.map(Fact.healthChanged)).map {
            Entry(millisecondsSince1970: newestMilliseconds, $0)
        }
    }

    /// What is over, the oldest first.
    public var history: [PastRing] { sessions.past.rings }
}

extension Engine {
    /// What there is more of than whoever builds the appliance reckons with; nil where all is within its bounds.
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
