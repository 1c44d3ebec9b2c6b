// The reports of alarms, rings and codes in responses.

import Agenda
import Alarms
import Challenges
import CivilTime
import Engine
import Text

package struct AlarmLabel: Codable, Hashable, Sendable {
    /// The alarm's id; empty for a test.
    package let alarm: String
    package let label: String

    package init(_ name: AlarmName) { self.init(alarm: name.id, label: name.label) }

    package init(alarm: String, label: String) { (self.alarm, self.label) = (alarm, label) }
}

/// An alarm with its next ring, its lock, and the problems that keep it off.
package struct AlarmReport: Codable, Hashable, Sendable {
    package let alarm: Alarm
    package let next: RingReport?
    /// The days on which the alarm rings, as a text.
    package let days: String
    /// True if the alarm has challenges, and rings or will ring soon. Until the ring is over, the service
    /// refuses changes that would evade it.
    package let locked: Bool
    /// The time from which the alarm is or was locked before its next ring that is not unlocked; missing if
    /// there is none.
    package let lockedFrom: Timestamp?
    /// The problems that prevent the owner from switching it on. Empty for an alarm that is on.
    package let unmet: [ProblemReport]
    /// The challenges that others would replace if the alarm rang now, because their devices are missing or
    /// broken. Missing if there are none, or if the alarm is off.
    package let replaced: [ReplacedReport]?
    /// The ring that was missed or unanswered, and is not done; missing if there is none.
    package let openRing: PastRingReport?
    /// Changes whenever the alarm changes.
    package let revision: String
}

/// The challenges of one kind that another challenge would replace now.
package struct ReplacedReport: Codable, Hashable, Sendable {
    package let kind: Challenge.Kind
    /// The challenge that replaces them.
    package let by: Challenge
    /// Text such as "5 sums instead of the tag (this device has no tag reader)".
    package let text: String

    init(_ replaced: ReplacedChallenge) { (kind, by, text) = (replaced.kind, replaced.replacement, replaced.text) }
}

package struct RingReport: Codable, SparselyCoded, Hashable, Sendable {
    package let at: Timestamp
    /// The same instant as local time in the alarm's zone.
    package let local: LocalTime
    package let alarm: String
    package let label: String
    /// The layer of the alarm that set this time.
    package let layer: Layer
    /// In a plan: the ring that the layers below would give on that date; missing if they give none.
    package let insteadOf: OtherRingReport?
    /// The planned instant of a ring that was put off; missing for any other.
    package let postponedFrom: Timestamp?
    /// The instant from which a movement begins the ring; missing if it rings only at its time.
    package let earliest: Timestamp?
    /// The same instant as local time in the alarm's zone.
    package let earliestLocal: LocalTime?

    /// Reports a planned ring in the zone of its alarm. `alarm` is nil if the alarm has been deleted.
    package init(
        _ ring: PlannedRing, of alarm: Alarm?, in zone: Zone, insteadOf other: PlannedRing? = nil, earliest: Instant?
    ) {
        at = Timestamp(ring.at)
        local = LocalTime(ring.at, in: zone)
        self.alarm = ring.occurrence.alarm
        label = alarm?.label ?? ""
        layer = ring.layer
        insteadOf = other.map { OtherRingReport($0, in: zone) }
        postponedFrom = ring.isPostponed ? Timestamp(ring.occurrence.at) : nil
        self.earliest = earliest.map { Timestamp($0) }
        earliestLocal = earliest.map { LocalTime($0, in: zone) }
    }
}

/// A ring that another layer of an alarm would give on a date.
package struct OtherRingReport: Codable, Hashable, Sendable {
    package let at: Timestamp
    /// The same instant as local time in the alarm's zone.
    package let local: LocalTime
    /// The rule that gives the ring.
    package let layer: Layer

    init(_ ring: PlannedRing, in zone: Zone) {
        at = Timestamp(ring.occurrence.at)
        local = LocalTime(ring.occurrence.at, in: zone)
        layer = ring.layer
    }
}

/// A date on which an alarm does not ring although some of its rules would ring.
package struct LeftOutReport: Codable, SparselyCoded, Hashable, Sendable {
    /// The date without a ring.
    package let date: CivilDate
    package let alarm: String
    package let label: String
    /// The first rule that decides: the alarm is off, the date is skipped, its entry is off, it is paused,
    /// the calendar leaves it out, or the weekday is off.
    package let reason: LeftOutDay.Reason
    /// The ring without that rule; missing if the rules below it give none either.
    package let instead: OtherRingReport?
}

package struct PastRingReport: Codable, Hashable, Sendable {
    package struct Task: Codable, Hashable, Sendable {
        /// Missing if this version does not have the kind.
        package let kind: String?
        package let done: Timestamp?
        /// The challenge that was completed in place of this one, because its device was missing.
        package let replacedBy: Challenge?
    }

    package let at: Timestamp
    package let local: LocalTime
    package let alarm: String
    package let label: String
    /// The alarm's note when it became due; missing if it had none.
    package let note: String?
    /// The alarm's category when it became due; missing if it had none.
    package let category: String?
    package let ended: Ending
    package let end: Timestamp
    package let endLocal: LocalTime
    package let fired: Timestamp?
    package let lateSeconds: Int?
    /// The seconds by which a movement began the ring ahead of its time; missing if none did.
    package let earlySeconds: Int?
    package let snoozes: Int
    /// The instant of each snooze; missing if there was none, or for rings of earlier versions.
    package let snoozedAt: [Timestamp]?
    package let challenges: [Task]
    /// The number of wake-up checks that began.
    package let checks: Int
    /// The number of them that were not answered, so that the alarm rang again.
    package let failedChecks: Int
    /// The other alarm whose completed challenges ended this ring as well, if there was one.
    package let with: String?
    /// True if the alarm rang, but neither a card nor the buzzer played it.
    package let unheard: Bool
    /// True if the bed shaker was ordered to shake.
    package let shaken: Bool
    /// The instant at which it rang if it had been put off to then.
    package let postponedTo: Timestamp?
    /// The same as local time.
    package let postponedToLocal: LocalTime?
    /// The instant at which the owner had gone to bed; only for the first ring that was dismissed after it.
    package let inBed: Timestamp?
    /// The time in bed until the end of the ring.
    package let inBedSeconds: Int?
    /// When the ring was reported as done; missing if it was not.
    package let doneAt: Timestamp?
    /// The origin of that report.
    package let doneBy: Origin?
    /// The name of the client there.
    package let doneClient: String?
    /// The first of a series of missed rings. The report stands for the whole series.
    package let firstMissed: Timestamp?
    /// The reason of a missed ring.
    package let reason: MissedRings.Reason?
    /// The origin of the request or the action that ended the ring; missing if nothing did, or if it is unknown.
    package let by: Origin?
    /// The name of the client there: of a phone or a program. Missing for a device such as a button.
    package let client: String?

    /// True if its owner answered the wake-up check.
    package var isAwake: Bool { ended == .dismissed && checks > failedChecks }

    /// The sender in a sentence, after "by"; nil for none.
    package var sender: String? { by.map { Sender($0, client: client).name } }
    /// The sender of the report that it is done, in the same way.
    package var doneSender: String? { doneBy.map { Sender($0, client: doneClient).name } }
}

/// The clock, the zone and the master switch of the device. A client needs them to word a response.
package struct DeviceReport: Codable, SparselyCoded, Hashable, Sendable {
    package let now: Timestamp
    package let local: LocalTime
    package let zone: String
    package let enabled: Bool
    /// The form in which the owner wants to read times of day; missing for 24 hours.
    package let hours: HourFormat?

    /// The form in which a client shows times of day.
    package var hourFormat: HourFormat { hours ?? .twentyFour }
}

package struct AlarmOutcome: Codable, Hashable, Sendable {
    package let id: String
    /// The alarm after the change; missing if it was deleted.
    package var alarm: Alarm?
    package var next: RingReport?
    /// The ring after the next one.
    package var following: RingReport?
    /// The days on which the alarm rings, as a text.
    package var days: String?
    /// The skipped date.
    package var date: CivilDate?
    /// The ring that is done.
    package var done: PastRingReport?
    package var revision: String?
    /// True if the alarm rings or is snoozed. The change does not end that ring.
    package let open: Bool
    package let device: DeviceReport
}

/// The challenges whose codes or tags are enrolled.
package enum CodeKind: String, Choice, Sendable {
    case qr, tag

    package init(_ kind: Challenge.Kind) { self = kind == .tag ? .tag : .qr }

    package var challenge: Challenge.Kind { self == .tag ? .tag : .qr }
}

/// An enrolled code or tag. No report has its content, which is secret.
package struct CodeReport: Codable, Hashable, Sendable {
    package let label: String
    package let kind: CodeKind
    package let symbology: String
    package let fingerprint: String
    /// The ids of the alarms that name it in a challenge.
    package let alarms: [String]

    package init(
        label: String, kind: CodeKind, symbology: String = "", fingerprint: String = "", alarms: [String] = []
    ) {
        self.label = label
        self.kind = kind
        self.symbology = symbology
        self.fingerprint = fingerprint
        self.alarms = alarms
    }
}

extension Engine {
    /// Returns the report of an alarm, or nil if there is no alarm with this id.
    package func report(ofAlarm id: Alarm.ID) -> AlarmReport? {
        guard let (alarm, next) = alarm(id), let revision = revision(ofAlarm: id) else { return nil }
        var validationContext = validationContext
        let unmet = alarm.isEnabled ? [] : alarm.problems(among: &validationContext).filter { $0.weight != .warning }
        let replaced = alarm.isEnabled ? replaced(in: alarm).map(ReplacedReport.init) : []
        return AlarmReport(
            alarm: alarm, next: next.map { report($0) }, days: alarm.daysSummary, locked: isLocked(id),
            lockedFrom: lockBegins(id).map { Timestamp($0) }, unmet: unmet.map(ProblemReport.init),
            replaced: replaced.isEmpty ? nil : replaced,
            openRing: openRing(of: id).map { report($0) }, revision: revision)
    }

    package func outcome(_ saved: SavedAlarm, skipping date: CivilDate? = nil) -> AlarmOutcome {
        var outcome = outcome(ofAlarm: saved.alarm.id)
        outcome.alarm = saved.alarm
        outcome.next = saved.next.map { report($0, of: saved.alarm) }
        outcome.following = saved.following.map { report($0, of: saved.alarm) }
        outcome.days = saved.alarm.daysSummary
        outcome.date = date
        outcome.revision = saved.alarm.revision
        return outcome
    }

    /// Returns the outcome for an alarm that was changed or deleted.
    package func outcome(ofAlarm id: Alarm.ID) -> AlarmOutcome {
        let status = status(nextCount: 0)
        let isOpen = status.sessions.contains { $0.session.occurrence.alarm == id }
        return AlarmOutcome(id: id, open: isOpen, device: report(status))
    }

    package func report(_ status: Status) -> DeviceReport {
        let now = Timestamp(milliseconds: status.nowMilliseconds)
        return DeviceReport(
            now: now, local: LocalTime(now.instant, in: zone), zone: status.zoneName, enabled: status.isEnabled,
            hours: settings.hourFormat)
    }

    /// Reports a planned ring in the zone of its alarm. `validated` is an alarm that may never be saved.
    package func report(_ ring: PlannedRing, of validated: Alarm? = nil) -> RingReport {
        let alarm = validated ?? alarm(ring.occurrence.alarm)?.alarm
        return report(ring, of: alarm, insteadOf: nil)
    }

    private func report(_ ring: PlannedRing, of alarm: Alarm?, insteadOf other: PlannedRing?) -> RingReport {
        RingReport(
            ring, of: alarm, in: zone(of: alarm), insteadOf: other, earliest: alarm.flatMap { earliest(ring, of: $0) })
    }

    package func report(_ plan: PlannedDays) -> PlanRings.Response {
        PlanRings.Response(
            rings: plan.rings.map { ring, below in
                let alarm = alarm(ring.occurrence.alarm)?.alarm
                return report(ring, of: alarm, insteadOf: below)
            },
            leftOut: plan.leftOut.map { day in
                let alarm = alarm(day.alarm)?.alarm
                let instead = day.instead.map { OtherRingReport($0, in: zone(of: alarm)) }
                return LeftOutReport(
                    date: day.date, alarm: day.alarm, label: alarm?.label ?? "", reason: day.reason, instead: instead)
            })
    }

    package func report(_ ring: PastRing) -> PastRingReport {
        let session = ring.session
        let challenges = (session?.terms.challenges ?? []).enumerated().map { index, challenge in
            let done = session.flatMap { index < $0.doneMilliseconds.count ? $0.doneMilliseconds[index] : nil }
            return PastRingReport.Task(
                kind: challenge.kind?.rawValue, done: done.map { Timestamp(milliseconds: $0) },
                replacedBy: session?.replacements[index])
        }
        let (occurrence, end) = (ring.occurrence, Timestamp(milliseconds: ring.endedMilliseconds))
        let zone = zone(of: occurrence.alarm)
        return PastRingReport(
            at: Timestamp(occurrence.at), local: LocalTime(occurrence.at, in: zone), alarm: occurrence.alarm,
            label: ring.label, note: ring.note.nilIfEmpty, category: ring.category.nilIfEmpty, ended: ring.ending,
            end: end, endLocal: LocalTime(end.instant, in: zone),
            fired: session.map { Timestamp(milliseconds: $0.firedMilliseconds) }, lateSeconds: session?.lateSeconds,
            earlySeconds: session.flatMap { $0.earlySeconds > 0 ? $0.earlySeconds : nil },
            snoozes: session?.snoozeCount ?? 0,
            snoozedAt: session.flatMap { session in
                let times = session.snoozedMilliseconds.map { Timestamp(milliseconds: $0) }
                return times.isEmpty ? nil : times
            }, challenges: challenges, checks: session?.checkCount ?? 0,
            failedChecks: session?.failedCheckCount ?? 0, with: session?.endedWith?.alarm,
            unheard: ring.isUnheard, shaken: ring.isShaken, postponedTo: session?.postponedTo.map { Timestamp($0) },
            postponedToLocal: session?.postponedTo.map { LocalTime($0, in: zone) },
            inBed: session?.inBedMilliseconds.map { Timestamp(milliseconds: $0) },
            inBedSeconds: session?.inBedMilliseconds.map { (ring.endedMilliseconds - $0) / 1000 },
            doneAt: ring.done.map { Timestamp(milliseconds: $0.milliseconds) }, doneBy: ring.done?.sender.origin,
            doneClient: ring.done?.sender.knownClient, firstMissed: ring.missed.map { Timestamp($0.first) },
            reason: ring.missed?.reason,
            by: session?.endedBy?.origin,
            client: session?.endedBy?.knownClient)
    }

    /// Returns the outcome for an alarm, one ring of which is done; nil if the alarm was deleted.
    package func outcome(_ saved: SavedAlarm?, done ring: PastRing) -> AlarmOutcome {
        var outcome = saved.map { self.outcome($0) } ?? outcome(ofAlarm: ring.occurrence.alarm)
        outcome.done = report(ring)
        return outcome
    }

    package func report(_ code: EnrolledCode) -> CodeReport {
        CodeReport(
            label: code.label, kind: CodeKind(code.kind), symbology: code.symbology, fingerprint: code.fingerprint,
            alarms: alarms.filter { $0.needs(code.label) }.map(\.id))
    }
}

extension Sender {
    /// The client's name; that of the command line is `rooster`.
    fileprivate var knownClient: String? { client ?? (origin == .commandLine ? name : nil) }
}
