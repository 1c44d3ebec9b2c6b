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
        let reading: AlarmsFileReading
        do {
            reading = try AlarmsFileReading(try input(at: path))
        } catch let error as JSONSyntaxError {
            throw .refused("\(name):\(error)")
        } catch let error as Refusal {
            throw error
        } catch {
            throw .refused("\(name): \(error)")
        }

        var zones = ZoneCatalogue()
        var file = reading.file
        if let zone = arguments.value("--zone") { file.settings.zoneName = zone }
        let zone: Zone
        do {
            zone = try zones.zone(named: file.settings.zoneName ?? ZoneCatalogue.deviceZoneName())
        } catch {
            throw .refused("\(error)")
        }
        // "Strictly after" the second before: what rings at --from itself is still to come.
        let plan = Plan(file, deviceZone: zone, zones: &zones, since: from.advanced(by: -1))
        let rings = plan.rings(from: from, until: until)
        let alarms = Dictionary(file.alarms.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let zoneOf = Dictionary(plan.schedules.map { ($0.alarm, $0.zone) }, uniquingKeysWith: { first, _ in first })
        if arguments.has("--json") {
            printLines(rings, of: alarms, zoneOf)
        } else {
            printTable(rings, of: alarms, zoneOf, deviceZone: zone)
        }
        for problem in reading.problems + plan.problems {
            switch problem.weight {
            case .refused: break
            case .unmet: complain("rooster: \(name): \(problem); the alarm is off until that is mended")
            case .warning: complain("rooster: \(name): warning: \(problem)")
            }
        }
        let reasons = reading.problems.filter { $0.weight == .refused } + reading.setAside.flatMap(\.problems)
        guard reasons.isEmpty else { throw .refused(reasons.map { "\(name): \($0)" }.joined(separator: "\nrooster: ")) }
    }

    private static func printLines(_ rings: RingsInOrder, of alarms: [Alarm.ID: Alarm], _ zones: [Alarm.ID: Zone]) {
        for ring in rings {
            let occurrence = ring.occurrence
            let line = JSON.object([
                .init("at", .text(occurrence.at)),
                .init("local", .text(zones[occurrence.alarm]?.text(occurrence.at))),
                .init("alarm", .string(occurrence.alarm)),
                .init("label", .text(alarms[occurrence.alarm]?.label)),
                .init("layer", .string(ring.layer.rawValue)),
            ])
            print(line)
        }
    }

    private static func printTable(
        _ rings: RingsInOrder, of alarms: [Alarm.ID: Alarm], _ zones: [Alarm.ID: Zone], deviceZone: Zone
    ) {
        var count = 0
        for ring in rings {
            guard let alarm = alarms[ring.occurrence.alarm], let zone = zones[alarm.id] else { continue }
            let local = zone.local(ring.occurrence.at)
            let weekday = WeekdaySet([local.date.weekday]).words
            var notes: [String] = []
            switch ring.layer {
            case .base: notes.append(alarm.daysInWords)
            case .weekly: notes.append("\(WeekdaySet([ring.date.weekday]).words) has its own time")
            case .date: notes.append("this date has its own time")
            }
            if zone != deviceZone { notes.append("\(zone.name) time") }
            let label = alarm.label.isEmpty ? alarm.id : alarm.label
            print("\(weekday) \(local.date) \(local.time)  \(label)  (\(notes.joined(separator: "; ")))")
            count += 1
        }
        if count == 0 { print("Nothing rings in that time.") }
    }
}
