// `rooster snooze`, `stop`, `answer`, `unlock` and `test-ring`: the commands about a ring.

import API
import Alarms
import JSON
import Text

enum SnoozeCommand {
    static let command = Subcommand.ofService(
        "snooze", "silences what rings for a while: rooster snooze 10",
        help: """
            Usage: rooster snooze [MINUTES] [--json]

            Silences what rings, for as long as the alarm says or for as many minutes; the device may hold that within
            bounds, and says so. A length may have a unit: 90s, 10min.

              --json   one JSON object: state ("snoozed"; or "testOver", for nobody sleeps on over a test), alarm and label,
                       until, untilLocal, left (how often it may be snoozed again; missing without a limit), clamped
                       (whether it is another length than was asked for), ringing (the alarm and label of what rings on)

            The exit status is 1 when nothing rings, or no snooze is left.
            """,
        optionalWords: ["MINUTES"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let seconds = try call.arguments.words.first.map { text throws(CommandError) in
            guard let seconds = LengthText.seconds(text, bare: 60) else {
                throw call.arguments.wrong("\(text.quoted) is no number of minutes")
            }
            return seconds
        }
        let answer: SuccessResponse<SessionOutcome>
        switch try call.service.reply(to: Snooze(seconds: seconds)) {
        case .success(let done): answer = done
        case .failure(let error):
            let status = error.code == .nothingRings ? error.status : nil
            let rests = status.flatMap { status in
                status.sessions.first { $0.state == .resting }.map { StatusLines(status, call.style).words($0) }
            }
            throw .refused(rests ?? error.words(), answer: error.forScripts)
        }
        let snoozed = answer.body
        // A snooze ends a test.
        guard let until = snoozed.until, let device = snoozed.device else {
            return call.say(answer, "The test is over.")
        }
        let rest =
            switch snoozed.left {
            case nil: "as often as you like"
            case 0?: "that was the last time"
            case let left?: "\(left) more \(left == 1 ? "time" : "times")"
            }
        let bounds = snoozed.clamped == true ? ", the nearest that this device allows" : ""
        let words =
            "\(snoozed.shownName) is snoozed until \(DeviceClock(device).day(until.instant))\(bounds); \(rest).\(snoozed.ringsOn)"
        call.say(answer, words)
    }
}

enum StopCommand {
    static let command = Subcommand.ofService(
        "stop", "stops what rings; an alarm with challenges says what to do first",
        help: """
            Usage: rooster stop [--all] [--json]

            Stops what rings. An alarm with challenges is not stopped by it: the first challenge that is open begins, and
            what to do is said ('rooster answer N' answers a sum). When all are done the alarm stops by itself.

              --all    everything that rings, waits or is snoozed, each likewise
              --json   one JSON object: state ("stopped", with alarm, label and ringing, the alarm and label of what rings
                       on; or "nothingRings"); or error, with code, message, asked (what is to be done) and
                       status

            The exit status is 1 when it rings on.
            """,
        flags: ["--all"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        guard !call.arguments.has("--all") else { return try stopAll(call) }
        switch try call.service.reply(to: Stop()) {
        case .success(let answer):
            if let asked = answer.body.asked {
                throw .refused("It rings on. \(asked.words)", answer: answer.forScripts)
            }
            guard answer.body.state != .nothingRings else { return call.say(answer, "Nothing rings.") }
            call.say(answer, "\(answer.body.shownName) is stopped.\(answer.body.ringsOn)")
        case .failure(let error):
            throw .refused(words(error), answer: error.forScripts)
        }
    }

    /// Stops all sessions. Each request names its session, so that it stops no other if that one has ended.
    private static func stopAll(_ call: ServiceCall) throws(CommandError) {
        var refusal: ErrorResponse?
        var hasStopped = false
        for session in try call.service.status().sessions {
            switch try call.service.reply(to: Stop(), ifRing: RingReference(alarm: session.alarm, at: session.at)) {
            case .success(let answer):
                // The session may have ended together with an earlier one.
                guard answer.body.state == .stopped else { continue }
                hasStopped = true
                call.say(answer, "\(session.shownName) is stopped.")
            case .failure(let error): refusal = refusal ?? error
            }
        }
        if let refusal { throw .refused(words(refusal), answer: refusal.forScripts) }
        guard !hasStopped else { return }
        call.say(SuccessResponse(SessionOutcome(.nothingRings)), "Nothing rings.")
    }

    private static func words(_ error: ErrorResponse) -> String {
        guard [.challengesOpen, .challengeOpen, .validating].contains(error.code) else { return error.words() }
        let session = error.status?.foremost
        guard let asked = session?.askedWords ?? error.asked?.words else { return error.words() }
        let isSilent = session?.state == .snoozed || session?.state == .resting
        let name = error.alarm?.shownName ?? session?.shownName ?? "It"
        return
            (["\(name) \(isSilent ? "is not over" : "rings on")", asked]
            + [error.status?.cameraTrouble].compactMap(\.self))
            .joined(separator: ". ")
    }
}

extension SessionOutcome {
    fileprivate var shownName: String { ShownName.of(alarm ?? "", label ?? "") }

    fileprivate var ringsOn: String { ringing.map { " \($0.shownName) rings on." } ?? "" }
}

enum AnswerCommand {
    static let command = Subcommand.ofService(
        "answer", "answers the sum that is asked: rooster answer 42",
        help: """
            Usage: rooster answer N [--json]

            Answers the sum that is asked, and says what is to be done next.

              --json   one JSON object: correct, state ("asked"; or "stopped" or "unlocked" when all is done, with alarm,
                       label and ringing), asked (what is to be done now), late (true where the answer was for the sum whose
                       time is over)

            The exit status is 1 when the answer is wrong, or none is taken.
            """,
        words: ["N"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let text = call.arguments.words[0]
        guard let number = Int(text) else { throw call.arguments.wrong("\(text.quoted) is not a whole number") }
        let answer = try call.service.ask(AnswerSum(number: number))
        let outcome = answer.body
        let next = outcome.asked.map { ". \($0.words)" } ?? ""
        if outcome.correct == nil { throw .refused("Nothing was asked yet\(next)", answer: answer.forScripts) }
        if outcome.late == true {
            throw .refused("\(number) came too late: that sum's time is over\(next)", answer: answer.forScripts)
        }
        guard outcome.correct == true else { throw .refused("\(number) is wrong\(next)", answer: answer.forScripts) }
        guard outcome.asked == nil else { return call.say(answer, "Right\(next)") }
        call.say(
            answer,
            outcome.state == .unlocked
                ? "Right. All challenges are done: \(outcome.shownName) can be changed until it rings; moved to another time, it is locked again."
                : "Right. All challenges are done: \(outcome.shownName) is stopped.\(outcome.ringsOn)")
    }
}

enum UnlockCommand {
    static let command = Subcommand.ofService(
        "unlock", "begins an alarm's challenges now, so that it can be changed",
        help: """
            Usage: rooster unlock ALARM [--json]

            Shortly before an alarm with challenges rings, it can be switched off or made easier only by doing its
            challenges: this begins them, and says what to do.

            \(Subcommand.alarmHelp)

              --json   one JSON object: state ("asked", with asked, what is to be done; "notLocked", with until, from when on
                       it is, if it is going to be; or "unlocked")
            """,
        words: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask(Unlock(alarm: found.alarm.id))
        let (name, outcome) = (found.alarm.shownName, answer.body)
        if let asked = outcome.asked {
            call.say(answer, asked.words)
        } else if outcome.state == .unlocked {
            call.say(
                answer,
                "\(name) is unlocked: it can be changed until it rings; moved to another time, it is locked again.")
        } else if let from = outcome.until, let device = outcome.device {
            let time = DeviceClock(device).day(from.instant)
            call.say(answer, "\(name) is not locked before \(time): until then it can be changed as it is.")
        } else {
            call.say(answer, "\(name) is not locked: it can be changed as it is.")
        }
    }
}

enum RingTestCommand {
    static let command = Subcommand.ofService(
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

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let seconds =
            try call.arguments.value("--in", "a length of time, as in 8") { LengthText.seconds($0, bare: 1) }
            ?? secondsStandard
        guard (0...secondsMax).contains(seconds) else {
            throw call.arguments.wrong("--in: a test rings within \(secondsMax) s: 'rooster add' sets an alarm")
        }
        let ring = JSON.object(try AlarmOptions(call.arguments).changes(to: .null)).member("ring")
        let names = OptionNames.ofAlarm(nil, call.arguments)
        let answer = try call.service.ask(
            TestRing(ring: ring.map { Patch($0.members) }, delaySeconds: seconds), naming: names)
        let time = seconds == 0 ? "now" : "in \(TimeWords.length(seconds))"
        call.say(answer, "A test rings \(time): 'rooster stop' ends it.", naming: names)
    }
}
