// `rooster defaults`: shows or changes what new alarms have unless their owner says otherwise.

import API
import Alarms
import JSON

enum DefaultsCommand {
    static let command = Subcommand.ofService(
        "defaults", "Show or change the defaults of new alarms",
        help: """
            Usage: rooster defaults [OPTIONS]

            Show the defaults of new alarms, or change those that are named. 'rooster add'
            uses them for every option that it is not given. Alarms that exist, files and
            imports stay as they are.

            Options:
            \(AlarmOptions.houseHelp(showsDefaults: false))

            MINUTES and SECONDS may have a unit: 90s, 5min, 1h30.

            \(AlarmOptions.challengeHelp)

            Other options:
              --no-math, --no-code, --no-tag, --no-steps, --no-pattern, --no-roulette,
              --no-challenges
                                   remove the challenge, or all challenges
              --no-shake           do not shake the bed
              --reset              use Rooster's own defaults again
              --json               print one JSON object: ring, escalate, snooze,
                                   challenges, check and light, as in an alarms file
            """,
        valued: AlarmOptions.houseFields.names.union(AlarmOptions.challengeOptions),
        flags: AlarmOptions.removingChallenges.union(["--shake", "--no-shake", "--reset"]),
        repeated: AlarmOptions.repeatedChallenges, run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let options = try AlarmOptions(call.arguments)
        let now = try call.service.ask(GetSettings()).body.settings.defaults
        let defaults: AlarmDefaults
        if options.isEmpty, !call.arguments.has("--reset") {
            defaults = now
        } else {
            let isReset = call.arguments.has("--reset")
            guard !isReset || options.isEmpty else {
                throw call.arguments.wrong("--reset resets every default: leave out the other options")
            }
            let members = try options.changes(to: now.json, call.arguments)
            let changes = SettingsPatch([.init("defaults", isReset ? .null : .object(members))])
            let names = OptionNames.ofAlarm(
                options.isEmpty ? nil : AlarmPatch(members).value, call.arguments)
            let answer = try call.service.ask(Configure(changes: changes), naming: names)
            call.warn(answer.warnings.map(names.text))
            defaults = answer.body.settings.defaults
        }
        guard !call.isJSON else { return print(defaults.json.line) }
        call.show(table(defaults))
    }

    private static func table(_ defaults: AlarmDefaults) -> Table {
        let alarm = defaults.alarm
        var lines = [
            ("sound", AlarmSheet.sound(alarm.ring)), ("shaker", AlarmSheet.shaker(alarm)),
            ("light", AlarmSheet.light(alarm)), ("escalates", EscalationText.text(alarm.escalationSteps)),
            ("rings for", AlarmSheet.rounds(alarm.ring)), ("snooze", AlarmSheet.snooze(alarm.snooze)),
        ]
        for (index, challenge) in alarm.challenges.enumerated() {
            lines.append((index == 0 ? "to stop it" : "then", AlarmSheet.text(challenge)))
        }
        lines.append(("check", alarm.wakeUpCheck.map(WakeUpCheckText.text) ?? ""))
        lines = lines.filter { !$0.1.isEmpty }
        return Table(rows: lines.map { [Table.Cell($0.0, .dim), Table.Cell($0.1)] }, elastic: 1)
    }
}
