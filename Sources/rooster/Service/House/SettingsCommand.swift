// `rooster settings`: what is set for the whole device, shown or changed.

import Alarms
import JSON
import Text
import Vocabulary

enum SettingsCommand {
    static let command = Subcommand.ofService(
        "settings", "shows or changes what is set for the whole device",
        help: """
            Usage: rooster settings [OPTIONS] [--json]

            Shows what is set for the whole device, or changes what is named here.

              --enabled on|off      the master switch: off, no alarm rings
              --zone ZONE           the device's zone, as in Europe/Berlin; 'machine' for the one the machine is set to
              --lock MINUTES        from so long before an alarm with challenges, nothing can be done to escape it; 0
                                    leaves the way open
              --snooze-min MINUTES  no snooze is shorter
              --snooze-max MINUTES  no snooze is longer
              --preflight TIME      when, each evening, all that ringing needs is tried out; 'off' for never, nor
                                    after a start
              --emergency on|off    whether holding both buttons for a minute ends a ring: a code can burn
              --json                one JSON object: the settings as in the alarms file
            """,
        valued: [
            "--enabled", "--zone", "--lock", "--snooze-min", "--snooze-max", "--preflight", "--emergency",
        ], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let changes = try changes(call.arguments)
        if !changes.isEmpty {
            let names = OptionNames.ofSettings(call.arguments)
            let answer = try call.service.ask(Configure(changes: .object(changes)), naming: names)
            call.warn(answer.warnings.map(names.words))
        }
        let json = try call.service.ask(AskSettings()).body.settings
        guard !call.isJSON else { return print(json.line) }
        var fields = Fields(json.members, at: "settings")
        let settings = Settings(reading: &fields)
        let machine = settings.zoneName == nil ? try call.service.status().zone : ""
        call.show(table(settings, machine))
    }

    private static func changes(_ arguments: CommandArguments) throws(CommandError) -> [JSON.Member] {
        var changes: [JSON.Member] = []
        if let isOn = try arguments.value("--enabled", "on or off", onOrOff) {
            changes.append(.init("enabled", .bool(isOn)))
        }
        if let zone = arguments.value("--zone") {
            changes.append(.init("zone", zone == "machine" ? .null : .string(zone)))
        }
        let length = "a length of time, as in 30 or 1h"
        let minutes: (String) -> Int? = { LengthText.seconds($0, bare: 60) }
        if let seconds = try arguments.value("--lock", length, minutes) {
            changes.append(.init("lock", .number(seconds)))
        }
        var snooze: [JSON.Member] = []
        if let seconds = try arguments.value("--snooze-min", length, minutes) {
            snooze.append(.init("min", .number(seconds)))
        }
        if let seconds = try arguments.value("--snooze-max", length, minutes) {
            snooze.append(.init("max", .number(seconds)))
        }
        if !snooze.isEmpty { changes.append(.init("snooze", .object(snooze))) }
        let time = try arguments.value("--preflight", "a time of day, as in 21:00, or off") { text in
            text == "off" ? DayRule.off : WhenWords.time(text.lowercased()).map(DayRule.at)
        }
        if let time { changes.append(.init("preflight", .text(time))) }
        if let isOn = try arguments.value("--emergency", "on or off", onOrOff) {
            changes.append(.init("emergency", .bool(isOn)))
        }
        return changes
    }

    private static func onOrOff(_ text: String) -> Bool? {
        switch text {
        case "on", "yes": true
        case "off", "no": false
        default: nil
        }
    }

    private static func table(_ settings: Settings, _ machine: String) -> Table {
        let bounds = settings.snoozeBounds
        let lock = "from \(TimeWords.length(settings.lockSeconds)) before an alarm with challenges"
        let lines = [
            ("enabled", settings.isEnabled ? "on" : "off: no alarm rings"),
            ("zone", settings.zoneName?.inOneLine ?? "the machine's (\(machine.inOneLine))"),
            ("lock", settings.lockSeconds == 0 ? "none" : lock),
            ("snooze", "\(TimeWords.length(bounds.lowerBound)) to \(TimeWords.length(bounds.upperBound))"),
            ("preflight", "\(settings.preflight)"),
            ("emergency", settings.hasEmergencyExit ? "on" : "off"),
        ]
        return Table(rows: lines.map { [Table.Cell($0, .dim), Table.Cell($1)] }, elastic: 1)
    }
}
