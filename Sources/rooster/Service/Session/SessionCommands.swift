// `rooster snooze`, `stop`, `answer` and `unlock`: what a sleeper can do about what rings.

import Alarms
import JSON
import Text

enum SnoozeCommand {
    static let command = Command.ofService(
        "snooze", "silences what rings for a while: rooster snooze 10",
        help: """
            Usage: rooster snooze [MINUTES] [--json]

            Silences what rings, for as long as the alarm says or for as many minutes; the device may hold that within
            bounds, and says so. A length may have a unit: 90s, 10min.

              --json   one JSON object: alarm and label, until, left (how often it may be snoozed again; null without a
                       limit), clamped (whether it is another length than was asked for), ringing (the alarm and label of
                       what rings on; or null); an empty one when that was a test, which is over then

            The exit status is 1 when nothing rings, or no snooze is left.
            """,
        optionalWords: ["MINUTES"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        var fields: [JSON.Member] = []
        if let text = call.arguments.words.first {
            guard let seconds = LengthText.seconds(text, bare: 60) else {
                throw call.arguments.wrong("\(text.quoted) is no number of minutes")
            }
            fields.append(.init("seconds", .number(seconds)))
        }
        let answer: Answer
        switch try call.service.reply(to: "snooze", fields) {
        case .done(let done): answer = done
        case .refused(let refused):
            let status = try call.service.status()
            let resting = refused.reason == "nothingRings" ? status.sessions.first { $0.state == .resting } : nil
            let rests = resting.map { StatusLines(status, call.style).words($0) }
            throw .refused(rests ?? refused.description, answer: refused.json)
        }
        let (until, left) = try answer.read { fields in
            (until: fields.instant("until"), left: fields.integer("left"))
        }
        let isClamped = try answer.read { fields in Optional(fields.bool("clamped") ?? false) }
        // Nobody sleeps on over a test.
        guard let until else { return call.say(answer, "The test is over.") }
        guard !call.isJSON else { return call.say(answer, "") }
        let clock = HouseClock(try call.service.status())
        let rest =
            switch left {
            case nil: "as often as you like"
            case 0?: "that was the last time"
            case let left?: "\(left) more \(left == 1 ? "time" : "times")"
            }
        let name = try answer.nameOfAlarm()
        let bounds = isClamped ? ", as this device snoozes no shorter and no longer" : ""
        let others = try answer.ringsOn
        call.say(answer, "\(name) is snoozed until \(clock.day(until))\(bounds); \(rest).\(others)")
    }
}

enum StopCommand {
    static let command = Command.ofService(
        "stop", "stops what rings; an alarm with challenges says what to do first",
        help: """
            Usage: rooster stop [--all] [--json]

            Stops what rings. An alarm with challenges is not stopped by it: the first challenge that is open begins, and
            what to do is said ('rooster answer N' answers a sum). When all are done the alarm stops by itself.

              --all    everything that rings, waits or is snoozed, each likewise
              --json   one JSON object: state ("stopped", with alarm, label and ringing, the alarm and label of what rings
                       on; or "nothingRings"); or reason, words and asked (what is to be done)

            The exit status is 1 when it rings on.
            """,
        flags: ["--all"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        guard !call.arguments.has("--all") else { return try stopAll(call) }
        switch try call.service.reply(to: "stop", []) {
        case .done(let answer):
            let (state, asked) = try answer.read { fields in (fields.text("state"), Asked.read("asked", &fields)) }
            if let asked { throw .refused("It rings on. \(asked.words)", answer: answer.json) }
            guard state != "nothingRings" else { return call.say(answer, "Nothing rings.") }
            let name = try answer.nameOfAlarm()
            let others = try answer.ringsOn
            call.say(answer, "\(name) is stopped.\(others)")
        case .refused(let refused):
            throw .refused(try words(refused, call.service), answer: refused.json)
        }
    }

    /// Each session is named: one that ends meanwhile must not have another ended in its place.
    private static func stopAll(_ call: ServiceCall) throws(Refusal) {
        var refusal: RefusedByService?
        var hasStopped = false
        for session in try call.service.status().sessions {
            guard let at = session.at else { continue }
            let meant = JSON.object([.init("alarm", .string(session.alarm)), .init("at", .text(at))])
            switch try call.service.reply(to: "stop", [.init("meant", meant)]) {
            case .done(let answer):
                // It may have ended with one before it.
                guard try answer.read({ fields in Optional(fields.text("state")) }) == "stopped" else { continue }
                hasStopped = true
                call.say(answer, "\(StatusLines.name(session)) is stopped.")
            case .refused(let refused): refusal = refusal ?? refused
            }
        }
        if let refusal { throw .refused(try words(refusal, call.service), answer: refusal.json) }
        if !hasStopped { call.say(Answer(members: [.init("state", .string("nothingRings"))]), "Nothing rings.") }
    }

    /// Why not, and what is to be done now.
    private static func words(_ refused: RefusedByService, _ service: RunningService) throws(Refusal) -> String {
        let isAsked = ["challengesOpen", "challengeOpen", "validating"].contains(refused.reason)
        guard isAsked else { return refused.description }
        let status = try service.status()
        let session = status.foremost
        guard let asked = session?.askedWords ?? refused.asked?.words else { return refused.description }
        let isSilent = session?.state == .snoozed || session?.state == .resting
        let name = session.map(StatusLines.name) ?? "It"
        return
            (["\(name) \(isSilent ? "is not over" : "rings on")", asked] + [status.cameraTrouble].compactMap(\.self))
            .joined(separator: ". ")
    }
}

extension Answer {
    /// That another alarm rings on, if one does.
    fileprivate var ringsOn: String {
        get throws(Refusal) {
            let name = try read { fields in
                Optional(
                    fields.object("ringing") { fields in
                        ShownName.of(fields.text("alarm") ?? "", fields.text("label") ?? "")
                    })
            }
            return name.map { " \($0) rings on." } ?? ""
        }
    }
}

enum AnswerCommand {
    static let command = Command.ofService(
        "answer", "answers the sum that is asked: rooster answer 42",
        help: """
            Usage: rooster answer N [--json]

            Answers the sum that is asked, and says what is to be done next.

              --json   one JSON object: right, asked (what is to be done now; null when all is done, and then state,
                       "stopped" or "unlocked", alarm, label and ringing), late (true where the answer was for the sum whose
                       time is over)

            The exit status is 1 when the answer is wrong, or none is taken.
            """,
        words: ["N"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let text = call.arguments.words[0]
        guard let number = Int(text) else { throw call.arguments.wrong("\(text.quoted) is not a whole number") }
        let answer = try call.service.ask("answer", .init("number", .number(number)))
        let (isRight, asked, state) = try answer.read { fields -> (isRight: Bool?, asked: Asked?, state: String?)? in
            let (isRight, asked) = (fields.bool("right"), Asked.read("asked", &fields))
            return isRight == nil && asked == nil ? nil : (isRight, asked, fields.text("state"))
        }
        let isLate = try answer.read { fields in Optional(fields.bool("late") ?? false) }
        if isRight == nil, let asked {
            throw .refused("Nothing was asked yet. \(asked.words)", answer: answer.json)
        }
        if isLate, let asked {
            throw .refused("\(number) came too late: that sum's time is over. \(asked.words)", answer: answer.json)
        }
        guard isRight == true else {
            throw .refused("\(number) is wrong\(asked.map { ". \($0.words)" } ?? "")", answer: answer.json)
        }
        if let asked { return call.say(answer, "Right. \(asked.words)") }
        let name = try answer.nameOfAlarm()
        let others = try answer.ringsOn
        call.say(
            answer,
            state == "unlocked"
                ? "Right. All challenges are done: \(name) can be changed now; at another time it is locked anew."
                : "Right. All challenges are done: \(name) is stopped.\(others)")
    }
}

enum UnlockCommand {
    static let command = Command.ofService(
        "unlock", "begins an alarm's challenges now, so that it can be changed",
        help: """
            Usage: rooster unlock ALARM [--json]

            Shortly before an alarm with challenges rings, it can be switched off or made easier only by doing its
            challenges: this begins them, and says what to do.

            \(Command.alarmHelp)

              --json   one JSON object: asked (what is to be done); or lockedFrom, of an alarm that is not locked yet (null
                       if it is not going to be); neither when all is done
            """,
        words: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask("unlock", .init("alarm", .string(found.alarm.id)))
        let isLocked = !answer.members.contains { $0.name == "lockedFrom" }
        let (asked, from) = try answer.read { fields in
            (asked: Asked.read("asked", &fields), from: isLocked ? nil : fields.instant("lockedFrom"))
        }
        guard !call.isJSON else { return call.say(answer, "") }
        let name = found.alarm.shownName
        if let asked {
            call.say(answer, asked.words)
        } else if isLocked {
            call.say(answer, "\(name) is unlocked: it can be changed now; at another time it is locked anew.")
        } else if let from {
            let time = HouseClock(try call.service.status()).day(from)
            call.say(answer, "\(name) is not locked before \(time): until then it can be changed as it is.")
        } else {
            call.say(answer, "\(name) is not locked: it can be changed as it is.")
        }
    }
}

enum RingTestCommand {
    static let command = Command.ofService(
        "test-ring", "rings in a few seconds as an alarm would, without challenges",
        help: """
            Usage: rooster test-ring [--in SECONDS] [--sound ID] [--volume V] [--ramp SECONDS] [--json]

            Rings in a few seconds, on the whole way that an alarm takes, but without challenges: 'rooster stop' ends it.

              --in SECONDS     when, within a minute; without it, in 8 seconds
              --sound ID       as 'rooster sound list' shows them
              --volume V       0.01 to 1, or 1% to 100%
              --ramp SECONDS   how long the volume takes to rise
              --json           one JSON object
            """,
        valued: ["--in", "--sound", "--volume", "--ramp"], run: run)

    private static let secondsStandard = 8
    private static let secondsMax = 60

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let seconds =
            try call.arguments.value("--in", "a length of time, as in 8") { LengthText.seconds($0, bare: 1) }
            ?? secondsStandard
        guard (0...secondsMax).contains(seconds) else {
            throw call.arguments.wrong("--in: a test rings within \(secondsMax) s: 'rooster add' sets an alarm")
        }
        let ring = JSON.object(try AlarmOptions(call.arguments).changes(to: .null)).member("ring")
        let (start, names) = (JSON.Member("in", .number(seconds)), OptionNames.ofAlarm(.null, call.arguments))
        let answer =
            if let ring {
                try call.service.ask("testRing", start, .init("ring", ring), naming: names)
            } else {
                try call.service.ask("testRing", start)
            }
        let time = seconds == 0 ? "now" : "in \(TimeWords.length(seconds))"
        call.say(answer, "A test rings \(time): 'rooster stop' ends it.", naming: names)
    }
}
