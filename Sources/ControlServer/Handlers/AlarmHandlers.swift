// Requests about alarms.

import API
import Alarms
import CivilTime
import Engine
import JSON
import Service

extension ListAlarms: Question {
    var isLong: Bool { true }

    func answer(by engine: Engine) throws(Refused) -> Answer {
        Answer(alarms: engine.alarms.compactMap { engine.report(ofAlarm: $0.id) })
    }
}

extension ShowAlarm: Question {
    func answer(by engine: Engine) throws(Refused) -> Answer {
        guard let report = engine.report(ofAlarm: alarm) else { throw Refused(.noSuchAlarm(alarm)) }
        return Answer(alarm: report)
    }
}

extension PlanRings: Question {
    var isLong: Bool { true }
    private static let ringsMax = 1000

    func answer(by engine: Engine) throws(Refused) -> Answer {
        let from = from?.instant ?? Instant(milliseconds: engine.status(nextCount: 0).nowMilliseconds)
        let rings = engine.rings(from: from, until: until.instant, countMax: PlanRings.ringsMax)
        return Answer(rings: rings.map { engine.report($0) })
    }
}

protocol AlarmChange: Change where Answer == AlarmOutcome {}

extension AlarmChange {
    func answer(_ outcome: Outcome, at service: isolated Service) -> AlarmOutcome {
        switch outcome {
        case .saved(let saved, _): service.engine.outcome(saved)
        case .skipped(let saved, let date): service.engine.outcome(saved, leavingOut: date)
        default: service.engine.outcome(ofAlarm: "")
        }
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [PlacedSound] {
        guard case .saved(let saved, _) = outcome, saved.alarm.isEnabled else { return [] }
        return [("ring.sound", saved.alarm.ring.sound)]
    }
}

extension SaveAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let (alarm, misread) = try alarm.readAlarm(among: service.surroundings)
        return (.save(alarm), misread)
    }
}

extension EditAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let members = try changes.members("changes")
        // A misspelt member is seen here only: in the edited alarm, its name may be beside the right one.
        let misread = Alarm.read(members).problems.filter { $0.weight == .warning }
        return (.edit(alarm, AlarmPatch(members)), misread)
    }
}

extension EnableAlarm: AlarmChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.enable(alarm, on), []) }
}

extension DeleteAlarm: AlarmChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.delete(alarm), []) }

    func answer(_ outcome: Outcome, at service: isolated Service) -> AlarmOutcome {
        service.engine.outcome(ofAlarm: alarm)
    }
}

extension SkipRing: AlarmChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.skip(alarm, date), []) }
}

extension UnskipRings: AlarmChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.unskip(alarm), []) }
}

extension PauseAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        var fields = Fields([.init("dates", .array((dates ?? []).map(JSON.string)))], at: "")
        let dates = fields.dateSet("dates")
        guard fields.isSound else { throw Refused(.problems(fields.problems)) }
        return (.pause(alarm, dates), [])
    }
}

extension JudgeAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        if let alarm { return try EditAlarm(alarm: alarm, changes: changes).command(at: service) }
        return try SaveAlarm(alarm: changes).command(at: service)
    }

    func ask(
        _ command: Command, _ request: RequestHeader, at service: isolated Service,
        answer: @escaping Service.ReplyHandler
    ) { answer(service.judge(command, request), service) }
}

extension JSON {
    /// The members of a field that must be an object.
    func members(_ name: String) throws(Refused) -> [Member] {
        guard case .object(let members) = self else { throw Refused(.problems([Problem(name, "is no object { … }")])) }
        return members
    }

    /// Reads an alarm; one without an id gets a new one. Throws all problems together.
    fileprivate func readAlarm(among surroundings: Surroundings) throws(Refused) -> (Alarm, [Problem]) {
        var members = try self.members("alarm")
        if member("id") == nil {
            members.removeAll { $0.name == "id" }
            members.append(.init("id", .string(UUIDText.random())))
        }
        let (alarm, misread) = Alarm.read(members)
        guard misread.contains(where: { $0.weight == .refused }) else { return (alarm, misread) }
        var surroundings = surroundings
        let problems = misread + alarm.problems(among: &surroundings, besides: misread)
        throw Refused(.problems(problems.filter { $0.weight != .warning }))
    }
}
