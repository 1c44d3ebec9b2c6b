// `rooster history`: the past rings, and how each ended.

import API

enum HistoryCommand {
    static let command = Subcommand.ofService(
        "history", "what has rung, and how it ended",
        help: """
            Usage: rooster history [--days N] [--json | --csv]

            Lists the rings that are over, the oldest first: when, which alarm, how it ended, how late it was, how often it
            was snoozed, how long it took. Tests are left out.

              --days N   only of the last N days; without it, all that is kept (400 days)
              --json     one JSON object a line: alarm, at, local, label, ended, end, endLocal, fired, lateSeconds, snoozes,
                         challenges, with (the alarm by whose challenges it ended), unheard (whether nothing played it),
                         firstMissed
              --csv      for spreadsheets (RFC 4180), with a line of headings. A text that a spreadsheet would take for a
                         formula has an apostrophe before it
            """,
        valued: ["--days"], flags: ["--csv"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        guard !call.isJSON || !call.arguments.has("--csv") else {
            throw call.arguments.wrong("say either --json or --csv")
        }
        let days = try call.arguments.value("--days", "a number of days from 1 to 4000") { text in
            Int(text).flatMap { (1...4000).contains($0) ? $0 : nil }
        }
        let history = try call.service.ask(GetHistory(days: days)).body
        let rings = history.history
        guard !call.isJSON else { return rings.forEach { print($0.line) } }
        guard !call.arguments.has("--csv") else {
            for record in [CSV.ringHeader] + rings.map(\.record) { print(CSV.line(record), terminator: "\r\n") }
            return
        }
        guard !rings.isEmpty else {
            // The history holds a ring only after its end.
            guard try call.service.status().sessions.isEmpty else {
                return print("Nothing has rung to its end yet: 'rooster status' shows what rings.")
            }
            return print("No alarm has rung yet.")
        }
        call.show(Table(rows: rings.map(\.row), elastic: 1))
        if let success = history.success {
            print(
                "Stopped by its challenges: \(Int((min(max(success, 0), 1) * 100).rounded())) % of the rings that had any."
            )
        }
    }
}
