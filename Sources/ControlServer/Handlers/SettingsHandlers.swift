// The handlers of requests about settings, day calendars and alarms files.

import API
import Alarms
import CivilTime
import Engine
import JSON
import Service
import Text

extension GetSettings: Query {
    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        Response(settings: engine.settings)
    }
}

extension Configure: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        (.configure(changes), changes.problems)
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        service.settings(after: outcome)
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound] {
        let saysSound = changes.json.member("defaults")?.member("ring")?.member("sound") != nil
        return changes.value.defaults.alarm.sounds.filter { saysSound || $0.path != "ring.sound" }.map {
            ("defaults.\($0.path)", $0.sound)
        }
    }
}

extension ResetSettings: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        (.saveSettings(service.engine.settings.reset), [])
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        service.settings(after: outcome)
    }
}

extension Service {
    fileprivate func settings(after outcome: Outcome) -> GetSettings.Response {
        let saved: Settings? = if case .configured(let settings, _) = outcome { settings } else { nil }
        return GetSettings.Response(settings: saved ?? engine.settings)
    }
}

extension ListCalendars: Query {
    var isLong: Bool { true }

    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        Response(
            calendars: engine.calendars.sorted { $0.key < $1.key }.map { Calendar(name: $0.key, calendar: $0.value) })
    }
}

extension SaveCalendar: Mutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        guard calendar.problems.areHarmless else { throw ErrorResponse(.problems(calendar.problems)) }
        return (.saveCalendar(name, calendar.value), calendar.problems)
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        guard case .calendarSaved(let calendar?, _) = outcome else { return Response(revision: "") }
        return Response(revision: calendar.revision)
    }
}

extension DeleteCalendar: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        (.saveCalendar(name, nil), [])
    }
}

extension ExportAll: Query {
    var isLong: Bool { true }

    func response(from engine: Engine) throws(ErrorResponse) -> Response { Response(file: engine.backup) }
}

/// An import accepts the valid parts of a file. A backup is restored whole or not at all.
extension ImportFile: Mutation {
    private var isBackup: Bool { backup ?? false }

    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        // The engine validates codes, because it has the whole file.
        let reading = file.reading
        let leftOut = isBackup ? reading.setAside.flatMap(\.problems) : []
        let refused = reading.problems.refused + leftOut
        guard refused.isEmpty else { throw ErrorResponse(.problems(refused)) }
        // A backup removes everything that its file lacks. A file that is not a backup would empty the
        // device.
        for name in ["format", "settings", "alarms"] where isBackup && file.json.member(name) == nil {
            throw ErrorResponse(.problems([Problem(name, "must be there, because a backup has it")]))
        }
        let command = Command.restore(reading.file, isBackup: isBackup)
        guard !isBackup else { return (command, reading.problems) }
        let mine = service.engine
        var problems = reading.problems
        func warn(_ code: WarningCode, _ path: String, _ reason: String) {
            problems.append(Problem(code, path, reason))
        }
        if reading.file.settings != Settings(), reading.file.settings != mine.settings {
            warn(
                .settingsNotImported, "", "The settings of the file are not imported (only a backup replaces settings)")
        }
        let unknown = reading.file.codes.filter { !mine.codes.contains($0) }
        if reading.file.codeKeys.isEmpty {
            if !unknown.isEmpty {
                warn(.codesNotImported, "codes", "are not imported, because the file has no codeKeys")
            }
        } else {
            let known = Set(mine.codes.map(\.label))
            for code in unknown where known.contains(code.label) {
                warn(
                    .codesNotImported, "codes",
                    "\(code.label.quoted) is not imported, because this device has another code of that name")
            }
        }
        return (command, problems)
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        guard case .restored(let count, let setAside, let codes) = outcome else {
            return Response(alarms: 0, setAside: [], codes: [])
        }
        let leftOut = file.reading.setAside.flatMap(\.whyLeftOut)
        let left = setAside.filter { $0.weight != .warning } + leftOut
        return Response(alarms: count, setAside: left.map(ProblemReport.init), codes: codes)
    }

    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound] {
        file.reading.file.placedAlarms.filter(\.alarm.isEnabled).flatMap { index, alarm in
            alarm.sounds.map { ("alarms[\(index)].\($0.path)", $0.sound) }
        }
    }
}
