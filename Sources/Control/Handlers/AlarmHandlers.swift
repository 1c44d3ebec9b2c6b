// Requests about alarms.

import Alarms
import CivilTime
import Engine
import JSON
import Service
import Vocabulary

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
        return Answer(
            rings: engine.rings(from: from, until: until.instant, countMax: PlanRings.ringsMax).map(engine.report))
    }
}

/// What changes one alarm.
protocol AlarmChange: Change where Answer == AlarmOutcome {}

extension AlarmChange {
    func answer(_ outcome: Outcome, at service: isolated Service) -> AlarmOutcome {
        switch outcome {
        case .saved(let saved, _): service.engine.outcome(saved)
        case .skipped(let saved, let date): service.engine.outcome(saved, leavingOut: date)
        default: service.engine.outcome(ofAlarm: "")
        }
    }

    fileprivate func sound(_ outcome: Outcome, at service: isolated Service) -> [String] {
        guard case .saved(let saved, _) = outcome, saved.alarm.isEnabled else { return [] }
        return [saved.alarm.ring.sound]
    }
}

extension SaveAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let (alarm, misread) = try alarm.readAlarm(among: service.surroundings)
        return (.save(alarm), misread)
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [String] { sound(outcome, at: service) }
}

extension EditAlarm: AlarmChange {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        (.edit(alarm, AlarmPatch(try changes.members("changes"))), [])
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [String] { sound(outcome, at: service) }
}

extension EnableAlarm: AlarmChange {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.enable(alarm, on), []) }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [String] { sound(outcome, at: service) }
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

extension JudgeAlarm: Handled {
    func handle(
        _ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<AlarmOutcome>
    ) {
        do throws(Refused) {
            let command: Command
            var problems: [Problem] = []
            if let alarm {
                command = .edit(alarm, AlarmPatch(try changes.members("changes")))
            } else {
                let (alarm, misread) = try changes.readAlarm(among: service.surroundings)
                (command, problems) = (.save(alarm), misread)
            }
            switch service.judge(command, context.request) {
            case .refused(let refusal): throw Refused(refusal)
            case .done(.saved(let saved, let warnings)):
                let outcome = service.engine.outcome(saved)
                let known = (problems + warnings).filter { $0.weight == .warning }
                answer(.done(Done(outcome, warnings: known.map(ProblemReport.init))))
            case .done: answer(.done(Done(service.engine.outcome(ofAlarm: alarm ?? ""))))
            }
        } catch {
            answer(.refused(error))
        }
    }
}

extension JSON {
    /// The members of an object that a field must be.
    func members(_ name: String) throws(Refused) -> [Member] {
        guard case .object(let members) = self else { throw Refused(.problems([Problem(name, "is no object { … }")])) }
        return members
    }

    /// The alarm that it says; one without an id gets a new one. All that is wrong with it is said at once.
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
