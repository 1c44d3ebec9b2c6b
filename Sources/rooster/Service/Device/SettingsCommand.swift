// `rooster settings`: shows or changes the settings of the whole device.

import API
import Alarms
import JSON
import Text

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
              --emergency on|off    whether holding both buttons for a minute ends a ring, or 'rooster emergency': a code
                                    can burn
              --json                one JSON object: the settings as in the alarms file
            """,
        valued: fields.names, run: run)

    private static let fields: [FieldOption] = [
        FieldOption("--enabled", "enabled", "on or off", onOrOff),
        FieldOption("--zone", "zone") { $0 == "machine" ? .null : .string($0) },
        .length("--lock", "lock", bare: 60, asIn: "30 or 1h"),
        .length("--snooze-min", "snooze.min", bare: 60, asIn: "30 or 1h"),
        .length("--snooze-max", "snooze.max", bare: 60, asIn: "30 or 1h"),
        FieldOption("--preflight", "preflight", "a time of day, as in 21:00, or off") { text in
            let rule = text == "off" ? DayRule.off : WhenWords.time(text.lowercased()).map(DayRule.at)
            return rule.map { .text($0) }
        },
        FieldOption("--emergency", "emergency", "on or off", onOrOff),
    ]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let changes = try fields.patch(call.arguments)
        let settings: Settings
        if changes.members.isEmpty {
            settings = try call.service.ask(GetSettings()).body.settings
        } else {
            let names = OptionNames(fields, call.arguments)
            let answer = try call.service.ask(Configure(changes: SettingsPatch(changes.members)), naming: names)
            call.warn(answer.warnings.map(names.words))
            settings = answer.body.settings
        }
        guard !call.isJSON else { return print(settings.line) }
        let machine = settings.zoneName == nil ? try call.service.status().zone : ""
        call.show(table(settings, machine))
    }

    private static func onOrOff(_ text: String) -> JSON? {
        switch text {
        case "on", "yes": .bool(true)
        case "off", "no": .bool(false)
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
