// The handlers of requests about the ring in progress.

import API
import Alarms
import Engine
import Service
import Text

protocol SessionMutation: Mutation where Response == SessionOutcome {
    var engineCommand: Command { get }
}

extension SessionMutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (engineCommand, []) }

    func response(to outcome: Outcome, at service: isolated Service) -> SessionOutcome {
        SessionOutcome(outcome, in: service.engine)
    }
}

extension Snooze: SessionMutation {
    var engineCommand: Command { .snooze(seconds: seconds) }

    func completed(_ error: ErrorResponse, of header: RequestHeader, at service: isolated Service) -> ErrorResponse {
        var error = error
        error.status = service.statusReport
        return error
    }
}

extension Stop: SessionMutation {
    var engineCommand: Command { .stop }

    /// Adds the alarm, the challenge that must be completed first, and the status to a refused stop.
    func completed(_ error: ErrorResponse, of header: RequestHeader, at service: isolated Service) -> ErrorResponse {
        var error = error
        let sessions = service.engine.status(nextCount: 0).sessions
        let named = sessions.first { header.ifRing == nil || $0.session.occurrence == header.ifRing }
        error.asked = sessions.first?.asked
        error.alarm = error.alarm ?? named.map { AlarmLabel($0.session.name) }
        error.status = service.statusReport
        return error
    }
}

extension Awake: SessionMutation {
    var engineCommand: Command { .awake }

    func completed(_ error: ErrorResponse, of header: RequestHeader, at service: isolated Service) -> ErrorResponse {
        var error = error
        error.status = service.statusReport
        return error
    }
}

extension AnswerSum: SessionMutation {
    var engineCommand: Command { .answer(number, to: to) }
}

extension Unlock: SessionMutation {
    var engineCommand: Command { .unlock(alarm) }

    func response(to outcome: Outcome, at service: isolated Service) -> SessionOutcome {
        outcome == .done ? SessionOutcome(.unlocked) : SessionOutcome(outcome, in: service.engine)
    }
}

extension Emergency: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.hold(hold ?? true), []) }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        let sessions = service.engineNow.status(nextCount: 0).sessions
        return Response(emergencySeconds: sessions.compactMap(\.emergencySeconds).first)
    }
}

extension TestRing: Mutation {
    private static let standardSeconds = 8

    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        let seconds = delaySeconds ?? TestRing.standardSeconds
        let problems = (ring?.problems ?? []).map { $0.within("ring") }
        let isSoon = (0...Engine.testSecondsMax).contains(seconds)
        let late =
            isSoon
            ? [] : [Problem("delaySeconds", "must be between 0 and \(Engine.testSecondsMax) seconds, not \(seconds)")]
        guard problems.areHarmless, isSoon else { throw ErrorResponse(.problems(problems + late)) }
        let settings = ring?.value ?? RingSettings()
        let isUnfelt = settings.shakes && service.engine.validationContext.hasShaker == false
        let lack = Problem("ring.shake", "this device has no shaker, so the test only sounds", .warning)
        return (.testRing(settings, inSeconds: seconds), problems + (isUnfelt ? [lack] : []))
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound] {
        ring.flatMap { $0.value.isSilent ? nil : [("ring.sound", $0.value.sound)] } ?? []
    }
}
