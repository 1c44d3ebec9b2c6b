// `rooster plan`: every ring in an interval: of a file's alarms, without a device or a service, or of the
// running service's, with the days that they leave out.

import API
import Alarms
import CivilTime
import Glibc
import Text

enum PlanCommand {
    static let command = Subcommand(
        name: "plan",
        summary: "Show when alarms ring, also those of a file",
        help: """
            Usage: rooster plan [FILE] [OPTIONS]

            Show every ring of an alarms file between two instants, in order. FILE is as
            'rooster export' writes it; - is standard input. Without FILE, show the rings of
            the running service, and the days on which its alarms do not ring, with the
            reason.

            Options:
              --from INSTANT   first instant, such as 2026-01-12T07:00:00+01:00 or
                               2026-01-12T06:00:00Z, or a date, which begins at midnight in
                               the device's zone (default: now)
              --until INSTANT  end, itself not included (default: seven days later)
              --zone ZONE      the device's zone, such as Europe/Berlin (default: that in
                               the file, otherwise that of this machine)
              --json           print one JSON object a line: at, local, alarm, label, layer
                               ("base", "weekly" or "date": the rule that decided the ring),
                               insteadOf (the ring of the rule below), earliest (from when
                               a movement begins the ring). Without FILE also
                               days without a ring: date, alarm, label, reason, instead
              --socket PATH    socket of the service (default: $ROOSTER_SOCKET, or
                               \(RunningService.standardSocket))

            An alarm without a date, start or anchor is planned as if it were added at
            --from.

            The exit status is 1 if an alarm has a mistake. Each mistake is printed, and the
            other alarms are planned.
            """,
        valued: ["--from", "--until", "--zone", "--socket"], flags: ["--json"], operands: [],
        optionalOperands: ["FILE"], run: run)

    private static func run(_ arguments: CommandArguments) throws(CommandError) {
        let expected = "an instant such as 2026-01-12T07:00:00+01:00 or a date"
        let from = try arguments.value("--from", expected, bound)
        let until = try arguments.value("--until", expected, bound)

        guard let path = arguments.operands.first else {
            guard !arguments.has("--zone") else { throw arguments.wrong("--zone needs FILE: the service has its zone") }
            return try ServicePlan.show(ServiceCall(arguments), from: from, until: until)
        }
        let name = shownPath(path)
        let reading = AlarmsFileReading(try json(at: path))
        var file = reading.file
        if let zone = arguments.value("--zone") { file.settings.zoneName = zone }
        var zones = ZoneCatalogue()
        let zone = try deviceZone(
            of: file, saidBy: arguments.value("--zone") == nil ? "\(name): settings.zone" : "--zone", &zones)

        let begin = from?(zone) ?? Instant(secondsSince1970: time(nil))
        let end = until?(zone) ?? begin.advanced(by: 7 * 86_400)
        guard begin <= end else { throw arguments.wrong("--until is before --from") }
        let plan = Plan(file, deviceZone: zone, zones: &zones, from: begin)

        let lines = RingLines(of: plan, file, deviceZone: zone)
        var isEmpty = true
        for ring in plan.rings(from: begin, until: end) {
            print(arguments.has("--json") ? lines.report(ring).line : lines.text(ring))
            isEmpty = false
        }
        if isEmpty, !arguments.has("--json") { print("Nothing rings in that time") }
        try say(reading, plan, about: name)
    }

    /// Parses an instant or a date; returns nil for any other text. A date means its midnight in the zone.
    private static func bound(_ text: String) -> ((Zone) -> Instant)? {
        if let instant = Instant(text, rounding: .up) { return { _ in instant } }
        guard let date = CivilDate(text) else { return nil }
        return { zone in zone.instants(of: CivilDateTime(date, .midnight)).first }
    }

    private static func deviceZone(
        of file: AlarmsFile, saidBy place: String, _ zones: inout ZoneCatalogue
    ) throws(CommandError) -> Zone {
        do {
            return try zones.zone(named: file.settings.zoneName ?? ZoneCatalogue.deviceZoneName() ?? "UTC")
        } catch {
            throw .refused(file.settings.zoneName == nil ? "\(error)".capitalisedFirst : "\(place): \(error)")
        }
    }

    /// Prints the warnings, and throws the problems that keep an alarm from ringing.
    private static func say(_ reading: AlarmsFileReading, _ plan: Plan, about name: String) throws(CommandError) {
        var reasons: [String] = []
        for problem in reading.problems + plan.problems {
            switch problem.weight {
            case .refused: reasons.append("\(name): \(problem)")
            case .unmet: reasons.append(sentences("\(name): \(problem)", "Until this is corrected, the alarm is off"))
            case .warning: complain("rooster: \(name): warning: \(problem)")
            }
        }
        for alarm in reading.setAside {
            reasons += alarm.whyLeftOut.map { "\(name): \($0)" }
        }
        guard reasons.isEmpty else { throw .notWell(reasons.joined(separator: "\nrooster: ")) }
    }
}

/// The lines of planned rings, for people and for scripts.
private struct RingLines {
    private let alarms: [Alarm.ID: Alarm]
    private let zones: [Alarm.ID: Zone]
    private let deviceZone: Zone
    private let hours: HourFormat

    init(of plan: Plan, _ file: AlarmsFile, deviceZone: Zone) {
        alarms = Dictionary(file.alarms.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        zones = Dictionary(plan.schedules.map { ($0.alarm, $0.zone) }, uniquingKeysWith: { first, _ in first })
        self.deviceZone = deviceZone
        hours = file.settings.hourFormat
    }

    func report(_ ring: PlannedRing) -> RingReport {
        let id = ring.occurrence.alarm
        let early = alarms[id].flatMap { $0.earlySeconds > 0 ? $0.earliest(ring.at) : nil }
        return RingReport(ring, of: alarms[id], in: zones[id] ?? deviceZone, earliest: early)
    }

    /// Returns a line such as "Tue 2026-01-13 07:45  School morning  (Tue has its own time)".
    func text(_ ring: PlannedRing) -> String {
        let (report, alarm) = (report(ring), alarms[ring.occurrence.alarm])
        let zone = zones[report.alarm] ?? deviceZone
        let there = zone == deviceZone ? nil : "\(report.local.dateTime.weekdayAndTime(hours)) in \(zone.name)"
        var days = alarm
        // The ring's date is the day that Rooster would fix.
        if alarm?.recurrence == nil { days?.anchor = alarm?.anchor ?? report.local.dateTime.date }
        let summary = days?.daysSummary ?? ""
        let early = report.earliest.map {
            "from \(hours.text(deviceZone.local($0.instant).time)) when you move"
        }
        let why = [
            NextText.ownTime(report) ?? summary.daysAfterTime, early, there, NextText.gap(report, of: alarm, hours),
        ]
        let label = report.label.isEmpty ? report.alarm : report.label
        let local = deviceZone.local(ring.occurrence.at)
        return "\(local.text(hours))  \(label.inOneLine)  (\(why.compactMap(\.self).joined(separator: "; ")))"
    }
}
