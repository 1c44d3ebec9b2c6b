// `rooster add`: adds an alarm.

import API
import Alarms
import JSON
import Text

enum AddCommand {
    static let command = Subcommand.ofService(
        "add", "Add an alarm",
        help: """
            Usage: rooster add TIME [DAYS] [OPTIONS]

            Add an alarm, and show its first ring.

            \(WhenError.examples)

            TIME may be left out if --on says when the alarm rings. 'rooster defaults'
            changes the defaults of --sound to --light, and of the challenges.

            \(AlarmOptions.help(showsDefaults: true))

            Other options:
              --no-challenges      without the challenges of 'rooster defaults'
              --no-shake           without the shaker of 'rooster defaults'
              --off                switch the alarm off for now
              --json               print one JSON object: id, alarm (as in an alarms file),
                                   next (at, local, alarm, label, layer; or null), days,
                                   warnings
            """,
        valued: AlarmOptions.valued, flags: AlarmOptions.flags.union(["--off", "--no-challenges", "--no-shake"]),
        repeated: AlarmOptions.repeated,
        takesMoreOperands: true,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let options = try AlarmOptions(call.arguments)
        let when = try When.read(call.arguments.operands[...])
        guard when.time != nil || when.delaySeconds != nil || (when.days == nil && options.saysDays) else {
            throw .usage("TIME is missing", help: WhenError.hint)
        }
        var members = when.changes() + (try options.changes(to: .object([]), call.arguments))
        if call.arguments.has("--off") { members.append(.init("enabled", .bool(false))) }
        let patch = AlarmPatch(members)
        let names = OptionNames.ofAlarm(patch.value, call.arguments)
        let answer = try call.service.ask(AddAlarm(alarm: patch, at: when.relative), naming: names)
        let saved = answer.body
        let alarm = saved.alarm ?? patch.value
        let name = alarm.label.isEmpty ? "an alarm" : alarm.label.inOneLine
        let id = saved.id.prefix(8).description.inOneLine
        call.say(
            answer, "Added \(name) (\(id)), \(alarm.times(saved)): \(saved.text(alarm))",
            naming: names)
    }
}

extension When {
    /// Parses the words of a command. The error has examples of valid words.
    static func read(_ words: ArraySlice<String>) throws(CommandError) -> When {
        do throws(WhenError) {
            return try When(Array(words))
        } catch {
            throw .usage(error.reason, help: WhenError.hint)
        }
    }
}

extension AlarmOutcome {
    /// Returns the time of the next ring, or the reason why the saved alarm does not ring, as the end of a
    /// sentence.
    func text(_ alarm: Alarm) -> String {
        let clock = DeviceClock(device)
        if let next { return clock.text(next, of: alarm) }
        guard alarm.isEnabled else { return "off" }
        guard device.enabled else { return "\(Outlook.allOff) (\(Outlook.enableAll))" }
        return clock.isOver(alarm) ? Outlook.isOver : Outlook.noRing
    }

    /// Returns the same as a sentence.
    func sentence(_ alarm: Alarm) -> String {
        if next != nil { return "It \(text(alarm))" }
        return alarm.isEnabled ? text(alarm).capitalisedFirst : "It is off"
    }

    /// A ring that has begun continues after a change of its alarm: only the sleeper ends it.
    var goesOn: String? { open ? "Its ring goes on: 'rooster stop' ends it, or begins its challenges" : nil }
}

extension Alarm {
    /// Returns the saved time and days, such as "07:00 Weekdays".
    func times(_ saved: AlarmOutcome) -> String {
        "\(time.map { "\(saved.device.hourFormat.text($0)) " } ?? "")\(AlarmTable.days(self, saved.days ?? ""))"
    }
}
