// `rooster doctor`: tests every part that an alarm needs to ring.

import API
import Health

enum DoctorCommand {
    static let command = Subcommand.ofService(
        "doctor", "Test every part that ringing needs",
        help: """
            Usage: rooster doctor [--loud] [OPTIONS]

            Test every part that ringing needs, without a sound, and print a line for each:
            ok, warning or broken, with what to do. Rooster does the same every evening and
            after each start. The last lines are about the machine: the page, a newer
            version that apt knows, the watchdog and, on a Raspberry Pi, the voltage.

            Options:
              --loud          sound the buzzer twice: only you can hear whether it works
              --json          print one JSON object a line: part, grade ("ok", "warning" or
                              "broken"), text, causes, at (the time of the test)

            The exit status is 1 if a part is broken.
            """,
        flags: ["--loud"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let isLoud = call.arguments.has("--loud")
        let answer = try call.service.ask(Doctor(loud: isLoud)).body
        let parts = answer.health
        // Another socket belongs to a service that is not installed.
        let installation = call.service.isStandard ? Installation().reports : []
        if call.isJSON {
            for part in parts { print(part.line) }
            for part in installation { print(part.line) }
        } else {
            let status = try call.service.status()
            let rows = try parts.map { part throws(CommandError) in
                let found = part.grade == .ok ? try found(part, status, call.service) : part.advised
                return [
                    Table.Cell(part.grade.rawValue, part.grade.tint), Table.Cell(part.name),
                    Table.Cell(found.asSentence),
                ]
            }
            let more = installation.map { part in
                [Table.Cell(part.grade.rawValue, part.grade.tint), Table.Cell(part.part), Table.Cell(part.text)]
            }
            // The width of the terminal must not cut off advice.
            for line in Table(rows: rows + more, elastic: 2).lines(call.style.unbounded) { print(line) }
            if isLoud {
                print(
                    answer.buzzer == true
                        ? "The buzzer sounded twice just now. If you heard nothing, 'journalctl -u rooster' may show why."
                        : "There is no buzzer ('man rooster.conf': buzzer)")
            }
        }
        let broken = parts.filter { $0.grade == .broken }.map(\.name)
        if !broken.isEmpty { throw .notWell("Broken: \(broken.joined(separator: ", "))") }
    }

    /// Returns the details of a part that is in order.
    private static func found(
        _ part: HealthReport, _ status: StatusReport, _ service: RunningService
    ) throws(CommandError) -> String {
        let details: String?
        switch part.part {
        case .alarms:
            details = status.next.first.map { ring in
                "\(ring.shownName) \(DeviceClock(status.device).text(ring))"
            }
        case .clock: details = status.clock
        case .codes: details = "\(try service.codes().count) enrolled"
        case .speaker: details = status.speaker.first?.name
        default: details = nil
        }
        return [details, part.text].compactMap(\.self).first { !$0.isEmpty } ?? "in order"
    }
}

extension Health.Grade {
    fileprivate var tint: Style.Tint {
        switch self {
        case .ok: .green
        case .broken: .red
        case .warning: .yellow
        }
    }
}
