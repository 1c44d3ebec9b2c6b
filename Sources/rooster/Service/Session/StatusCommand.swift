// `rooster status`: the current ring, its challenge, the next rings, and faults of the device.

import API

enum StatusCommand {
    static let command = Subcommand.ofService(
        "status", "what rings or rings next, and whether all is ready",
        help: """
            Usage: rooster status [--follow [--type]] [--json]

            Says what rings and what is to be done about it, what rings next and why then, what is skipped, paused or off
            for a reason, how loud it is, what was missed in the last day, and what is not in order.

              --follow   goes on until Ctrl-C: redraws on a terminal, and prints a line for each change elsewhere
              --type     with --follow: does what you type meanwhile, as snooze, stop, or the answer to a sum; quit ends it
              --json     one JSON object (with --follow one for each change, and one each second while something rings): now, local,
                         zone, trusted, clock, enabled, sessions, unlocking, scan (purpose, "enrol" or "test", and
                         label; or null), camera (what it sees while a code is scanned, wrongCodes, wrongInView and
                         removeAndShowAgain among it; or null), next, recentProblems (what was missed, or nobody
                         answered, in the last day), health, speaker, warnings, simulated
            """,
        flags: ["--follow", "--type"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        if call.arguments.has("--type") {
            guard call.arguments.has("--follow"), !call.isJSON else {
                throw call.arguments.wrong("--type is for --follow, without --json")
            }
            var conversation = Conversation(call)
            return try conversation.run()
        }
        guard !call.arguments.has("--follow") else { return try StatusFollower(call).run() }
        let status = try call.service.status()
        guard !call.isJSON else { return print(status.line) }
        let asides = try call.service.alarms().compactMap(Outlook(status).aside)
        // The width of the terminal must not cut off problems.
        for line in StatusLines(status, call.style.unbounded, asides: asides).lines { print(line) }
    }
}
