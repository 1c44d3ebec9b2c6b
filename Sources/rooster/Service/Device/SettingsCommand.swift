// `rooster settings`: shows or changes the settings of the whole device.

import API
import Alarms
import JSON
import Text

enum SettingsCommand {
    static let command = Subcommand.ofService(
        "settings", "Show or change the settings of the device",
        help: """
            Usage: rooster settings [OPTIONS]

            Show the settings of the device, or change those that are named. 'rooster
            defaults' has the defaults of new alarms.

            Options:
              --enabled on|off      master switch: if off, no alarm rings
              --zone ZONE           time zone, such as Europe/Berlin; 'machine' is that of
                                    the machine
              --lock MINUTES        lock window: so long before its ring, an alarm with
                                    challenges cannot be made easier; 0 is none
              --snooze-min MINUTES  shortest snooze
              --snooze-max MINUTES  longest snooze
              --preflight TIME      time of the test of all parts each evening; 'off' also
                                    leaves out the one after a start
              --emergency on|off    whether 'rooster emergency', or both buttons held for a
                                    minute, end a ring without its challenges
              --bedtime TIMES       reminder to go to bed: 22:30, or by weekday such as
                                    22:30,fri=23:30,sat=off; 'none' or 'off' for none
              --bedtime-chime on|off
                                    whether a soft chime sounds then, beside the lamp
              --hours 12|24         times of day as 7:00 pm or 19:00 (files have 24 hours)
              --reset               give every setting its default, and remove the defaults
                                    of new alarms
              --json                print one JSON object: the settings as in an alarms file

            MINUTES may have a unit: 90s, 30min, 1h.
            """,
        valued: fields.names, flags: ["--reset"], run: run)

    private static let fields: [FieldOption] = [
        FieldOption("--enabled", "enabled", "on or off", onOrOff),
        FieldOption("--zone", "zone") { $0 == "machine" ? .null : .string($0) },
        .length("--lock", "lock", bare: 60, suchAs: "30 or 1h"),
        .length("--snooze-min", "snooze.min", bare: 60, suchAs: "30 or 1h"),
        .length("--snooze-max", "snooze.max", bare: 60, suchAs: "30 or 1h"),
        FieldOption("--preflight", "preflight", "a time of day such as 21:00, or off") { text in
            let rule = text == "off" ? DayRule.off : WhenWords.time(text.lowercased()).map(DayRule.at)
            return rule.map { .text($0) }
        },
        FieldOption("--emergency", "emergency", "on or off", onOrOff),
        FieldOption("--bedtime", "bedtime", BedtimeText.expected) { BedtimeText.read($0) },
        FieldOption("--bedtime-chime", "bedtimeChime", "on or off", onOrOff),
        FieldOption("--hours", "hours", "12 or 24") { text in
            Int(text).flatMap(HourFormat.init).map { .number($0.rawValue) }
        },
    ]

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let changes = try fields.patch(call.arguments)
        let settings: Settings
        if call.arguments.has("--reset") {
            guard changes.members.isEmpty else {
                throw call.arguments.wrong("--reset resets every setting: leave out the other options")
            }
            settings = try call.service.ask(ResetSettings()).body.settings
        } else if changes.members.isEmpty {
            settings = try call.service.ask(GetSettings()).body.settings
        } else {
            let names = OptionNames(fields, call.arguments)
            let answer = try call.service.ask(Configure(changes: SettingsPatch(changes.members)), naming: names)
            call.warn(answer.warnings.map(names.text))
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
        let lock = "from \(TimeText.length(settings.lockSeconds)) before an alarm with challenges"
        let lines = [
            ("enabled", settings.isEnabled ? "on" : "off: no alarm rings"),
            ("zone", settings.zoneName?.inOneLine ?? "the machine's (\(machine.inOneLine))"),
            ("lock", settings.lockSeconds == 0 ? "none" : lock),
            ("snooze", "\(TimeText.length(bounds.lowerBound)) to \(TimeText.length(bounds.upperBound))"),
            ("preflight", settings.hourFormat.text(settings.preflight)),
            ("emergency", settings.hasEmergencyExit ? "on" : "off"),
            ("bedtime", BedtimeText.text(settings)),
            ("hours", "\(settings.hourFormat.rawValue)"),
        ]
        return Table(rows: lines.map { [Table.Cell($0, .dim), Table.Cell($1)] }, elastic: 1)
    }
}
