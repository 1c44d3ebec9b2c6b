// The text of a wake-up check, as its owner types and reads it.

import API
import Alarms
import JSON

enum WakeUpCheckText {
    static let expected = "a length of time such as 5min, two of them such as 5min/3min, or none"

    /// Parses `AFTER`, `AFTER/WITHIN` or `none`; nil for any other text.
    static func read(_ text: String) -> JSON? {
        guard text != "none" else { return .null }
        let lengths = text.split(separator: "/", omittingEmptySubsequences: false).map {
            LengthText.seconds(String($0), bare: 60)
        }
        guard (1...2).contains(lengths.count), !lengths.contains(nil) else { return nil }
        return .object(zip(["after", "within"], lengths.compactMap(\.self)).map { .init($0, .number($1)) })
    }

    /// Returns the check as a phrase: "after 5 min, to be answered within 3 min".
    static func text(_ check: WakeUpCheck) -> String {
        let (after, within) = (TimeText.length(check.afterSeconds), TimeText.length(check.withinSeconds))
        return "\(after) after the challenges; rings again if nobody answers within \(within)"
    }
}

enum AwakeCommand {
    static let command = Subcommand.ofService(
        "awake", "Answer the wake-up check",
        help: """
            Usage: rooster awake [OPTIONS]

            Answer the wake-up check, which follows the challenges of an alarm with --check.
            Any button does the same. Without an answer the alarm rings again.

            Options:
              --json          print one JSON object: state ("stopped"), alarm, label, and
                              ringing (alarm and label of another alarm that rings on); or
                              error, with code, message and status

            The exit status is 1 if no check asks yet.
            """,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let answer = try call.service.ask(Awake())
        call.say(answer, sentences("Good morning: \(answer.body.shownName) is over", answer.body.ringsOn))
    }
}

extension SessionOutcome {
    /// Text such as "Work asks at 07:12 whether you are awake"; nil if no wake-up check follows.
    var checkText: String? {
        guard state == .checking, let until, let device else { return nil }
        return "\(shownName) asks \(DeviceClock(device).day(until.instant)) whether you are awake"
    }
}
