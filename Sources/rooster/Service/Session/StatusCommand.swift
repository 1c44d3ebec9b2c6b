// `rooster status`: the current ring, its challenge, the next rings, and faults of the device.

import API

enum StatusCommand {
    static let command = Subcommand.ofService(
        "status", "Show the current ring, the next ones and faults",
        help: """
            Usage: rooster status [--follow [--type]] [OPTIONS]

            Show the current ring and what to do about it, the next rings, skipped and
            paused days, rings of the last day that failed, and broken parts.

            Options:
              --follow        continue until Ctrl-C, also over a restart of the service:
                              redraw on a terminal, print a line for each change elsewhere
              --type          with --follow: accept typed commands, namely snooze, stop, the
                              answer to a sum, and quit
              --json          print one JSON object; with --follow one for each change, and
                              one each second during a ring: now, local, zone, trusted,
                              clock, enabled, sessions, unlocking, unlocked, scan (an
                              enrolment or test: purpose, label; or null), camera (its
                              view of a code; or null), next, recentProblems, health,
                              speaker, warnings, simulated
            """,
        flags: ["--follow", "--type"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        if call.arguments.has("--type") {
            guard call.arguments.has("--follow"), !call.isJSON else {
                throw call.arguments.wrong("--type needs --follow, and cannot be used with --json")
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
