// How a Rooster is, as JSON.

import Alarms
import CivilTime
import Engine
import JSON
import Service
import Sound

extension Service {
    /// Everything that is shown of it at a glance.
    var statusJSON: JSON {
        let engine = engineNow
        let status = engine.status()
        let now = Instant(secondsSince1970: status.nowMilliseconds / 1000)
        var warnings = warnings
        if let failure = status.failure {
            warnings.append("The disk does not keep what happens: \(failure)")
        }
        let standing = JSON.Member("standing", .bool(status.sessions.contains(where: \.isCodeStanding)))
        return .object([
            .init("now", .instant(milliseconds: status.nowMilliseconds)),
            .init("local", .string(engine.zone.text(now))),
            .init("zone", .string(status.zoneName)),
            .init("trusted", .bool(status.isClockTrusted)),
            .init("clock", .text(bedside.clock.trust)),
            .init("enabled", .bool(status.isEnabled)),
            .init("sessions", .array(status.sessions.map { $0.json(status, in: engine) })),
            .init("unlocking", status.unlocking?.json ?? .null),
            .init("looking", status.looking?.json ?? .null),
            .init("camera", sight.map { .object($0.members + [standing]) } ?? .null),
            .init("next", .array(status.next.map { $0.json(in: engine) })),
            .init("lately", .array(status.lately.map { $0.json(in: engine) })),
            .init("health", .array(status.health.map(\.json))),
            .init("speaker", speakerJSON),
            .init("warnings", .array(warnings.map(JSON.string))),
            .init("simulated", .bool(bedside.isSimulated)),
        ])
    }

    /// What rings, and all that could, the best first.
    private var speakerJSON: JSON {
        let status = bedside.speaker.status
        let tenths = status.decibels.map { ($0 * 10).rounded() / 10 }
        return .object([
            .init("voice", .text(status.activeOutput)), .init("decibels", tenths.map { .number($0) } ?? .null),
            .init("routes", .array(status.routes.map(\.json))),
        ])
    }
}

extension RouteStatus {
    /// What can be heard, and whether it would be, for all that is known.
    fileprivate var json: JSON {
        let (name, reason): (String, JSON) =
            switch health {
            case .unknown: ("unknown", .null)
            case .trying: ("trying", .null)
            case .good: ("good", .null)
            case .failed(let failure): ("failed", .string("\(failure)"))
            }
        return .object([
            .init("id", .string(route.id)), .init("kind", .string(route.kind.rawValue)),
            .init("name", .string(route.name)), .init("configured", .string(route.configuredName)),
            .init("health", .string(name)), .init("reason", reason),
        ])
    }
}

extension Status.Unlocking {
    fileprivate var json: JSON {
        .object(alarm.members + [.init("asked", assignment.json(lockedOutMilliseconds: lockedOutMilliseconds))])
    }
}

extension Status.PartStatus {
    /// How a part is.
    var json: JSON { .health(of: part.rawValue, health.grade, health.words) }
}

extension Engine {
    /// Whether anything is going to ring: the rest may be as well as it likes.
    var ringsHealth: (grade: Health.Grade, words: String) {
        let status = status(nextCount: 1)
        if let next = status.next.first {
            // By the house's time, as whoever reads this has it before him.
            let (id, at) = (next.occurrence.alarm, zone.local(next.occurrence.at))
            let label = alarm(id)?.alarm.label ?? ""
            return (
                .ok, "\(label.isEmpty ? "Alarm \(id.prefix(8))" : label) rings next, on \(at.date) at \(at.time)"
            )
        }
        guard status.isEnabled else {
            return (.warning, "All alarms are switched off: 'rooster settings --enabled on' lets them ring")
        }
        return status.sessions.isEmpty
            ? (.warning, "No alarm is going to ring: 'rooster list' shows why, 'rooster add 7:00' makes one")
            : (.ok, "No other alarm is going to ring")
    }
}

extension JSON {
    static func health(of part: String, _ grade: Health.Grade, _ words: String) -> JSON {
        .object([
            .init("part", .string(part)), .init("grade", .string(grade.rawValue)), .init("words", .string(words)),
        ])
    }
}

extension PlannedRing {
    /// A ring to come, by the clock of its alarm.
    func json(in engine: Engine) -> JSON {
        .object(
            occurrence.members(in: engine) + [
                .init("label", .string(engine.alarm(occurrence.alarm)?.alarm.label ?? "")),
                .init("layer", .string(layer.rawValue)),
            ])
    }
}

extension Occurrence {
    /// Which alarm, and when.
    func members(in engine: Engine) -> [JSON.Member] {
        [
            .init("at", .text(at)), .init("local", .string(engine.zone(of: alarm).text(at))),
            .init("alarm", .string(alarm)),
        ]
    }
}

extension SessionStatus {
    /// What is to be done for it now.
    var asked: JSON? { assignment?.json(lockedOutMilliseconds: lockedOutMilliseconds) }

    fileprivate func json(_ status: Status, in engine: Engine) -> JSON {
        let name =
            switch session.state {
            case .ringing, .challenged: isHeard ? "ringing" : "waiting"
            case .snoozed: "snoozed"
            case .resting: "resting"
            case .ended: "ended"
            }
        let left = leftMilliseconds
        let terms = session.terms
        let challenges = terms.challenges.enumerated().map { index, challenge in
            JSON.object([
                .init("kind", .text(challenge.kind?.rawValue)),
                .init("done", .bool(index < session.doneMilliseconds.count)),
            ])
        }
        return .object(
            session.occurrence.members(in: engine) + [
                .init("label", .string(terms.label)),
                .init("state", .string(name)),
                .init("until", left.map { .instant(milliseconds: status.nowMilliseconds + $0) } ?? .null),
                // Rounded up: it is over when it says 0.
                .init("secondsLeft", left.map { .number(($0 + 999) / 1000) } ?? .null),
                .init("snoozes", .number(session.snoozeCount)),
                .init("snoozesMax", terms.snooze.max.map { .number($0) } ?? .null),
                .init("lateSeconds", .number(session.lateSeconds)),
                .init("test", .bool(terms.isTest)),
                .init("challenges", .array(challenges)),
                .init("asked", asked ?? .null),
                .init("emergencySeconds", emergencyMilliseconds.map { .number(($0 + 999) / 1000) } ?? .null),
            ])
    }
}
