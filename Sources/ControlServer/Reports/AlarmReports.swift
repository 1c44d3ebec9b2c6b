// Alarms, rings and codes as answers report them.

import API
import Alarms
import CivilTime
import Engine
import JSON

extension Engine {
    /// An alarm, and what its owner wants to know of it; nil where there is none.
    func report(ofAlarm id: Alarm.ID) -> AlarmReport? {
        guard let (alarm, next) = alarm(id), let revision = revision(ofAlarm: id) else { return nil }
        var surroundings = surroundings
        let unmet = alarm.isEnabled ? [] : alarm.problems(among: &surroundings).filter { $0.weight != .warning }
        return AlarmReport(
            alarm: alarm.json, next: next.map { report($0) }, days: alarm.daysInWords, locked: isLocked(id),
            unmet: unmet.map(ProblemReport.init), revision: revision)
    }

    func outcome(_ saved: SavedAlarm, leavingOut date: CivilDate? = nil) -> AlarmOutcome {
        var outcome = outcome(ofAlarm: saved.alarm.id)
        outcome.next = saved.next.map { report($0, of: saved.alarm) }
        outcome.days = saved.alarm.daysInWords
        outcome.date = date
        outcome.revision = saved.alarm.revision
        return outcome
    }

    /// An alarm that was changed, or is gone.
    func outcome(ofAlarm id: Alarm.ID) -> AlarmOutcome {
        let status = status(nextCount: 0)
        let isOpen = status.sessions.contains { $0.session.occurrence.alarm == id }
        return AlarmOutcome(id: id, open: isOpen, house: report(status))
    }

    func report(_ status: Status) -> HouseReport {
        let now = Timestamp(milliseconds: status.nowMilliseconds)
        return HouseReport(
            now: now, local: LocalTime(now.instant, in: zone), zone: status.zoneName, enabled: status.isEnabled)
    }

    /// A ring to come, by the clock of its alarm; `judged` is one that may not be saved.
    func report(_ ring: PlannedRing, of judged: Alarm? = nil) -> RingReport {
        let (id, at) = (ring.occurrence.alarm, ring.occurrence.at)
        let alarm = judged ?? alarm(id)?.alarm
        return RingReport(
            at: Timestamp(at), local: LocalTime(at, in: zone(of: alarm)), alarm: id, label: alarm?.label ?? "",
            layer: ring.layer)
    }

    func report(_ ring: PastRing) -> PastRingReport {
        let session = ring.session
        let challenges = (session?.terms.challenges ?? []).enumerated().map { index, challenge in
            let done = session.flatMap { index < $0.doneMilliseconds.count ? $0.doneMilliseconds[index] : nil }
            return PastRingReport.Task(
                kind: challenge.kind?.rawValue, done: done.map { Timestamp(milliseconds: $0) })
        }
        let (occurrence, end) = (ring.occurrence, Timestamp(milliseconds: ring.endedMilliseconds))
        let zone = zone(of: occurrence.alarm)
        return PastRingReport(
            at: Timestamp(occurrence.at), local: LocalTime(occurrence.at, in: zone), alarm: occurrence.alarm,
            label: ring.label, ended: PastRingReport.Ended(ring.ending), end: end,
            endLocal: LocalTime(end.instant, in: zone),
            fired: session.map { Timestamp(milliseconds: $0.firedMilliseconds) }, lateSeconds: session?.lateSeconds,
            snoozes: session?.snoozeCount ?? 0, challenges: challenges, with: session?.endedWith?.alarm,
            unheard: ring.isUnheard, firstMissed: ring.missed.map { Timestamp($0.first) })
    }

    /// A code, and the alarms that it can end. Its text is secret and is not part of the report.
    func report(_ code: EnrolledCode) -> CodeReport {
        CodeReport(
            label: code.label, kind: code.kind, symbology: code.symbology, fingerprint: code.fingerprint,
            alarms: alarms.filter { $0.needs(code.label) }.map(\.id))
    }
}

extension PastRingReport.Ended {
    init(_ ending: Ending) {
        self =
            switch ending {
            case .dismissed: .dismissed
            case .unanswered: .unanswered
            case .missed: .missed
            case .cancelled: .cancelled
            case .emergency: .emergency
            }
    }
}
