// What becomes of a wish, whichever door it came in by.

import Alarms
import CivilTime
import Engine
import JSON
import Loop
import Service
import Sound
import Text

/// Answers wishes by what a service says.
struct FrontDesk: Sendable {
    let door: Door
    /// What changes the simulated world; nothing in a real one.
    let simulation: Simulation?
    /// Where what takes a while is put into words.
    let aside: SerialWorker

    /// Answers with a line in a moment, or when it is durable. The order of answers is the order in which they came to hold; but
    /// where a disk is asked as well whether a sound is there, or there is a lot to say, others are not kept waiting for that.
    func answer(_ line: Line, at service: isolated Service, then tell: @escaping @Sendable (String) -> Void) {
        let answer: @Sendable (JSON) -> Void = { tell($0.description) }
        switch line.wish {
        case .question(let question) where !question.isLong: answer(question.answer(by: service.engineNow))
        case .question(let question):
            let engine = service.engineNow
            // What a thousand alarms are takes a while to say, and nothing that rings may wait for that.
            aside.run {
                question.answer(by: engine).description
            } then: {
                tell($0)
            }
        case .status, .follow: answer(.done([.init("status", service.statusJSON)]))
        case .doctor(let isLoud):
            if isLoud { service.soundBuzzer() }
            service.runPreflight { service in
                let health = service.engine.status(nextCount: 0).health.map { part in
                    // Which camera it is that is well: there may be several.
                    let isCameraWell = part.part == .camera && part.health.grade == .ok
                    guard isCameraWell, let name = service.cameraName else { return part.json }
                    return JSON.health(of: part.part.rawValue, .ok, name)
                }
                let rings = service.engine.ringsHealth
                let alarms = JSON.health(of: "alarms", rings.grade, rings.words)
                // What was wrong from the start is no part's, and nobody is to overlook it.
                let warnings = service.warnings.map { JSON.health(of: "rooster", .warning, $0) }
                answer(.done([.init("health", .array(health + [alarms] + warnings))]))
            }
        case .preview: answer(.done([.init("view", service.preview().json)]))
        case .printCode(let payload):
            let problems = service.hardware.lacksForSheets.map { Problem("", $0, .warning) }
            service.ask(.keepCodeKey, request(line)) { reply, service in
                // By a key that is lost at the next start it would be another one.
                let fingerprint = reply == .done(.done) ? service.fingerprint(of: payload) : nil
                answer(.done(JSON.warnings(problems) + [.init("fingerprint", .text(fingerprint))]))
            }
        case .save(let json): save(json, line, at: service, then: answer)
        case .edit(let id, let changes):
            guard case .object(let members) = changes else { return answer(FrontDesk.isNoObject) }
            order(.edit(id, AlarmPatch(members)), line, at: service, then: answer)
        case .configure(let changes):
            guard case .object(let members) = changes else { return answer(FrontDesk.isNoObject) }
            let patch = SettingsPatch(members)
            order(.configure(patch), line, at: service, alsoSaying: patch.warnings, then: answer)
        case .calendar(let name, let json): saveCalendar(name, json, line, at: service, then: answer)
        case .restore(let reading, let isBackup): restore(reading, isBackup: isBackup, line, at: service, then: answer)
        case .order(let command): order(command, line, at: service, then: answer)
        case .simulate(let json):
            answer(
                simulation.map { $0.change(json, in: service.engine.zone) }
                    ?? .refused("notSimulated", "This Rooster is real: only 'roosterd --simulate' can be told that"))
        }
    }

    private func order(
        _ command: Command, _ line: Line, at service: isolated Service,
        alsoSaying problems: [Problem] = [], then answer: @escaping @Sendable (JSON) -> Void
    ) {
        // A client may end the enrolment that another one has begun: the answer says under which name that was.
        let looking = command == .cancelLook ? service.engine.status(nextCount: 0).looking : nil
        service.ask(command, request(line)) { reply, service in
            switch reply {
            case .done(let outcome):
                var members: [JSON.Member] = []
                if command == .cancelLook { members.append(.init("looking", looking?.json ?? .null)) }
                if let id = command.changedAlarm { members += service.engine.nextMembers(ofAlarm: id) }
                if case .look(.enrol(let label, _)) = command,
                    let code = service.engine.codes.first(where: { $0.label == label })
                {
                    members.append(.init("code", code.json(in: service.engine)))
                }
                let lacking: [Problem] =
                    if case .forget(let label) = command { service.engine.alarmsLacking(label) } else { [] }
                service.findUnknownSounds(after: command) { [members] unknown in
                    let warnings = JSON.warnings(problems + outcome.problems + lacking + unknown)
                    answer(.done(warnings + members + outcome.members))
                }
            case .refused(let refusal):
                // Whoever may not stop it is told what is to be done first.
                let asked = command == .stop ? service.engine.status(nextCount: 0).sessions.first?.asked : nil
                answer(refusal.json.adding(asked.map { [.init("asked", $0)] } ?? []))
            }
        }
    }

    private func request(_ line: Line) -> Request {
        Request(line.id ?? freshID(), by: door, meaning: line.meant)
    }

    private func save(
        _ json: JSON, _ line: Line, at service: isolated Service, then answer: @escaping @Sendable (JSON) -> Void
    ) {
        guard case .object(var members) = json else {
            return answer(.refused("malformed", "An alarm is an object { … }"))
        }
        if !members.contains(where: { $0.name == "id" && $0.value != .null }) {
            members.removeAll { $0.name == "id" }
            members.append(.init("id", .string(freshID())))
        }
        let (alarm, misread) = Alarm.read(members)
        guard !misread.contains(where: { $0.weight == .refused }) else {
            // Whatever else is wrong with it is said as well.
            var surroundings = service.surroundings
            let problems = (misread + alarm.problems(among: &surroundings, besides: misread))
            return answer(Refusal.problems(problems.filter { $0.weight != .warning }).json)
        }
        order(.save(alarm), line, at: service, alsoSaying: misread, then: answer)
    }

    private static let isNoObject = Refusal.problems([Problem("changes", "are an object { … }")]).json

    private func saveCalendar(
        _ name: String, _ json: JSON, _ line: Line, at service: isolated Service,
        then answer: @escaping @Sendable (JSON) -> Void
    ) {
        guard json != .null else {
            return order(.saveCalendar(name, nil), line, at: service, then: answer)
        }
        guard case .object(let members) = json else {
            return answer(.refused("malformed", "A calendar is an object { … }"))
        }
        var fields = Fields(members, at: "")
        let calendar = DayCalendar(reading: &fields)
        guard fields.isSound else { return answer(Refusal.problems(fields.problems).json) }
        order(
            .saveCalendar(name, calendar), line, at: service, alsoSaying: fields.problems,
            then: answer)
    }

    /// An import takes what is sound; a backup is taken as a whole or not at all.
    private func restore(
        _ reading: AlarmsFileReading, isBackup: Bool, _ line: Line, at service: isolated Service,
        then answer: @escaping @Sendable (JSON) -> Void
    ) {
        let leftOut = isBackup ? reading.setAside.flatMap(\.problems) : []
        let refused = reading.problems.filter { $0.weight == .refused } + leftOut
        guard refused.isEmpty else { return answer(Refusal.problems(refused).json) }
        let mine = service.engine.settings
        let isOther = reading.file.settings != Settings() && reading.file.settings != mine
        let left = Problem("settings", "are left as they are here: only a backup brings its own", .warning)
        let unknown = reading.file.codes.filter { !service.engine.codes.contains($0) }
        let codes = reading.file.codeKeys.isEmpty ? [] : unknown
        let keyless = codes.count < unknown.count && !isBackup
        let shut = Problem(
            "codes", "are left out: the file lacks the key that they were hashed with (codeKeys)", .warning)
        let known = Set(service.engine.codes.map(\.label))
        // Each imported code can end a ring from now on, so the answer names them all.
        let new = codes.filter { isBackup || !known.contains($0.label) }.map { JSON.string($0.label) }
        let others = codes.filter { !isBackup && known.contains($0.label) }.map { code in
            Problem("codes", "\(code.label.quoted) is the name of another one here, which stays", .warning)
        }
        order(
            .restore(reading.file, isBackup: isBackup), line, at: service,
            alsoSaying: reading.problems + (isOther && !isBackup ? [left] : []) + (keyless ? [shut] : []) + others
        ) { reply in
            let whole = reply.member("ok") == .bool(true) ? reply.adding([.init("codes", .array(new))]) : reply
            answer(whole.appending(reading.setAside.flatMap(\.whyLeftOut).map { .string("\($0)") }, to: "setAside"))
        }
    }

    /// A name that nobody else comes upon, written as a UUID.
    private func freshID() -> String {
        let bytes = (0..<16).map { index -> UInt8 in
            let byte = UInt8.random(in: 0...255)
            return index == 6 ? byte & 0x0F | 0x40 : index == 8 ? byte & 0x3F | 0x80 : byte
        }
        return bytes.enumerated().reduce(into: "") { text, byte in
            if [4, 6, 8, 10].contains(byte.offset) { text += "-" }
            text += String(0x100 + Int(byte.element), radix: 16, uppercase: true).dropFirst()
        }
    }
}

extension Command {
    /// The alarm that is there afterwards as it was wanted: when it rings next is what its owner wants to know.
    fileprivate var changedAlarm: Alarm.ID? {
        switch self {
        case .save(let alarm): alarm.id
        case .edit(let id, _), .enable(let id, _), .skip(let id, _), .unskip(let id), .pause(let id, _): id
        default: nil
        }
    }
}

extension Command {
    /// The alarm that may ring otherwise than before; which days are left out has nothing to do with that.
    fileprivate var alarmToRing: Alarm.ID? {
        switch self {
        case .save, .edit, .enable(_, true): changedAlarm
        default: nil
        }
    }
}

extension Service {
    /// Tells what will be heard otherwise than it was chosen: at once what needs no disk to be known, and else when the disk
    /// has answered, or was waited for in vain.
    fileprivate func findUnknownSounds(after command: Command, then tell: @escaping @Sendable ([Problem]) -> Void) {
        let ring =
            if case .testRing(let ring, _) = command { ring } else {
                command.alarmToRing.flatMap { engine.alarm($0)?.alarm.ring }
            }
        guard let sound = ring?.sound, BuiltInSound(id: sound) == nil else { return tell([]) }
        let standard = BuiltInSound.standard.name
        guard sound.contains(".") else {
            let words = "\(sound.quoted) is no sound, so \(standard) takes its place: 'rooster sound list' shows all"
            return tell([Problem("ring.sound", words, .warning)])
        }
        findUnplayable(among: [sound]) { problems in
            let words = problems ?? ["its disk does not answer: if it does not in time, \(standard) takes its place"]
            tell(words.map { Problem("ring.sound", $0, .warning) })
        }
    }
}

/// A world that is simulated, and can be told to be otherwise.
public protocol Simulation: Sendable {
    /// Changes it as the members of an object say, whose local times are those of the house's zone, and answers as every
    /// door does.
    func change(_ json: JSON, in zone: Zone) -> JSON
}

extension JSON {
    fileprivate var members: [Member] { if case .object(let members) = self { members } else { [] } }

    fileprivate func member(_ name: String) -> JSON? { members.first { $0.name == name }?.value }

    fileprivate func adding(_ members: [Member]) -> JSON {
        guard case .object(let mine) = self else { return self }
        return .object(mine + members)
    }

    fileprivate func appending(_ elements: [JSON], to name: String) -> JSON {
        guard case .object(var members) = self, !elements.isEmpty,
            let index = members.firstIndex(where: { $0.name == name }), case .array(let others) = members[index].value
        else { return self }
        members[index].value = .array(others + elements)
        return .object(members)
    }
}
