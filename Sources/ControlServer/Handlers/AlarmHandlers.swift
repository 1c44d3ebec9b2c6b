// The handlers of requests about alarms.

import API
import Alarms
import CivilTime
import Engine
import JSON
import Service
import Text

extension ListAlarms: Query {
    var isLong: Bool { true }

    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        Response(alarms: engine.alarms.compactMap { engine.report(ofAlarm: $0.id) })
    }
}

extension ShowAlarm: Query {
    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        guard let report = engine.report(ofAlarm: alarm) else { throw ErrorResponse(.noSuchAlarm(alarm)) }
        return Response(alarm: report)
    }
}

extension PlanRings: Query {
    var isLong: Bool { true }
    private static let ringsMax = 1000

    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        let from = from?.instant ?? Instant(milliseconds: engine.status(nextCount: 0).nowMilliseconds)
        return engine.report(engine.plannedDays(from: from, until: until.instant, countMax: PlanRings.ringsMax))
    }
}

protocol AlarmMutation: Mutation where Response == AlarmOutcome {}

extension AlarmMutation {
    func response(to outcome: Outcome, at service: isolated Service) -> AlarmOutcome {
        switch outcome {
        case .saved(let saved, _): service.engine.outcome(saved)
        case .skipped(let saved, let date): service.engine.outcome(saved, skipping: date)
        case .ringDone(let ring, let saved): service.engine.outcome(saved, done: ring)
        default: service.engine.outcome(ofAlarm: "")
        }
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound] {
        guard case .saved(let saved, _) = outcome, saved.alarm.isEnabled else { return [] }
        return saved.alarm.sounds
    }
}

extension AddAlarm: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        try command(for: UUIDText.random(), at: service)
    }

    /// Derives the alarm's id from that of the request. If the request is repeated after a restart, it finds its alarm
    /// and saves it again. If that alarm has changed meanwhile, the request adds another one.
    func command(
        of header: RequestHeader, at service: isolated Service
    ) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        let id = UUIDText.derived(from: header.id)
        let added = try command(for: id, at: service)
        guard case .add(let new) = added.command, new.id == id, let known = service.engine.alarm(id)?.alarm else {
            return added
        }
        return new == known.withoutAnchor ? (.save(new), added.problems) : try command(at: service)
    }

    private func command(
        for newID: Alarm.ID, at service: isolated Service
    ) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        let id: [JSON.Member] = alarm.json.member("id") == nil ? [.init("id", newID)] : []
        let patch = alarm.completed(by: service.engine.settings.defaults).with(
            try id + time.members(in: alarm.value.zoneName, at: service))
        return (.add(try patch.newAlarm(among: service.validationContext)), patch.problems)
    }
}

extension SaveAlarm: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        if let id = content.json.member("id"), id != alarm.json {
            throw ErrorResponse(.problems([Problem("id", "must be \(alarm.quoted), as in the request")]))
        }
        let patch = content.with([.init("id", alarm)])
        return (.save(try patch.newAlarm(among: service.validationContext)), patch.problems)
    }
}

extension EditAlarm: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        let edited = changes.applied(to: service.engine.alarm(alarm)?.alarm ?? Alarm(id: alarm))
        let members = try time.members(in: edited.zoneName, at: service)
        let patch = changes.with(members + [.init("id", alarm)])
        return (.edit(alarm, patch), patch.problems)
    }
}

extension EnableAlarm: AlarmMutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.enable(alarm, on), []) }
}

extension DeleteAlarm: AlarmMutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.delete(alarm), []) }

    func response(to outcome: Outcome, at service: isolated Service) -> AlarmOutcome {
        service.engine.outcome(ofAlarm: alarm)
    }
}

extension SkipRing: AlarmMutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        guard let date, !service.engine.hasRing(alarm, on: date) else { return (.skip(alarm, date), []) }
        return (.skip(alarm, date), [Problem("date", "the alarm does not ring on \(date) anyway", .warning)])
    }
}

extension UnskipRings: AlarmMutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.unskip(alarm), []) }
}

extension PauseAlarm: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        var fields = Fields([.init("dates", dates ?? [])])
        let dates: DateSet = fields.value("dates") ?? DateSet()
        guard fields.isSound else { throw ErrorResponse(.problems(fields.problems)) }
        return (.pause(alarm, dates), [])
    }
}

extension MarkDone: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        (.done(alarm), [])
    }
}

extension PostponeRing: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        switch (seconds, days) {
        case (let seconds?, nil): (.postpone(alarm, .seconds(seconds)), [])
        case (nil, let days?): (.postpone(alarm, .days(days)), [])
        default: throw ErrorResponse(.problems([Problem("", "either \"seconds\" or \"days\" is needed")]))
        }
    }
}

extension ValidateAlarm: AlarmMutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        if let alarm { return try EditAlarm(alarm: alarm, changes: changes, at: time).command(at: service) }
        return try AddAlarm(alarm: changes, at: time).command(at: service)
    }

    func ask(
        _ command: Command, _ header: RequestHeader, at service: isolated Service,
        then answer: @escaping Service.ReplyHandler
    ) { answer(service.validate(command, header), service) }
}

extension RelativeTime {
    /// A century, longer than any alarm needs.
    private static let daysMax = 36_500

    /// Returns the members that set an alarm to this time, counted from now in the named zone. An unknown
    /// zone counts as the device's.
    fileprivate func members(in zoneName: String?, at service: isolated Service) throws(ErrorResponse) -> [JSON.Member]
    {
        guard self != RelativeTime() else { return [] }
        if let delaySeconds, !(1...RelativeTime.daysMax * 86_400).contains(delaySeconds) {
            throw ErrorResponse(
                .problems([
                    Problem(
                        "delaySeconds",
                        "must be between 1 and \(RelativeTime.daysMax * 86_400) seconds, not \(delaySeconds)")
                ]))
        }
        if let daysAhead, !(0...RelativeTime.daysMax).contains(daysAhead) || delaySeconds != nil {
            throw ErrorResponse(
                .problems([
                    Problem("daysAhead", "must be between 0 and \(RelativeTime.daysMax), and not beside delaySeconds")
                ]))
        }
        let now = Instant(milliseconds: service.engineNow.status(nextCount: 0).nowMilliseconds)
        var zones = service.validationContext.zones
        // The handler ignores an unknown zone, because saving the alarm refuses it.
        let named = zoneName.flatMap { try? zones.zone(named: $0) }
        let local = (named ?? service.engine.zone).local(now.advanced(by: delaySeconds ?? 0))
        guard delaySeconds != nil else { return [.init("date", local.date.advanced(by: daysAhead ?? 0))] }
        return [.init("time", local.time), .init("date", local.date), .init("repeat", .null), .init("start", .null)]
    }
}

extension AlarmPatch {
    /// Returns a new alarm with these members. If one is unreadable, throws all problems of the alarm
    /// together.
    fileprivate func newAlarm(among validationContext: ValidationContext) throws(ErrorResponse) -> Alarm {
        guard !problems.areHarmless else { return value }
        var validationContext = validationContext
        let problems = problems + value.problems(among: &validationContext, besides: problems)
        // A misspelt field may be the one that is missing.
        throw ErrorResponse(.problems(problems.filter { $0.weight != .warning || $0.code == .unknownField }))
    }
}
