// `rooster in-bed`: says that the owner goes to bed.

import API

enum InBedCommand {
    static let command = Subcommand.ofService(
        "in-bed", "Say that you go to bed",
        help: """
            Usage: rooster in-bed [OPTIONS]

            Say that you go to bed now, and test all parts, as the snooze button does if it
            is held for a second at rest. 'rooster history' shows the hours in bed beside
            the first ring of the morning that was dismissed.

            Options:
              --json          print one JSON object: warnings, if there are any
            """,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        call.say(try call.service.ask(GoToBed()), "Good night: the hours in bed count from now")
    }
}
