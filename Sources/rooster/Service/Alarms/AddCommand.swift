// `rooster add`: adds an alarm.

import API
import Alarms
import JSON
import Text

enum AddCommand {
    static let command = Subcommand.ofService(
        "add", "sets a new alarm: rooster add 7:00 weekdays --label Work",
        help: """
            Usage: rooster add TIME [DAYS] [OPTIONS]

            Sets a new alarm, and says when it rings first. It is on the disk before it is acknowledged.

            \(WhenError.examples)

            \(AlarmOptions.help)
              --off               set, but switched off for now
              --json              one JSON object: id, alarm (as in alarms files), next (at, local, alarm, label, layer; or
                                  null), days (in words), warnings

            An alarm can do without TIME if --on says when it rings. What no option says is:
            \(standard).
            """,
        valued: AlarmOptions.valued, flags: ["--off"], repeated: AlarmOptions.repeated, takesMoreWords: true, run: run)

    private static var standard: String {
        let alarm = Alarm(id: "")
        let (ring, snooze) = (alarm.ring, alarm.snooze)
        let snoozes = snooze.max.map { "--snoozes \($0)" } ?? "--snoozes unlimited"
        return
            "--sound \(ring.sound) --volume \(ring.volume) --ramp \(ring.rampSeconds) --for \(ring.ringSeconds / 60) "
            + "--snooze \(snooze.seconds / 60) \(snoozes) --late \(alarm.lateWindowSeconds / 60)"
    }

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let options = try AlarmOptions(call.arguments)
        let when = try When.read(call.arguments.words[...])
        guard when.time != nil || when.delaySeconds != nil || (when.days == nil && options.saysDays) else {
            throw .usage("say at which time it is to ring", help: WhenError.hint)
        }
        var members = when.changes() + options.changes(to: .object([]))
        if call.arguments.has("--off") { members.append(.init("enabled", .bool(false))) }
        let patch = AlarmPatch(members)
        let names = OptionNames.ofAlarm(patch.value, call.arguments)
        let answer = try call.service.ask(AddAlarm(alarm: patch, at: when.relative), naming: names)
        let saved = answer.body
        let alarm = saved.alarm ?? patch.value
        let name = alarm.label.isEmpty ? "the alarm" : alarm.label.inOneLine
        let id = saved.id.prefix(8).description.inOneLine
        call.say(
            answer, "Added \(name) (\(id)), \(alarm.times(saved)): \(saved.words(alarm))",
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
    /// Returns the time of the next ring, or the reason why the saved alarm does not ring.
    func words(_ alarm: Alarm) -> String {
        let clock = DeviceClock(device)
        if let next { return clock.words(next, of: alarm) }
        guard alarm.isEnabled else { return "it is off" }
        guard device.enabled else { return StatusLines.allOff }
        return clock.isOver(alarm) ? "it does not ring, for that time has passed" : "it does not ring as things are"
    }
}

extension Alarm {
    /// Returns the saved time and days, such as "07:00 Weekdays".
    func times(_ saved: AlarmOutcome) -> String {
        "\(time.map { "\($0) " } ?? "")\(AlarmTable.days(self, saved.days ?? ""))"
    }
}
