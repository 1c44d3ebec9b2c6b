// Requests about what rings.

import API
import Alarms
import Engine
import JSON
import Service

protocol SessionChange: Change where Answer == SessionOutcome {
    var engineCommand: Command { get }
}

extension SessionChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (engineCommand, []) }

    func answer(_ outcome: Outcome, at service: isolated Service) -> SessionOutcome {
        SessionOutcome(outcome, in: service.engine)
    }
}

extension Snooze: SessionChange {
    var engineCommand: Command { .snooze(seconds: seconds) }
}

extension Stop: SessionChange {
    var engineCommand: Command { .stop }

    /// A refused stop carries the alarm, and the challenge that must be met first.
    func completed(_ refused: Refused, of request: RequestHeader, at service: isolated Service) -> Refused {
        var refused = refused
        let sessions = service.engine.status(nextCount: 0).sessions
        let meant = sessions.first { request.meant == nil || $0.session.occurrence == request.meant }
        refused.asked = sessions.first?.asked
        refused.alarm = refused.alarm ?? meant.map { AlarmLabel($0.session.name) }
        return refused
    }
}

extension AnswerSum: SessionChange {
    var engineCommand: Command { .answer(number, to: to) }
}

extension Unlock: SessionChange {
    var engineCommand: Command { .unlock(alarm) }

    func answer(_ outcome: Outcome, at service: isolated Service) -> SessionOutcome {
        outcome == .done ? SessionOutcome(.unlocked) : SessionOutcome(outcome, in: service.engine)
    }
}

extension Emergency: Change {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.hold(hold ?? true), []) }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        let sessions = service.engineNow.status(nextCount: 0).sessions
        return Answer(emergencySeconds: sessions.compactMap(\.emergencySeconds).first)
    }
}

extension TestRing: Change {
    private static let standardSeconds = 8

    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let seconds = `in` ?? TestRing.standardSeconds
        var fields = Fields(try (ring ?? .object([])).members("ring"), at: "ring")
        let ring = RingSettings(reading: &fields)
        let isSoon = (0...Engine.testSecondsMax).contains(seconds)
        let late = isSoon ? [] : [Problem("in", "is not between 0 and \(Engine.testSecondsMax) seconds")]
        guard fields.isSound, isSoon else { throw Refused(.problems(fields.problems + late)) }
        return (.testRing(ring, inSeconds: seconds), fields.problems)
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [PlacedSound] {
        if case .string(let sound)? = ring?.member("sound") { [("ring.sound", sound)] } else { [] }
    }
}
