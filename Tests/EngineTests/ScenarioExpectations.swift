// What a scenario says that must be.

import Alarms
import Testing

@testable import Engine

extension ScenarioRunner {
    /// Checks what must be so; answers whether the line says such a thing.
    func expect(_ line: ScenarioLine) throws -> Bool {
        func check(_ holds: Bool, _ actual: @autoclosure () -> String) throws {
            if !holds { throw ScenarioFailure(line, actual()) }
        }
        let engine = fixture.engine
        let rest = line.words.dropFirst().joined(separator: " ")
        switch line.words[0] {
        case "rings":
            try check(
                fixture.sound?.occurrence.alarm == rest && engine.sessions.current?.occurrence.alarm == rest,
                fixture.sound.map { "it is \($0.occurrence) that rings" } ?? "it is silent")
        case "silent": try check(fixture.sound == nil, "it rings")
        case "lamp": try check(fixture.lamps.isCameraLit == (rest == "on"), "it is not")
        case "light": try check(fixture.lamps.status.rawValue == rest, "it is \(fixture.lamps.status)")
        case "listens":
            try check(fixture.senses.map(\.rawValue).sorted().joined(separator: ", ") == rest, "\(fixture.senses)")
        case "health":
            let grade = Part(rawValue: try line.word(1)).flatMap { engine.health(of: $0)?.grade.rawValue } ?? "unknown"
            try check(grade == (try line.word(2)), "it is \(grade)")
        case "speaker": try check(fixture.isSpeakerReady == (rest == "ready"), "it is not")
        case "another": try check(askedSum != nil && askedSum != sum, "it is the same")
        case "same": try check(askedSum != nil && askedSum == sum, "it is another")
        case "sum":
            // `sum of 3 numbers`: between any two of them stands a sign.
            let count = askedSum.map { ($0.text.split(separator: " ").count + 1) / 2 } ?? 0
            try check("\(count)" == (try line.word(2)), "it is of \(count)")
        case "left":
            let left =
                switch engine.challengeState.current?.assignment {
                case .sum(_, let left), .steps(let left): left
                default: -1
                }
            try check("\(left)" == rest, "\(left) are left")
        case "written":
            let count = fixture.writtenCount(try line.word(1))
            try check("\(count)" == (try line.word(2)), "it was \(count) times")
        case "open":
            guard !rest.isEmpty else { throw ScenarioFailure(line, "says nothing: none, or test") }
            let open = engine.sessions.all.map { $0.terms.isTest ? "test" : $0.occurrence.alarm }.joined(
                separator: " ")
            try check(open == (rest == "none" ? "" : rest), "open are \(open.isEmpty ? "none" : open)")
        case "occurrence":
            let at = engine.sessions.addressed.map { "\($0.occurrence.at)" } ?? "none"
            try check(at == rest, "it is \(at)")
        case "late":
            let late = engine.sessions.addressed?.lateSeconds ?? -1
            try check(late == (try line.milliseconds(at: 1)) / 1000, "it is late by \(late) s")
        case "snoozes":
            let count = engine.sessions.addressed?.snoozeCount ?? -1
            try check("\(count)" == rest, "\(count) were counted")
        case "volume":
            let began = fixture.sound?.rampStartUptime
            let risen = began.map { fixture.uptimeMilliseconds - $0 } ?? -1
            try check(risen == (try line.milliseconds(at: 1)), "it has risen for \(risen) ms")
        case "sounds": try check(fixture.sound?.ring.sound == rest, "it is \(fixture.sound?.ring.sound ?? "silent")")
        case "loud":
            let volume = fixture.sound?.ring.volume ?? 0
            try check("\(volume)" == rest, "it is \(volume)")
        case "done":
            if case .done = reply {} else { throw ScenarioFailure(line, "the answer was \(shown(reply))") }
        case "enrolled":
            let code = engine.codes.first { $0.label == line.words[1] }
            try check(code?.digest.text ?? "nothing" == (try line.word(2)), "it is \(code?.digest.text ?? "nothing")")
        case "seen":
            guard case .done(.codeSeen(let label, _, _, _)) = reply, (label ?? "unknown") == rest else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
        case "skipped":
            guard case .done(.skipped(_, let date)) = reply, "\(date)" == rest else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
        case "clamped":
            guard case .done(.snoozed(_, _, _, true, _)) = reply else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
        case "ringing":
            // Which alarm the answer says rings on.
            let name: AlarmName? =
                switch reply {
                case .done(.stopped(_, let name)), .done(.completed(_, _, let name)),
                    .done(.snoozed(_, _, _, _, let name)):
                    name
                default: nil
                }
            try check(name?.id ?? "nothing" == rest, "the answer was \(shown(reply))")
        case "answered":
            guard case .done(.late) = reply, rest == "late" else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
        case "locked":
            // `locked out 20 s`: what the status says of it.
            let left = engine.status().sessions.first?.lockedOutMilliseconds ?? -1
            try check(left == (try line.milliseconds(at: 2)), "it is for \(left) ms")
        case "refused":
            guard case .refused(let refusal) = reply ?? lastPrompt else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
            try check("\(refusal)".hasPrefix(rest), "the reason was \"\(refusal)\"")
        case "warned":
            guard case .done(.saved(_, let warnings)) = reply else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
            try check(warnings.contains { $0.reason.hasPrefix(rest) }, "the warnings are \(warnings.map(\.reason))")
        case "unwarned":
            guard case .done(.saved(_, [])) = reply else {
                throw ScenarioFailure(line, "the answer was \(shown(reply))")
            }
        case "told":
            guard case .refused(let refusal)? = lastPrompt else { throw ScenarioFailure(line, "nothing was refused") }
            try check("\(refusal)".hasPrefix(rest), "the reason was \"\(refusal)\"")
        case "prompted":
            // `wrong`, `done` or `ended`, and of which challenge, or how.
            let last = fixture.prompts.last.map(shown) ?? "nothing"
            try check(last == rest, "it was \(last)")
        case "waits": try check(reply == nil, "the answer was \(shown(reply))")
        case "camera": try check(fixture.isCameraOn == (rest == "on"), "it is not")
        case "ended":
            let ends = engine.sessions.past.rings.filter { $0.occurrence.alarm == line.words[1] }
            let last = ends.last.map { "\($0.ending.rawValue)" } ?? "not at all"
            try check(last == (try line.word(2)), "it ended \(last)")
        case "called":
            let name = engine.sessions.past.rings.last?.label ?? "nothing"
            try check(name == rest, "it is called \(name)")
        case "never":
            let count = engine.sessions.past.rings.filter { $0.occurrence.alarm == rest }.count
            try check(count == 0 && !engine.sessions.all.contains { $0.occurrence.alarm == rest }, "it did")
        case "times":
            let count = engine.sessions.past.rings.filter { $0.occurrence.alarm == line.words[1] }.count
            try check("\(count)" == (try line.word(2)), "it was \(count)")
        case "next":
            let next = engine.agenda.due[try line.word(1)].map { "\($0.occurrence.at)" } ?? "never"
            let wanted = try line.word(2) == "never" ? "never" : "\(try instant(line, 2))"
            try check(next == wanted, "it is \(next)")
        case "is":
            let alarm = engine.agenda.alarms[try line.word(1)]?.alarm
            let state = alarm.map { $0.isEnabled ? "on" : "off" } ?? "gone"
            try check(state == (try line.word(2)), "it is \(state)")
        case "notified":
            try check(fixture.notices.contains { "\($0)".contains(rest) }, "nobody was: \(fixture.notices)")
        case "notices": try check("\(fixture.notices.count)" == rest, "there are \(fixture.notices)")
        case "preflights":
            let count = fixture.effects.count { $0 == .preflight }
            try check("\(count)" == rest, "there were \(count)")
        case "asked":
            let kind = engine.challengeState.current?.assignment.kind?.rawValue ?? "nothing"
            try check(kind == rest, "it is \(kind)")
        default: return false
        }
        return true
    }

    private var lastPrompt: Reply? {
        fixture.prompts.reversed().lazy.compactMap { prompt in
            if case .refused(let refusal) = prompt { Reply.refused(refusal) } else { nil }
        }.first
    }

    private func shown(_ prompt: Prompt) -> String {
        switch prompt {
        case .refused: "refused"
        case .challenge: "challenge"
        case .wrong(let kind): "wrong \(kind.rawValue)"
        case .done(let kind): "done \(kind.rawValue)"
        case .ended(_, let ending): "ended \(ending.rawValue)"
        case .next(let ring): "next \(ring?.occurrence.alarm ?? "nothing")"
        case .inBed: "in bed"
        }
    }

    private func shown(_ reply: Reply?) -> String { reply.map { "\($0)" } ?? "none yet" }
}
