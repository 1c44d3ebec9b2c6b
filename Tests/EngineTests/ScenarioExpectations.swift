// The expectations of a scenario: the lines after `then`.

import Alarms
import Health
import Records
import Testing
import Text

@testable import Engine

extension ScenarioRunner {
    /// Checks an expectation. Returns true if the line is one.
    func expect(_ line: ScenarioLine) throws -> Bool {
        guard let (found, wanted) = try compared(line) else { return false }
        guard found == wanted else { throw ScenarioFailure(line, "it is \(found)") }
        return true
    }

    /// Checks that a text begins with the rest of the line.
    private func begins(_ text: String, with rest: String) -> (found: String, wanted: String) {
        text.hasPrefix(rest) ? (rest, rest) : (text, rest)
    }

    /// Returns the actual and the expected text, or nil if the line is not an expectation.
    private func compared(_ line: ScenarioLine) throws -> (found: String, wanted: String)? {
        let engine = fixture.engine
        let rest = line.words.dropFirst().joined(separator: " ")
        let past = engine.sessions.past.rings.filter { $0.occurrence.alarm == line.words.dropFirst().first }
        switch line.words[0] {
        case "rings":
            let (heard, current) = (fixture.sound?.occurrence.alarm, engine.sessions.current?.occurrence.alarm)
            return (heard == current ? heard ?? "silent" : "\(heard as Any) while \(current as Any) is current", rest)
        case "silent": return (fixture.sound.map { "\($0.occurrence)" } ?? "", rest)
        case "lamp": return (fixture.lamps.isCameraLit ? "on" : "off", rest)
        case "light": return (fixture.lamps.status.rawValue, rest)
        case "listens": return (fixture.senses.map(\.rawValue).sorted().joined(separator: ", "), rest)
        case "health":
            let health = Part(rawValue: try line.word(1)).flatMap { engine.health(of: $0) }
            return (health?.grade.rawValue ?? "unknown", try line.word(2))
        case "readied": return (fixture.readiedSound ?? "none", rest)
        case "speaker": return (fixture.isSpeakerReady ? "ready" : "idle", rest)
        case "another", "same":
            return (askedSum == nil ? "not asked" : askedSum == sum ? "same" : "another", line.words[0])
        case "sum":
            // `sum of 3 numbers`: a sign stands between any two of them.
            return ("\(askedSum.map { ($0.text.split(separator: " ").count + 1) / 2 } ?? 0)", try line.word(2))
        case "left":
            return switch engine.challengeState.current?.assignment {
            case .sum(_, let left), .steps(let left): ("\(left)", rest)
            default: ("not asked", rest)
            }
        case "pairing":
            return begins(pairing(of: try line.word(1)), with: line.words.dropFirst(2).joined(separator: " "))
        case "clients":
            let known = engine.at(fixture.moment).knownClients.map(\.name)
            return (known.isEmpty ? "none" : known.joined(separator: " "), rest)
        case "written": return ("\(fixture.writtenCount(try line.word(1)))", try line.word(2))
        case "open":
            let open = engine.sessions.all.map { $0.terms.isTest ? "test" : $0.occurrence.alarm }
            return (open.isEmpty ? "none" : open.joined(separator: " "), rest)
        case "occurrence": return (engine.sessions.addressed.map { "\($0.occurrence.at)" } ?? "none", rest)
        case "early": return try compare((engine.sessions.addressed?.earlySeconds ?? -1) * 1000, line, at: 1)
        case "late": return try compare((engine.sessions.addressed?.lateSeconds ?? -1) * 1000, line, at: 1)
        case "snoozes": return ("\(engine.sessions.addressed?.snoozeCount ?? -1)", rest)
        case "volume":
            let began = fixture.sound?.rampStartUptime
            return try compare(began.map { fixture.uptimeMilliseconds - $0 } ?? -1, line, at: 1)
        case "shakes":
            let began = fixture.shaking?.rampStartUptime
            return try compare(began.map { fixture.uptimeMilliseconds - $0 } ?? -1, line, at: 1)
        case "still": return (fixture.shaking == nil ? "" : "shaking", rest)
        case "sunrise":
            switch (fixture.sunrise, try line.word(1)) {
            case (.rising(let from, _), "risen"): return try compare(fixture.uptimeMilliseconds - from, line, at: 2)
            case (.rising(_, let until), "left"): return try compare(until - fixture.uptimeMilliseconds, line, at: 2)
            case (let order, _): return (order.map { "\($0)" } ?? "off", rest)
            }
        case "dawn":
            // The alarm of the sunrise in the status, and its level now.
            let level = engine.sunrise.map { "\($0.alarm.label) \($0.level(at: fixture.wallMilliseconds))" }
            return (level ?? "none", rest)
        case "bedtime":
            let at = engine.agenda.bedtime.next.map { "\(engine.zone.local($0).time)" }
            return (at ?? "none", rest)
        case "prompts":
            let name = line.words.dropFirst().dropLast().joined(separator: " ")
            return ("\(name) \(fixture.prompts.count { shown($0) == name })", rest)
        case "inbed":
            // The time in bed of the alarm's last ring.
            guard let ring = past.last, let since = ring.session?.inBedMilliseconds else {
                return ("\(try line.word(1)) unknown", rest)
            }
            return try compare(ring.endedMilliseconds - since, line, at: 2)
        case "sounds": return (fixture.sound?.ring.sound ?? "silent", rest)
        case "loud": return ("\(fixture.sound?.ring.volume ?? 0)", rest)
        case "done": if case .done = reply { return (rest, rest) } else { return (shown(reply), "done") }
        case "enrolled":
            return (engine.codes.first { $0.label == line.words[1] }?.digest.text ?? "nothing", try line.word(2))
        case "seen":
            guard case .done(.codeSeen(let label, _, _, _)) = reply else { return (shown(reply), rest) }
            return (label ?? "unknown", rest)
        case "skipped":
            guard case .done(.skipped(_, let date)) = reply else { return (shown(reply), rest) }
            return ("\(date)", rest)
        case "clamped":
            if case .done(.snoozed(_, _, _, true, _)) = reply { return (rest, rest) }
            return (shown(reply), line.words[0])
        case "ringing":
            // The alarm that still rings, according to the reply.
            switch reply {
            case .done(.stopped(_, let name)), .done(.completed(_, _, let name)), .done(.snoozed(_, _, _, _, let name)):
                return (name?.id ?? "nothing", rest)
            default: return (shown(reply), rest)
            }
        case "asks":
            // The time until the wake-up check asks, or `never` without one.
            let left = engine.at(fixture.moment).status().sessions.lazy.compactMap(\.asksMilliseconds).min()
            guard rest != "never" else { return (left == nil ? rest : "\(left ?? 0) ms", rest) }
            return try compare(left ?? -1, line, at: 1)
        case "answered":
            if case .done(.late) = reply { return ("late", rest) }
            return (shown(reply), rest)
        case "locked":
            // `locked out 20 s` compares with the status.
            return try compare(engine.status().sessions.first?.lockedOutMilliseconds ?? -1, line, at: 2)
        case "wrong":
            // `wrong yes`: the status says that the last answer was wrong.
            let status = engine.at(fixture.moment).status()
            let isWrong = status.sessions.first?.isWrong ?? status.unlocking?.isWrong ?? false
            return (isWrong ? "yes" : "no", rest)
        case "busy":
            // `busy yes`: the status says that a snooze would be refused.
            return (engine.at(fixture.moment).status().sessions.first?.isBusy == true ? "yes" : "no", rest)
        case "unlocked":
            let names = engine.status().unlocked.map(\.label)
            return (names.isEmpty ? "none" : names.joined(separator: " "), rest)
        case "refused":
            guard let refusal = (reply ?? lastPrompt)?.refusal else { return (shown(reply), rest) }
            return begins("\(refusal)", with: rest)
        case "warned":
            guard let reasons = warnings?.map(\.reason) else { return (shown(reply), rest) }
            return reasons.contains { $0.hasPrefix(rest) } ? (rest, rest) : ("\(reasons)", rest)
        case "unwarned": return warnings == [] ? (rest, rest) : (shown(reply), line.words[0])
        case "told": return begins(lastPrompt?.refusal.map { "\($0)" } ?? "nothing", with: rest)
        case "prompted":
            // `wrong`, `done` or `ended`, and the challenge or the ending.
            return (fixture.prompts.last.map(shown) ?? "nothing", rest)
        case "waits": return (reply == nil ? rest : shown(reply), rest)
        case "camera": return (fixture.isCameraOn ? "on" : "off", rest)
        case "ended": return (past.last?.ending.rawValue ?? "not at all", try line.word(2))
        case "endedby":
            return (past.last?.session?.endedBy?.name ?? "nothing", line.words.dropFirst(2).joined(separator: " "))
        case "logged":
            let name = try line.word(1)
            return ("\(engine.events.entries.count { $0.fact.name == name })", try line.word(2))
        case "noted":
            let (past, terms) = (engine.sessions.past.rings.last, engine.sessions.addressed?.terms)
            return ("\(terms?.note ?? past?.note ?? "") \(terms?.category ?? past?.category ?? "")", rest)
        case "called": return (engine.sessions.past.rings.last?.label ?? "nothing", rest)
        case "replaced":
            // The challenges of an alarm that others would replace now.
            let alarm = engine.agenda.alarms[try line.word(1)]?.alarm
            let texts = (alarm.map(engine.replaced) ?? []).map(\.text)
            return (
                texts.isEmpty ? "none" : texts.joined(separator: ", "), line.words.dropFirst(2).joined(separator: " ")
            )
        case "instead":
            // The challenges that were completed in place of others in the last ring.
            let done = engine.sessions.past.rings.last?.session?.replacements.sorted { $0.key < $1.key } ?? []
            let texts = done.map { "\($0.key) by \($0.value.summary)" }
            return (texts.isEmpty ? "none" : texts.joined(separator: ", "), rest)
        case "never":
            return (past.isEmpty && !engine.sessions.all.contains { $0.occurrence.alarm == rest } ? rest : "rung", rest)
        case "times": return ("\(past.count)", try line.word(2))
        case "next":
            let next = engine.agenda.due[try line.word(1)].map { "\($0.at)" } ?? "never"
            return (next, try line.word(2) == "never" ? "never" : "\(try instant(line, 2))")
        case "is":
            let alarm = engine.agenda.alarms[try line.word(1)]?.alarm
            return (alarm.map { $0.isEnabled ? "on" : "off" } ?? "gone", try line.word(2))
        case "notified": return fixture.notices.contains { "\($0)".contains(rest) } ? (rest, rest) : ("not", rest)
        case "notices": return ("\(fixture.notices.count)", rest)
        case "noticed":
            let noticed = engine.status().noticed.map(\.occurrence.alarm)
            return (noticed.isEmpty ? "none" : noticed.joined(separator: " "), rest)
        case "undone":
            let open = engine.status().open.map(\.occurrence.alarm)
            return (open.isEmpty ? "none" : open.joined(separator: " "), rest)
        case "preflights": return ("\(fixture.effects.count { $0 == .preflight })", rest)
        case "asked": return (engine.challengeState.current?.assignment.kind?.rawValue ?? "nothing", rest)
        default: return nil
        }
    }

    /// The warnings of the reply to a save; nil for any other reply.
    private var warnings: [Problem]? {
        switch reply {
        case .done(.saved(_, let warnings)), .done(.calendarSaved(_, let warnings)): warnings
        default: nil
        }
    }

    private func compare(_ found: Int, _ line: ScenarioLine, at index: Int) throws -> (found: String, wanted: String) {
        ("\(found) ms", "\(try line.milliseconds(at: index)) ms")
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
        case .check(let occurrence): "check \(occurrence.alarm)"
        case .next(let ring): "next \(ring?.occurrence.alarm ?? "nothing")"
        case .notice(let ring): "notice \(ring.occurrence.alarm)"
        case .bedtime: "bedtime"
        case .inBed: "in bed"
        }
    }

    private func shown(_ reply: Reply?) -> String { reply.map { "\($0)" } ?? "none yet" }
}
