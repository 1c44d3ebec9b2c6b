// The runner of a scenario's lines: its setup and its events.

import Alarms
import Challenges
import CivilTime
import Clients
import Health
import JSON
import Testing

@testable import Engine

struct ScenarioRunner {
    var fixture: EngineFixture
    var reply: Reply?
    /// The sum that was asked when the scenario executed `look`.
    private(set) var sum: Sum?
    /// The presses that the last attempt to pair shows.
    var presses: [Button] = []
    private var isStarted = false
    private var zones = ZoneCatalogue()
    /// The section of the current line.
    private var section: Section?

    /// The setup, the events, and the expectations.
    private enum Section: String {
        case given, when, then
    }

    static func run(_ text: String) throws {
        let runner = try ScenarioRunner(after: scenarioLines(text))
        guard runner.section == .then else { throw ScenarioFailure("nothing must be so at its end") }
        if !runner.fixture.isAsARestartWouldFindIt {
            throw ScenarioFailure("a restart would not know all that is so at its end")
        }
    }

    /// Carries out these lines.
    init(after lines: some Sequence<ScenarioLine>) throws {
        fixture = EngineFixture(wallMilliseconds: 0, zone: .utc)
        for line in lines { try carryOut(line) }
    }

    mutating func carryOut(_ line: ScenarioLine) throws {
        if line.words.count == 1, let next = Section(rawValue: line.words[0]) { return section = next }
        switch section {
        case nil: throw ScenarioFailure(line, "stands before what is given")
        case .given?, .when?: try step(line)
        case .then?:
            start()
            guard try expect(line) else { throw ScenarioFailure(line, "is nothing that can be so") }
        }
    }

    private mutating func start() {
        if !isStarted {
            isStarted = true
            fixture.start()
        }
    }

    private mutating func step(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "zone", "clock": try set(line)
        case "rules":
            // The system's zone data has changed the rule of a zone that alarms or settings use.
            guard let zone = Zone(name: try line.word(1), rule: try line.word(2)) else {
                throw ScenarioFailure(line, "there is no such rule")
            }
            fixture.give(.zonesRead([zone]))
        case "buttons": fixture.hasButtons = line.words.dropFirst().first != "none"
        case "shaker": fixture.hasShaker = line.words.dropFirst().first != "none"
        case "sunrise": fixture.hasSunrise = line.words.dropFirst().first != "none"
        case "kinds": fixture.kinds = Set(line.words.dropFirst().compactMap { Challenge.Kind(rawValue: $0) })
        case "without": fixture.remove(Set(line.words.dropFirst().compactMap { Part(rawValue: $0) }))
        case "compact": fixture.compact()
        case "cut", "restart", "disk", "after", "at", "suspend", "played", "unplayed":
            start()
            try changeEnvironment(line)
        default:
            start()
            guard try act(line) else { throw ScenarioFailure(line, "is nothing that can happen") }
        }
    }

    // MARK: the machine

    private mutating func set(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "zone":
            // `zone NAME`, or `zone NAME RULE` if the zone data has changed the rule.
            if line.words.count > 2 {
                guard let zone = Zone(name: line.words[1], rule: line.words[2]) else {
                    throw ScenarioFailure(line, "there is no such rule")
                }
                fixture.zone = zone
            } else {
                fixture.zone = try zones.zone(named: try line.word(1))
            }
            if isStarted { fixture.give(.zoneChanged(fixture.zone)) }
        default:
            switch try line.word(1) {
            case "trusted", "untrusted":
                fixture.isTrusted = line.words[1] == "trusted"
                fixture.give(.clockTrusted(fixture.isTrusted))
            case "by":
                fixture.wallMilliseconds += try line.milliseconds(at: 2)
                fixture.give(.timer)
            default:
                fixture.wallMilliseconds = try instant(line, 1).milliseconds
                if line.words.last == "untrusted" { fixture.isTrusted = false }
                if isStarted { fixture.give(.timer) }
            }
        }
    }

    /// `2026-01-12T07:00:00`, or `07:00` for the next time that the clock shows.
    func instant(_ line: ScenarioLine, _ index: Int) throws -> Instant {
        let word = try line.word(index)
        if let instant = Instant(word, rounding: .down) { return instant }
        if let time = ClockTime(word) {
            let now = Instant(milliseconds: fixture.wallMilliseconds)
            var alarm = Alarm(id: "clock")
            alarm.time = time
            if let next = Schedule(alarm, in: fixture.zone, savedAt: now).next(after: now) { return next.occurrence.at }
        }
        let parts = word.split(separator: "T").map(String.init)
        guard parts.count == 2, let date = CivilDate(parts[0]), let time = ClockTime(parts[1]) else {
            throw ScenarioFailure(line, "\(word) is no time")
        }
        var alarm = Alarm(id: "clock")
        alarm.time = time
        alarm.date = date
        guard let ring = Schedule(alarm, in: fixture.zone, savedAt: .earliest).next(after: .earliest) else {
            throw ScenarioFailure(line, "there is no such time")
        }
        return ring.occurrence.at
    }

    private mutating func changeEnvironment(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "at":
            let milliseconds = try instant(line, 1).milliseconds - fixture.wallMilliseconds
            answering { $0.pass(milliseconds: milliseconds) }
        case "after":
            let milliseconds = try line.milliseconds(at: 1)
            answering { $0.pass(milliseconds: milliseconds) }
        case "suspend": fixture.suspend(milliseconds: try line.milliseconds(at: 1))
        case "played": fixture.give(.audioStarted(route: try line.word(1), latencyMilliseconds: 7))
        case "unplayed": fixture.give(.audioFailed(route: try line.word(1), reason: "No such device"))
        case "disk":
            if try line.word(1) == "finishes" { return fixture.finishOne() }
            fixture.disk =
                switch try line.word(1) {
                case "fails": .failing
                case "hangs": .slow
                default: .quick
                }
            answering { $0.settlePending() }
        default: try restart(line)
        }
    }

    /// A later event may bring the reply to an earlier request.
    private mutating func answering(_ step: (inout EngineFixture) -> Void) {
        let before = fixture.replies.count
        step(&fixture)
        if fixture.replies.count > before { reply = fixture.replies.last }
    }

    /// `cut` and `restart` lose facts that are not durable. `for 3 h` sets how long the machine is off.
    /// `stands` stops the clock meanwhile, and `zone …` changes the zone.
    private mutating func restart(_ line: ScenarioLine) throws {
        if let index = line.words.firstIndex(of: "for") {
            let off = try line.milliseconds(at: index + 1)
            let stands = line.words.contains("stands")
            fixture.wallMilliseconds += stands ? 0 : off
        }
        if let index = line.words.firstIndex(of: "zone") {
            fixture.zone = try zones.zone(named: try line.word(index + 1))
        }
        fixture.uptimeMilliseconds = 5000
        if line.words.contains("untrusted") { fixture.isTrusted = false }
        if line.words.contains("trusted") { fixture.isTrusted = true }
        fixture.start(seed: 2)
    }

    // MARK: people

    /// Carries out an event. Returns true if the line is one.
    private mutating func act(_ line: ScenarioLine) throws -> Bool {
        switch line.words[0] {
        case "alarm": try save(line)
        case "import":
            var file = AlarmsFile()
            file.alarms = [try line.alarm(from: 1)]
            reply = fixture.ask(.restore(file))
        case "setting": try saveSetting(line)
        case "reset": reply = fixture.ask(.saveSettings(fixture.engine.settings.reset))
        case "configure": reply = fixture.ask(.configure(SettingsPatch([try line.member])))
        case "code", "tag":
            let kind: Challenge.Kind = line.words[0] == "code" ? .qr : .tag
            reply = fixture.ask(
                .enrol(EnrolledCode(label: try line.word(1), kind: kind, digest: CodeDigest(try line.word(1)))))
        case "forget": reply = fixture.ask(.forget(try line.word(1)))
        case "calendar" where line.words.last == "gone": reply = fixture.ask(.saveCalendar(try line.word(1), nil))
        case "calendar":
            var calendar = DayCalendar()
            calendar.off = DateSet(
                try line.words.dropFirst(2).map { word in
                    guard let date = CivilDate(word) else { throw ScenarioFailure(line, "\(word) is no date") }
                    return date...date
                })
            reply = fixture.ask(.saveCalendar(try line.word(1), calendar))
        case "edit":
            let changes = line.words.dropFirst(2).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            reply = fixture.ask(
                .edit(
                    try line.word(1),
                    AlarmPatch(
                        changes.map { change in
                            // A date, and the time of the ring on that date.
                            let rule = change[1].split(separator: "@").map(String.init)
                            if rule.count == 2 { return .init(change[0], .object([.init(rule[0], .string(rule[1]))])) }
                            let number = Int(change[1]).map { JSON.number($0) }
                            return .init(change[0], change[1] == "null" ? .null : number ?? .string(change[1]))
                        })))
        case "send":
            // The client sends the whole alarm back as it was shown, and changes only the switch.
            guard var alarm = fixture.engine.alarm(try line.word(1))?.alarm else {
                throw ScenarioFailure(line, "there is no such alarm")
            }
            alarm.isEnabled = try line.word(2) == "on"
            reply = fixture.ask(.save(alarm))
        case "delete": reply = fixture.ask(.delete(try line.word(1)))
        case "enable", "disable": reply = fixture.ask(.enable(try line.word(1), line.words[0] == "enable"))
        case "skip": reply = fixture.ask(.skip(try line.word(1), line.words.count > 2 ? CivilDate(line.words[2]) : nil))
        case "unskip": reply = fixture.ask(.unskip(try line.word(1)))
        case "pause":
            guard let from = CivilDate(try line.word(2)), let until = CivilDate(try line.word(3)) else {
                throw ScenarioFailure(line, "needs two dates")
            }
            reply = fixture.ask(.pause(try line.word(1), DateSet([from...until])))
        case "postpone":
            let days = line.words.last == "d" ? Int(try line.word(2)) : nil
            let length = try days.map(Postponement.days) ?? .seconds(line.milliseconds(at: 2) / 1000)
            reply = fixture.ask(.postpone(try line.word(1), length))
        case "done": reply = fixture.ask(.done(try line.word(1)))
        case "unlock": reply = fixture.ask(.unlock(try line.word(1)))
        case "snooze":
            let seconds = line.words.count > 1 ? try line.milliseconds(at: 1) / 1000 : nil
            reply = fixture.ask(.snooze(seconds: seconds))
        case "stop": reply = fixture.ask(.stop, meaning: line.words.count > 1 ? line.words[1] : nil)
        case "awake": reply = fixture.ask(.awake, meaning: line.words.count > 1 ? line.words[1] : nil)
        case "again": reply = fixture.again()
        case "key": fixture.give(.keyPressed)
        case "page":
            // The page reports every two seconds that the emergency exit is being held.
            var left = try line.milliseconds(at: 2)
            while left > 0 {
                reply = fixture.ask(.hold(true))
                fixture.pass(milliseconds: min(left, 2000))
                left -= 2000
            }
        case "health":
            guard let part = Part(rawValue: try line.word(1)), let grade = Health.Grade(rawValue: try line.word(2))
            else {
                throw ScenarioFailure(line, "no such part or grade")
            }
            fixture.give(
                .health(
                    part, grade == .ok ? .ok : Health(.described(grade, line.words.dropFirst(3).joined(separator: " ")))
                )
            )
        case "inbed": reply = fixture.ask(.inBed)
        case "chime":
            reply = fixture.ask(.configure(SettingsPatch([.init("bedtimeChime", .bool(try line.word(1) == "on"))])))
        case "pair": try pair(line)
        case "presses": try makePresses(line)
        case "invite": reply = fixture.ask(.client(.invite(SecretHash(try line.word(1)))))
        case "claim": try claim(line)
        case "remove": reply = fixture.ask(.client(.forget(try line.word(1))))
        case "clear": reply = fixture.ask(.clearHistory)
        case "test": reply = fixture.ask(.testRing(RingSettings(), inSeconds: 8))
        case "answer": try answer(line)
        case "press":
            fixture.press(try line.button)
        case "hold":
            for button in Button.allCases { fixture.give(.button(button, isDown: true)) }
            fixture.pass(milliseconds: try line.milliseconds(at: 1))
            for button in Button.allCases { fixture.give(.button(button, isDown: false)) }
        case "down", "up":
            fixture.give(.button(try line.button, isDown: line.words[0] == "down"))
        case "found":
            fixture.give(.buttonFound(try line.button, isDown: line.words.last == "down"))
        case "flutter":
            // This many presses at this distance. All happen before the engine handles the first.
            let button = try line.button
            let (count, apart) = (Int(try line.word(2)) ?? 0, try line.milliseconds(at: 3))
            let begun = fixture.uptimeMilliseconds
            fixture.pass(milliseconds: count * apart)
            for edge in 0..<count * 2 {
                fixture.give(.button(button, isDown: edge % 2 == 0, uptime: begun + edge * apart / 2))
            }
        case "enroltag": reply = fixture.ask(.scan(.enrol(label: try line.word(1), kind: .tag)))
        case "bring":
            // The code comes into view, so that it counts at once.
            fixture.give(.frame([]))
            fixture.pass(milliseconds: 1000)
            answering { $0.give(.frame(line.words.dropFirst().map(SeenCode.init(text:)))) }
        case "show":
            // `earlier`: the frame was taken a second ago.
            let codes = line.words.dropFirst().filter { $0 != "nothing" && $0 != "earlier" }
            let taken = fixture.uptimeMilliseconds - (line.words.last == "earlier" ? 1000 : 0)
            answering { fixture in
                fixture.give(.frame(codes.map(SeenCode.init(text:)), takenUptime: taken))
            }
        case "enrol": reply = fixture.ask(.scan(.enrol(label: try line.word(1))))
        case "try": reply = fixture.ask(.scan(.test))
        case "cancel":
            let before = fixture.replies.count
            fixture.ask(.cancelScan)
            // The client that waited for the scan is answered first.
            reply = fixture.replies.count > before + 1 ? fixture.replies[before] : nil
        case "touch":
            let digest = CodeDigest(try line.word(1))
            answering { $0.give(.tag([digest], isRandom: line.words.last == "random")) }
        case "dark": fixture.give(.frame([], isDark: true))
        case "look": sum = askedSum
        case "walk":
            let apart = line.words.count > 2 ? try line.milliseconds(at: 2) : 400
            for _ in 0..<(Int(try line.word(1)) ?? 0) {
                fixture.give(.step())
                fixture.pass(milliseconds: apart)
            }
        case "repeat":
            guard case .pattern(let buttons) = fixture.engine.challengeState.current?.assignment else {
                throw ScenarioFailure(line, "there is no pattern to repeat")
            }
            for button in buttons {
                fixture.press(button)
                fixture.pass(milliseconds: 200)
            }
        default: return false
        }
        return true
    }

    var askedSum: Sum? {
        if case .sum(let sum, _) = fixture.engine.challengeState.current?.assignment { sum } else { nil }
    }

    private mutating func save(_ line: ScenarioLine) throws {
        let alarm = try line.alarm(from: 1)
        if let name = alarm.zoneName { fixture.give(.zonesRead([try zones.zone(named: name)])) }
        reply = fixture.ask(.save(alarm))
    }

    private mutating func saveSetting(_ line: ScenarioLine) throws {
        var settings = fixture.engine.agenda.settings
        let value = try line.word(2)
        switch try line.word(1) {
        case "lock": settings.lockSeconds = (Int(value) ?? 0) * 60
        case "enabled": settings.isEnabled = value == "yes"
        case "emergency": settings.hasEmergencyExit = value == "yes"
        case "preflight": settings.preflight = DayRule(value) ?? .off
        case "zone":
            fixture.give(.zonesRead([try zones.zone(named: value)]))
            settings.zoneName = value
        case "snooze":
            settings.snooze.minSeconds = (Int(value) ?? 0) * 60
            settings.snooze.maxSeconds = (Int(try line.word(3)) ?? 0) * 60
        default: throw ScenarioFailure(line, "there is no such setting")
        }
        reply = fixture.ask(.saveSettings(settings))
    }

    /// `answer right`, `answer wrong` and `answer all` refer to the current sum. `answer looked` answers
    /// the sum of the last `look`. `answer looked wrong` does so wrongly, and sends the sum's number.
    private mutating func answer(_ line: ScenarioLine) throws {
        let word = try line.word(1)
        repeat {
            if fixture.engine.challengeState.current == nil, fixture.engine.sessions.addressed != nil {
                fixture.ask(.answer(0))
            }
            guard case .sum(let sum, _) = fixture.engine.challengeState.current?.assignment else {
                throw ScenarioFailure(line, "no sum is asked")
            }
            let number =
                switch word {
                case "wrong": sum.result + 1
                case "looked": (self.sum?.result ?? 0) + (line.words.last == "wrong" ? 1 : 0)
                default: sum.result
                }
            reply = fixture.ask(.answer(number, to: line.words.count > 2 ? self.sum?.number : nil))
        } while word == "all" && fixture.engine.challengeState.current != nil
    }
}

extension SeenCode {
    fileprivate init(text: String) { self.init(digests: [CodeDigest(text)], byteCount: text.utf8.count) }
}
