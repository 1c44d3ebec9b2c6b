// `rooster plan`: every ring of a file's alarms in an interval, without a device or a service.

import Alarms
import CivilTime

enum PlanCommand {
    static let command = Command(
        name: "plan",
        summary: "every ring of an alarms file between two instants",
        help: """
            Usage: rooster plan FILE --from INSTANT --until INSTANT [--zone ZONE] [--json]

            Prints every ring of the file's alarms from the first instant on and before the second, in order, without
            a device or a service. FILE is an alarms file; - reads standard input.

              --from INSTANT    RFC 3339, as in 2026-01-12T00:00:00+01:00 or 2026-01-11T23:00:00Z
              --until INSTANT   likewise; what rings at that very instant is not printed
              --zone ZONE       the device's zone, as in Europe/Berlin, in place of the one in the file;
                                without either it is this machine's
              --json            one JSON object a line: at, local, alarm, label, layer

            The layer says what decided the ring: "base" (the alarm's time and repeat), "weekly" (the weekday's rule)
            or "date" (the date's own entry). A one-time alarm without a date is planned for the next such time after
            --from, and intervals of an alarm without a start count from that day.

            The exit status is 1 when the file, or one of its alarms, cannot be taken; each reason is a line on
            standard error, and the other alarms are planned all the same.
            """,
        valued: ["--from", "--until", "--zone"], flags: ["--json"], words: 1...1, run: run)

    private static func run(_ arguments: Arguments) throws(Refusal) {
        let expected = "an instant such as 2026-01-12T07:00:00+01:00 or 2026-01-12T06:00:00Z"
        let from = try arguments.required("--from", expected) { Instant($0, rounding: .up) }
        let until = try arguments.required("--until", expected) { Instant($0, rounding: .up) }
        guard from <= until else { throw arguments.wrong("--until is before --from") }

        let path = arguments.words[0]
        let name = path == "-" ? "standard input" : path
        let reading = try read(path, calledName: name)
        var file = reading.file
        if let zone = arguments.value("--zone") { file.settings.zoneName = zone }
        var zones = ZoneCatalogue()
        let zone = try deviceZone(of: file, from: &zones)
        // "Strictly after" the second before: what rings at --from itself is still to come.
        let plan = Plan(file, deviceZone: zone, zones: &zones, since: from.advanced(by: -1))

        let lines = RingLines(of: plan, file, deviceZone: zone)
        var isEmpty = true
        for ring in plan.rings(from: from, until: until) {
            print(arguments.has("--json") ? lines.json(ring) : lines.words(ring))
            isEmpty = false
        }
        if isEmpty, !arguments.has("--json") { print("Nothing rings in that time.") }
        try say(reading.problems + plan.problems + reading.setAside.flatMap(\.problems), about: name)
    }

    private static func read(_ path: String, calledName name: String) throws(Refusal) -> AlarmsFileReading {
        let bytes = try input(at: path)
        do {
            return try AlarmsFileReading(bytes)
        } catch {
            throw .refused("\(name):\(error)")
        }
    }

    private static func deviceZone(of file: AlarmsFile, from zones: inout ZoneCatalogue) throws(Refusal) -> Zone {
        do {
            return try zones.zone(named: file.settings.zoneName ?? ZoneCatalogue.deviceZoneName())
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Says what does not keep an alarm from being planned, and throws what does.
    private static func say(_ problems: [Problem], about name: String) throws(Refusal) {
        for problem in problems {
            switch problem.weight {
            case .refused: break
            case .unmet: complain("rooster: \(name): \(problem); the alarm is off until that is mended")
            case .warning: complain("rooster: \(name): warning: \(problem)")
            }
        }
        let reasons = problems.filter { $0.weight == .refused }
        guard reasons.isEmpty else { throw .refused(reasons.map { "\(name): \($0)" }.joined(separator: "\nrooster: ")) }
    }
}
