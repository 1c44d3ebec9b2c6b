// Requests about the house: how it is, its settings and calendars, its past, its files.

import API
import Alarms
import CivilTime
import Engine
import JSON
import Service
import Sound
import Text

extension AskStatus: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        answer(.done(Done(Answer(status: service.statusReport))))
    }
}

extension Doctor: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        if loud ?? false { service.soundBuzzer() }
        service.runPreflight { service in answer(.done(Done(Answer(health: service.doctorReport)))) }
    }
}

extension TrySpeakers: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        service.trySpeakers { status, _ in answer(.done(Done(status.report))) }
    }
}

extension ListSounds: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        service.listSounds { sounds in
            guard let sounds else {
                return answer(.refused(Refused(.busy, "The disk with the sounds does not answer")))
            }
            let found = sounds.map { sound in
                let seconds = sound.seconds.map { ($0 * 10).rounded() / 10 }
                return Sound(id: sound.id, name: sound.name, seconds: seconds, problem: sound.problem)
            }
            answer(.done(Done(Answer(sounds: found))))
        }
    }
}

extension AskCapabilities: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        let hands = service.hardware
        let enrol = [Challenge.Kind.qr, .tag].filter(hands.kinds.contains)
        answer(
            .done(
                Done(
                    Answer(
                        version: roosterVersion, simulated: service.bedside.isSimulated,
                        challenges: Challenge.Kind.allCases.filter(hands.kinds.contains), enrol: enrol,
                        symbologies: enrol.contains(.qr) ? hands.symbologies.map(\.rawValue).sorted() : [],
                        buttons: hands.hasButtons, alarmsMax: Engine.alarmsMax, calendarsMax: Engine.calendarsMax,
                        snoozeSeconds: service.engine.settings.snoozeBounds,
                        testRingSecondsMax: Engine.testSecondsMax))))
    }
}

extension AskSettings: Question {
    func answer(by engine: Engine) throws(Refused) -> Answer {
        Answer(settings: engine.settings.json, revision: engine.settings.revision)
    }
}

extension Configure: Change {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let patch = SettingsPatch(try changes.members("changes"))
        return (.configure(patch), patch.warnings)
    }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        let settings = if case .configured(let settings) = outcome { settings } else { service.engine.settings }
        return Answer(settings: settings.json, revision: settings.revision)
    }

    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] {
        guard case .configured(let settings) = outcome, settings.snoozeSecondsMin > settings.snoozeSecondsMax else {
            return []
        }
        return [Problem("snooze.min", "is more than snooze.max: the two change places", .warning)]
    }
}

extension ListCalendars: Question {
    var isLong: Bool { true }

    func answer(by engine: Engine) throws(Refused) -> Answer {
        Answer(
            calendars: engine.calendars.sorted { $0.key < $1.key }.map { name, calendar in
                Calendar(name: name, calendar: calendar.json, revision: calendar.revision)
            })
    }
}

extension SaveCalendar: Change {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        guard let calendar else { return (.saveCalendar(name, nil), []) }
        var fields = Fields(try calendar.members("calendar"), at: "")
        let days = DayCalendar(reading: &fields)
        guard fields.isSound else { throw Refused(.problems(fields.problems)) }
        return (.saveCalendar(name, days), fields.problems)
    }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        guard case .calendarSaved(let calendar?) = outcome else { return Answer(revision: nil) }
        return Answer(revision: calendar.revision)
    }
}

extension AskHistory: Question {
    var isLong: Bool { true }

    func answer(by engine: Engine) throws(Refused) -> Answer {
        let now = engine.status(nextCount: 0).nowMilliseconds
        let since = days.map { now - min(max($0, 0), 1000) * 86_400_000 } ?? .min
        let rings = engine.history.filter { $0.endedMilliseconds >= since }
        return Answer(history: rings.map { engine.report($0) }, success: rings.successRate)
    }
}

extension ExportAll: Question {
    var isLong: Bool { true }

    func answer(by engine: Engine) throws(Refused) -> Answer { Answer(file: engine.backup.json) }
}

extension SimulateBedside: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Nothing>) {
        guard let simulation = context.simulation else {
            return answer(
                .refused(Refused(.notSimulated, "This Rooster has real devices")))
        }
        if let reason = simulation.change(changes, in: service.engine.zone) {
            answer(.refused(.malformed(reason)))
        } else {
            answer(.done(Done(Nothing())))
        }
    }
}

/// An import takes what is sound; a backup is taken as a whole or not at all.
extension ImportFile: Change {
    private var isBackup: Bool { backup ?? false }

    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        // The engine judges codes when the whole file is known.
        let reading = file.reading
        let leftOut = isBackup ? reading.setAside.flatMap(\.problems) : []
        let refused = reading.problems.filter { $0.weight == .refused } + leftOut
        guard refused.isEmpty else { throw Refused(.problems(refused)) }
        // A backup removes what its file lacks: a file that is no backup must not empty the device.
        for name in ["format", "settings", "alarms"] where isBackup && file.json.member(name) == nil {
            throw Refused(.problems([Problem(name, "is missing: this is no backup")]))
        }
        let command = Command.restore(reading.file, isBackup: isBackup)
        guard !isBackup else { return (command, reading.problems) }
        let mine = service.engine
        var problems = reading.problems
        func warn(_ place: String, _ reason: String) { problems.append(Problem(place, reason, .warning)) }
        if reading.file.settings != Settings(), reading.file.settings != mine.settings {
            warn("settings", "are left as they are here: only a backup brings its own")
        }
        let unknown = reading.file.codes.filter { !mine.codes.contains($0) }
        if reading.file.codeKeys.isEmpty {
            if !unknown.isEmpty {
                warn("codes", "are left out: the file lacks the key that they were hashed with (codeKeys)")
            }
        } else {
            let known = Set(mine.codes.map(\.label))
            for code in unknown where known.contains(code.label) {
                warn("codes", "\(code.label.quoted) is the name of another one here, which stays")
            }
        }
        return (command, problems)
    }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        guard case .restored(let count, let setAside, let codes) = outcome else {
            return Answer(alarms: 0, setAside: [], codes: [])
        }
        let leftOut = file.reading.setAside.flatMap(\.whyLeftOut)
        let left = setAside.filter { $0.weight != .warning } + leftOut
        return Answer(alarms: count, setAside: left.map(ProblemReport.init), codes: codes)
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [PlacedSound] {
        file.reading.file.placedAlarms.filter(\.alarm.isEnabled).map {
            ("alarms[\($0.index)].ring.sound", $0.alarm.ring.sound)
        }
    }
}
