// `rooster history`: the past rings, and how each ended.

import API

enum HistoryCommand {
    static let command = Subcommand.ofService(
        "history", "Show past rings and how they ended",
        help: """
            Usage: rooster history [--days N] [OPTIONS]

            Show past rings, the oldest first: time, alarm, ending, delay, snoozes, length
            and challenges. Test rings are left out.

            Options:
              --days N        only the last N days (default: everything, at most 400 days)
              --csv           print a table for spreadsheets (RFC 4180) with a header; an
                              apostrophe precedes a text that looks like a formula
              --json          print one JSON object a line: alarm, at, local, label, ended,
                              end, endLocal, fired, lateSeconds, snoozes, challenges, with
                              (the alarm whose challenges ended it), unheard (true if no
                              speaker and no buzzer played), firstMissed
            """,
        valued: ["--days"], flags: ["--csv"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        guard !call.isJSON || !call.arguments.has("--csv") else {
            throw call.arguments.wrong("Give either --json or --csv")
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
                return print("No ring is over yet: 'rooster status' shows the present one")
            }
            return print("No alarm has rung yet")
        }
        call.show(Table(rows: rings.map(\.row), elastic: 1))
        if let success = history.success {
            let percent = Int((min(max(success, 0), 1) * 100).rounded())
            print("Of the rings with challenges, \(percent) % were ended by them")
        }
    }
}
