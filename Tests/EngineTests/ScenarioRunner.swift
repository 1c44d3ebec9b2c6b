// Carries scenarios out, line by line: what the machine and the people do.

import Alarms
import CivilTime
import Testing

@testable import Engine

/// A scenario while it runs.
struct ScenarioRunner {
    var bedside: Bedside
    var reply: Reply?
    /// The sum that was asked when the scenario looked at it.
    private(set) var sum: Sum?
    private var isStarted = false
    private var zones = ZoneCatalogue()
    /// What the lines are.
    private var section: Section?

    /// What is there, what happens, and what must be so then.
    private enum Section: String {
        case given, when, then
    }

    static func run(_ text: String) throws {
        let lines = scenarioLines(text)
        var runner = try ScenarioRunner(lines)
        for line in lines { try runner.carryOut(line) }
        guard runner.section == .then else { throw ScenarioEnd() }
        if !runner.bedside.isAsARestartWouldFindIt { throw ScenarioForgotten() }
    }

    init(_ lines: [ScenarioLine]) throws {
        bedside = Bedside(wallMilliseconds: 0, zone: .utc)
    }

    mutating func carryOut(_ line: ScenarioLine) throws {
        if line.words.count == 1, let next = Section(rawValue: line.words[0]) { return section = next }
        switch section {
        case nil: throw ScenarioFailure(line, "stands before what is given")
        case .given?, .when?: try happen(line)
        case .then?:
            start()
            guard try expect(line) else { throw ScenarioFailure(line, "is nothing that can be so") }
        }
    }

    private mutating func start() {
        if !isStarted {
            isStarted = true
            bedside.start()
        }
    }

    private mutating func happen(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "zone", "clock": try set(line)
        case "rules":
            // The system's data has come to say something else of a zone that alarms or settings name.
            guard let zone = Zone(name: try line.word(1), rule: try line.word(2)) else {
                throw ScenarioFailure(line, "there is no such rule")
            }
            bedside.give(.zonesRead([zone]))
        case "buttons": bedside.hasButtons = line.words.dropFirst().first != "none"
        case "kinds": bedside.kinds = Set(line.words.dropFirst().compactMap { Challenge.Kind(rawValue: $0) })
        case "compact": bedside.compact()
        case "cut", "restart", "disk", "after", "at", "suspend", "played", "unplayed":
            start()
            try befall(line)
        default:
            start()
            guard try act(line) else { throw ScenarioFailure(line, "is nothing that can happen") }
        }
    }

    // MARK: the machine

    private mutating func set(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "zone":
            // `zone NAME`, or `zone NAME RULE` where the system's data has come to say something else of it.
            if line.words.count > 2 {
                guard let zone = Zone(name: line.words[1], rule: line.words[2]) else {
                    throw ScenarioFailure(line, "there is no such rule")
                }
                bedside.zone = zone
            } else {
                bedside.zone = try zones.zone(named: try line.word(1))
            }
            if isStarted { bedside.give(.zoneChanged(bedside.zone)) }
        default:
            switch try line.word(1) {
            case "trusted", "untrusted":
                bedside.isTrusted = line.words[1] == "trusted"
                bedside.give(.clockTrusted(bedside.isTrusted))
            case "by":
                bedside.wallMilliseconds += try line.milliseconds(at: 2)
                bedside.give(.timer)
            default:
                bedside.wallMilliseconds = try instant(line, 1).milliseconds
                if line.words.last == "untrusted" { bedside.isTrusted = false }
                if isStarted { bedside.give(.timer) }
            }
        }
    }

    /// `2026-01-12T07:00:00`, or only `07:00` for the next time the clock shows that.
    func instant(_ line: ScenarioLine, _ index: Int) throws -> Instant {
        let word = try line.word(index)
        if let instant = Instant(word, rounding: .down) { return instant }
        if let time = ClockTime(word) {
            let now = Instant(milliseconds: bedside.wallMilliseconds)
            var alarm = Alarm(id: "clock")
            alarm.time = time
            if let next = Schedule(alarm, in: bedside.zone, savedAt: now).next(after: now) { return next.occurrence.at }
        }
        let parts = word.split(separator: "T").map(String.init)
        guard parts.count == 2, let date = CivilDate(parts[0]), let time = ClockTime(parts[1]) else {
            throw ScenarioFailure(line, "\(word) is no time")
        }
        var alarm = Alarm(id: "clock")
        alarm.time = time
        alarm.date = date
        guard let ring = Schedule(alarm, in: bedside.zone, savedAt: .earliest).next(after: .earliest) else {
            throw ScenarioFailure(line, "there is no such time")
        }
        return ring.occurrence.at
    }

    private mutating func befall(_ line: ScenarioLine) throws {
        switch line.words[0] {
        case "at":
            let milliseconds = try instant(line, 1).milliseconds - bedside.wallMilliseconds
            answering { $0.pass(milliseconds: milliseconds) }
        case "after":
            let milliseconds = try line.milliseconds(at: 1)
            answering { $0.pass(milliseconds: milliseconds) }
        case "suspend": bedside.suspend(milliseconds: try line.milliseconds(at: 1))
        case "played": bedside.give(.audioStarted(route: try line.word(1), latencyMilliseconds: 7))
        case "unplayed": bedside.give(.audioFailed(route: try line.word(1), reason: "No such device"))
        case "disk":
            if try line.word(1) == "finishes" { return bedside.finishOne() }
            bedside.disk =
                switch try line.word(1) {
                case "fails": .failing
                case "hangs": .slow
                default: .quick
                }
            answering { $0.settlePending() }
        default: try restart(line)
        }
    }

    /// What is asked for may be answered by something that happens later.
    private mutating func answering(_ happen: (inout Bedside) -> Void) {
        let before = bedside.replies.count
        happen(&bedside)
        if bedside.replies.count > before { reply = bedside.replies.last }
    }

    /// `cut` and `restart` lose what is not durable. `for 3 h` says how long it is off, `stands` that the clock did not go on
    /// meanwhile, `zone …` where it is then.
    private mutating func restart(_ line: ScenarioLine) throws {
        if let index = line.words.firstIndex(of: "for") {
            let off = try line.milliseconds(at: index + 1)
            let stands = line.words.contains("stands")
            bedside.wallMilliseconds += stands ? 0 : off
        }
        if let index = line.words.firstIndex(of: "zone") {
            bedside.zone = try zones.zone(named: try line.word(index + 1))
        }
        bedside.uptimeMilliseconds = 5000
        if line.words.contains("untrusted") { bedside.isTrusted = false }
        if line.words.contains("trusted") { bedside.isTrusted = true }
        bedside.start(seed: 2)
    }

    // MARK: people

    /// Does what somebody does; answers whether the line says such a thing.
    private mutating func act(_ line: ScenarioLine) throws -> Bool {
        switch line.words[0] {
        case "alarm": try save(line)
        case "import":
            var file = AlarmsFile()
            file.alarms = [try line.alarm(from: 1)]
            reply = bedside.ask(.restore(file))
        case "setting": try saveSetting(line)
        case "code", "tag":
            let kind: Challenge.Kind = line.words[0] == "code" ? .qr : .tag
            reply = bedside.ask(
                .enrol(EnrolledCode(label: try line.word(1), kind: kind, digest: CodeDigest(try line.word(1)))))
        case "forget": reply = bedside.ask(.forget(try line.word(1)))
        case "calendar" where line.words.last == "gone": reply = bedside.ask(.saveCalendar(try line.word(1), nil))
        case "calendar":
            var calendar = DayCalendar()
            calendar.off = DateSet(
                try line.words.dropFirst(2).map { word in
                    guard let date = CivilDate(word) else { throw ScenarioFailure(line, "\(word) is no date") }
                    return date...date
                })
            reply = bedside.ask(.saveCalendar(try line.word(1), calendar))
        case "edit":
            let changes = line.words.dropFirst(2).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            reply = bedside.ask(
                .edit(
                    try line.word(1),
                    AlarmPatch(
                        changes.map { change in
                            // A date, and when it rings then.
                            let rule = change[1].split(separator: "@").map(String.init)
                            if rule.count == 2 { return .init(change[0], .object([.init(rule[0], .string(rule[1]))])) }
                            return .init(change[0], change[1] == "null" ? .null : .string(change[1]))
                        })))
        case "send":
            // All of it comes back as it was shown, but for the switch.
            guard var alarm = bedside.engine.alarm(try line.word(1))?.alarm else {
                throw ScenarioFailure(line, "there is no such alarm")
            }
            alarm.isEnabled = try line.word(2) == "on"
            reply = bedside.ask(.save(alarm))
        case "delete": reply = bedside.ask(.delete(try line.word(1)))
        case "enable", "disable": reply = bedside.ask(.enable(try line.word(1), line.words[0] == "enable"))
        case "skip": reply = bedside.ask(.skip(try line.word(1), line.words.count > 2 ? CivilDate(line.words[2]) : nil))
        case "unskip": reply = bedside.ask(.unskip(try line.word(1)))
        case "pause":
            guard let from = CivilDate(try line.word(2)), let until = CivilDate(try line.word(3)) else {
                throw ScenarioFailure(line, "needs two dates")
            }
            reply = bedside.ask(.pause(try line.word(1), DateSet([from...until])))
        case "unlock": reply = bedside.ask(.unlock(try line.word(1)))
        case "snooze":
            let seconds = line.words.count > 1 ? try line.milliseconds(at: 1) / 1000 : nil
            reply = bedside.ask(.snooze(seconds: seconds))
        case "stop": reply = bedside.ask(.stop, meaning: line.words.count > 1 ? line.words[1] : nil)
        case "again": reply = bedside.again()
        case "page":
            // The page says every two seconds that the way out is held.
            var left = try line.milliseconds(at: 2)
            while left > 0 {
                reply = bedside.ask(.hold(true))
                bedside.pass(milliseconds: min(left, 2000))
                left -= 2000
            }
        case "health":
            guard let part = Part(rawValue: try line.word(1)), let grade = Health.Grade(rawValue: try line.word(2))
            else {
                throw ScenarioFailure(line, "no such part or grade")
            }
            bedside.give(
                .health(
                    part, grade == .ok ? .ok : Health(.described(grade, line.words.dropFirst(3).joined(separator: " ")))
                )
            )
        case "test": reply = bedside.ask(.testRing(RingSettings(), inSeconds: 8))
        case "answer": try answer(line)
        case "press":
            guard let button = Button(rawValue: try line.word(1)) else { throw ScenarioFailure(line, "no such button") }
            bedside.press(button)
        case "hold":
            for button in Button.allCases { bedside.give(.button(button, isDown: true)) }
            bedside.pass(milliseconds: try line.milliseconds(at: 1))
            for button in Button.allCases { bedside.give(.button(button, isDown: false)) }
        case "down", "up":
            guard let button = Button(rawValue: try line.word(1)) else { throw ScenarioFailure(line, "no such button") }
            bedside.give(.button(button, isDown: line.words[0] == "down"))
        case "found":
            guard let button = Button(rawValue: try line.word(1)) else { throw ScenarioFailure(line, "no such button") }
            bedside.give(.buttonFound(button, isDown: line.words.last == "down"))
        case "flutter":
            // So many presses, each this far from the next; none is handled before all have happened.
            guard let button = Button(rawValue: try line.word(1)) else { throw ScenarioFailure(line, "no such button") }
            let (count, apart) = (Int(try line.word(2)) ?? 0, try line.milliseconds(at: 3))
            let begun = bedside.uptimeMilliseconds
            bedside.pass(milliseconds: count * apart)
            for edge in 0..<count * 2 {
                bedside.give(.button(button, isDown: edge % 2 == 0, uptime: begun + edge * apart / 2))
            }
        case "enroltag": reply = bedside.ask(.scan(.enrol(label: try line.word(1), kind: .tag)))
        case "show":
            // `earlier`: the frame was taken a second ago.
            let codes = line.words.dropFirst().filter { $0 != "nothing" && $0 != "earlier" }
            let taken = bedside.uptimeMilliseconds - (line.words.last == "earlier" ? 1000 : 0)
            answering { bedside in
                bedside.give(
                    .frame(
                        codes.map { SeenCode(digests: [CodeDigest($0)], byteCount: $0.utf8.count) }, takenUptime: taken)
                )
            }
        case "enrol": reply = bedside.ask(.scan(.enrol(label: try line.word(1))))
        case "try": reply = bedside.ask(.scan(.test))
        case "cancel":
            let before = bedside.replies.count
            bedside.ask(.cancelScan)
            // Whoever looked is told first.
            reply = bedside.replies.count > before + 1 ? bedside.replies[before] : nil
        case "touch":
            let digest = CodeDigest(try line.word(1))
            answering { $0.give(.tag([digest], isRandom: line.words.last == "random")) }
        case "dark": bedside.give(.frame([], isDark: true))
        case "look": sum = askedSum
        case "walk":
            let apart = line.words.count > 2 ? try line.milliseconds(at: 2) : 400
            for _ in 0..<(Int(try line.word(1)) ?? 0) {
                bedside.give(.step())
                bedside.pass(milliseconds: apart)
            }
        case "repeat":
            guard case .pattern(let buttons) = bedside.engine.challengeState.current?.assignment else {
                throw ScenarioFailure(line, "there is no pattern to repeat")
            }
            for button in buttons {
                bedside.press(button)
                bedside.pass(milliseconds: 200)
            }
        default: return false
        }
        return true
    }

    var askedSum: Sum? {
        if case .sum(let sum, _) = bedside.engine.challengeState.current?.assignment { sum } else { nil }
    }

    private mutating func save(_ line: ScenarioLine) throws {
        let alarm = try line.alarm(from: 1)
        if let name = alarm.zoneName { bedside.give(.zonesRead([try zones.zone(named: name)])) }
        reply = bedside.ask(.save(alarm))
    }

    private mutating func saveSetting(_ line: ScenarioLine) throws {
        var settings = bedside.engine.agenda.settings
        let value = try line.word(2)
        switch try line.word(1) {
        case "lock": settings.lockSeconds = (Int(value) ?? 0) * 60
        case "enabled": settings.isEnabled = value == "yes"
        case "emergency": settings.hasEmergencyExit = value == "yes"
        case "preflight": settings.preflight = DayRule(value) ?? .off
        case "zone":
            bedside.give(.zonesRead([try zones.zone(named: value)]))
            settings.zoneName = value
        case "snooze":
            settings.snoozeSecondsMin = (Int(value) ?? 0) * 60
            settings.snoozeSecondsMax = (Int(try line.word(3)) ?? 0) * 60
        default: throw ScenarioFailure(line, "there is no such setting")
        }
        reply = bedside.ask(.saveSettings(settings))
    }

    /// `answer right`, `answer wrong`, `answer all`, `answer looked` for the sum that was looked at, or `answer looked wrong` as
    /// well, which names it.
    private mutating func answer(_ line: ScenarioLine) throws {
        let word = try line.word(1)
        repeat {
            if bedside.engine.challengeState.current == nil, bedside.engine.sessions.addressed != nil {
                bedside.ask(.answer(0))
            }
            guard case .sum(let sum, _) = bedside.engine.challengeState.current?.assignment else {
                throw ScenarioFailure(line, "no sum is asked")
            }
            let number =
                switch word {
                case "wrong": sum.result + 1
                case "looked": (self.sum?.result ?? 0) + (line.words.last == "wrong" ? 1 : 0)
                default: sum.result
                }
            reply = bedside.ask(.answer(number, to: line.words.count > 2 ? self.sum?.number : nil))
        } while word == "all" && bedside.engine.challengeState.current != nil
    }
}
