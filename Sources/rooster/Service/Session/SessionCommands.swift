// `rooster snooze`, `stop`, `answer`, `unlock` and `test-ring`: the commands about a ring.

import API
import Alarms
import JSON
import Text

enum SnoozeCommand {
    static let command = Subcommand.ofService(
        "snooze", "Snooze the ring",
        help: """
            Usage: rooster snooze [MINUTES] [OPTIONS]

            Snooze the ring, for the length that the alarm has or for MINUTES. The length
            may have a unit, such as 90s. The settings limit it (5 min to 1 h by default).

            Options:
              --json          print one JSON object: state ("snoozed"; or "testOver", since
                              a snooze ends a test ring), alarm, label, until, untilLocal,
                              left (remaining snoozes; missing if unlimited), clamped (true
                              if the settings changed the length), ringing (alarm and label
                              of another alarm that rings on)

            The exit status is 1 if nothing rings or no snooze is left.
            """,
        optionalOperands: ["MINUTES"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let seconds = try call.arguments.operands.first.map { text throws(CommandError) in
            // The service limits any length, also a part of a minute or one below zero.
            guard let seconds = LengthText.seconds(text, bare: 60) ?? LengthText.decimalMinutes(text) else {
                throw call.arguments.wrong("MINUTES must be a length of time such as 10 or 90s, not \(text.quoted)")
            }
            return seconds
        }
        let answer: SuccessResponse<SessionOutcome>
        switch try call.service.reply(to: Snooze(seconds: seconds)) {
        case .success(let done): answer = done
        case .failure(let error):
            let pause = error.code == .nothingRings ? resting(error.status, call.style) : nil
            // A refused snooze begins the challenge if no snooze is left.
            let asked = error.code == .noSnoozeLeft ? error.status?.foremost?.askedText : nil
            throw .refused(pause ?? sentences(error.text(), asked), answer: error.forScripts)
        }
        let snoozed = answer.body
        // A snooze ends a test.
        guard let until = snoozed.until, let device = snoozed.device else {
            return call.say(answer, "The test is over")
        }
        let length = (until.milliseconds - device.now.milliseconds + 500) / 1000
        let left =
            switch snoozed.left {
            case nil: "Snoozes are unlimited"
            case 0?: "No snooze is left"
            case let left?: "\(left) \(left == 1 ? "snooze" : "snoozes") left"
            }
        // A snooze that has begun keeps its length.
        let isAnother = seconds.map { snoozed.clamped == false && abs($0 - length) > 1 } ?? false
        let bound = seconds.map { $0 < length ? "shortest" : "longest" } ?? "nearest"
        let limit = snoozed.clamped == true ? ", the \(bound) that the settings allow" : ""
        let time = DeviceClock(device).time(afterSeconds: length)
        call.say(
            answer,
            sentences(
                isAnother
                    ? "\(snoozed.shownName) is snoozed already, until \(time)"
                    : "\(snoozed.shownName) is snoozed for \(TimeText.length(length))\(limit), until \(time)",
                left, snoozed.ringsOn))
    }

    /// Returns the line of the status for a session that pauses by itself; nil if there is none.
    private static func resting(_ status: StatusReport?, _ style: Style) -> String? {
        guard let status,
            let session = status.sessions.first(where: { $0.state == .resting || $0.state == .checking })
        else { return nil }
        return StatusLines(status, style).text(session)
    }
}

enum StopCommand {
    static let command = Subcommand.ofService(
        "stop", "Stop the ring, or begin its challenges",
        help: """
            Usage: rooster stop [--all] [OPTIONS]

            Stop the ring. If the alarm has challenges, this begins the first one and shows
            what to do; the alarm stops when all are done. 'rooster answer N' answers a sum.

            Options:
              --all           stop every alarm that rings, waits or is snoozed
              --json          print one JSON object: state ("stopped", with alarm, label and
                              ringing, the alarm and label of another one that rings on; or
                              "nothingRings"; or "checking", if a wake-up check follows at
                              until); or error, with code, message, asked (what to do) and
                              status

            The exit status is 1 if the alarm rings on.
            """,
        flags: ["--all"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        guard !call.arguments.has("--all") else { return try stopAll(call) }
        switch try call.service.reply(to: Stop()) {
        case .success(let answer):
            if let asked = answer.body.asked {
                throw .refused(sentences("The alarm rings on", asked.text), answer: answer.forScripts)
            }
            guard answer.body.state != .nothingRings else { return call.say(answer, "Nothing rings") }
            let text = answer.body.checkText ?? "\(answer.body.shownName) is stopped"
            call.say(answer, sentences(text, answer.body.ringsOn))
        case .failure(let error):
            throw .refused(text(error), answer: error.forScripts)
        }
    }

    /// Stops all sessions. Each request names its session, so that it does not stop another if that session
    /// has ended.
    private static func stopAll(_ call: ServiceCall) throws(CommandError) {
        var refusal: ErrorResponse?
        var hasStopped = false
        for session in try call.service.status().sessions {
            switch try call.service.reply(to: Stop(), ifRing: RingReference(alarm: session.alarm, at: session.at)) {
            case .success(let answer):
                // The session may have ended together with an earlier one.
                guard answer.body.state == .stopped || answer.body.state == .checking else { continue }
                hasStopped = true
                call.say(answer, answer.body.checkText ?? "\(session.shownName) is stopped")
            case .failure(let error): refusal = refusal ?? error
            }
        }
        if let refusal { throw .refused(text(refusal), answer: refusal.forScripts) }
        guard !hasStopped else { return }
        call.say(SuccessResponse(SessionOutcome(.nothingRings)), "Nothing rings")
    }

    private static func text(_ error: ErrorResponse) -> String {
        guard [.challengesOpen, .challengeOpen, .validating].contains(error.code) else { return error.text() }
        let session = error.status?.foremost
        guard let asked = session?.askedText ?? error.asked?.text else { return error.text() }
        let state =
            switch session?.state {
            case .snoozed: "is only snoozed"
            case .resting: "only pauses"
            default: "rings on"
            }
        let name = error.alarm?.shownName ?? session?.shownName ?? "The alarm"
        return sentences("\(name) \(state)", asked, error.status?.cameraTrouble)
    }
}

extension SessionOutcome {
    var shownName: String { ShownName.of(alarm ?? "", label ?? "") }

    var ringsOn: String? { ringing.map { "\($0.shownName) rings on" } }
}

enum AnswerCommand {
    static let command = Subcommand.ofService(
        "answer", "Answer the current sum",
        help: """
            Usage: rooster answer N [OPTIONS]

            Answer the current sum. The next sum or challenge follows.

            Options:
              --json          print one JSON object: correct, state ("asked"; or "stopped"
                              or "unlocked" if all is done, with alarm, label and ringing;
                              or "checking" if a wake-up check follows, with until), asked
                              (what to do next), late (true if the time for that sum was
                              over)

            The exit status is 1 if the answer is wrong or no sum is open.
            """,
        operands: ["N"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let text = call.arguments.operands[0]
        guard let number = Int(text) else { throw call.arguments.wrong("N must be a whole number, not \(text.quoted)") }
        let answer = try call.service.ask(AnswerSum(number: number))
        let outcome = answer.body
        let next = outcome.asked?.text
        if outcome.correct == nil { throw .refused(sentences("No sum was open yet", next), answer: answer.forScripts) }
        if outcome.late == true {
            throw .refused(sentences("\(number) is too late for the last sum", next), answer: answer.forScripts)
        }
        guard outcome.correct == true else {
            throw .refused(sentences("\(number) is wrong", next), answer: answer.forScripts)
        }
        guard outcome.asked == nil else { return call.say(answer, sentences("Right", next)) }
        let name = outcome.shownName
        call.say(
            answer,
            outcome.state == .unlocked
                ? sentences(
                    "Right", "All challenges are done", "\(name) \(UnlockCommand.unlocked)", UnlockCommand.again)
                : sentences(
                    "Right", "All challenges are done", outcome.checkText ?? "\(name) is stopped", outcome.ringsOn))
    }
}

enum UnlockCommand {
    static let command = Subcommand.ofService(
        "unlock", "Do an alarm's challenges ahead of its ring",
        help: """
            Usage: rooster unlock ALARM [OPTIONS]

            Begin an alarm's challenges ahead of its ring. Shortly before the ring, an alarm
            with challenges can be switched off or made easier only after they are done.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: state ("asked", with asked, what to do;
                              "notLocked", with until, the time from which it is locked; or
                              "unlocked")
            """,
        operands: ["ALARM"], run: run)

    /// The state of an alarm whose challenges are done ahead of time.
    static let unlocked = "is unlocked: it can be changed until it rings"
    static let again = "If you move it to another time, it locks again"

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let before = try call.service.status().unlocking
        let answer = try call.service.ask(Unlock(alarm: found.alarm.id))
        let (name, outcome) = (found.alarm.shownName, answer.body)
        if let asked = outcome.asked {
            // Only one alarm is unlocked at a time.
            let ended = before.flatMap { $0.alarm == found.alarm.id ? nil : $0.shownName }
            call.say(
                answer, sentences(ended.map { "Unlocking \($0) has ended: its challenges begin again" }, asked.text))
        } else if outcome.state == .unlocked {
            call.say(answer, sentences("\(name) \(unlocked)", again))
        } else if let from = outcome.until, let device = outcome.device {
            let time = DeviceClock(device).day(from.instant)
            call.say(answer, "\(name) is not locked before \(time): until then it can be changed")
        } else {
            call.say(answer, "\(name) is not locked: it can be changed")
        }
    }
}

enum RingTestCommand {
    static let command = Subcommand.ofService(
        "test-ring", "Ring in a few seconds, as a test",
        help: """
            Usage: rooster test-ring [OPTIONS]

            Ring in a few seconds as an alarm would, but without challenges. 'rooster stop'
            ends the test, and so does a minute.

            Options:
              --in SECONDS    delay, at most 60 (default: 8)
              --sound ID      sound, from 'rooster sound list' (default: chimes01)
              --volume V      volume, 0.01 to 1 or 1% to 100% (default: 0.8)
              --ramp SECONDS  time until the full volume (default: 30)
              --shake         shake the bed as well; with '--sound none' only shake
              --json          print one JSON object: warnings, if there are any
            """,
        valued: ["--in", "--sound", "--volume", "--ramp"], flags: ["--shake"], run: run)

    private static let secondsStandard = 8
    private static let secondsMax = 60

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let seconds =
            try call.arguments.value("--in", "a length of time such as 8") { LengthText.seconds($0, bare: 1) }
            ?? secondsStandard
        guard (0...secondsMax).contains(seconds) else {
            throw call.arguments.wrong("--in must be at most \(secondsMax) s ('rooster add' adds an alarm)")
        }
        let ring = JSON.object(try AlarmOptions(call.arguments).changes(to: .null, call.arguments)).member("ring")
        let names = OptionNames.ofAlarm(nil, call.arguments)
        let answer = try call.service.ask(
            TestRing(ring: ring.map { Patch($0.members) }, delaySeconds: seconds), naming: names)
        let time = seconds == 0 ? "now" : "in \(TimeText.length(seconds))"
        call.say(answer, "A test rings \(time): 'rooster stop' ends it", naming: names)
    }
}
