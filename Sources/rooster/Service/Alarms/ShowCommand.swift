// `rooster show`: all fields of one alarm.

import Alarms
import CivilTime
import Text

enum ShowCommand {
    static let command = Subcommand.ofService(
        "show", "Show everything about an alarm",
        help: """
            Usage: rooster show ALARM [OPTIONS]

            Show everything about an alarm.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: alarm (as in an alarms file), next,
                              days, locked, unmet, replaced (kind, by, text; the
                              challenges whose device is missing now)
            """,
        operands: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        guard !call.isJSON else { return print(found.report.line) }
        let status = try call.service.status()
        let outlook = Outlook(status, endings: try call.service.endings(of: [found], status))
        for line in AlarmSheet.lines(found, outlook, call.style) { print(line) }
    }
}

/// An alarm as lines: the name and the value of each field.
enum AlarmSheet {
    static func lines(_ listed: ListedAlarm, _ outlook: Outlook, _ style: Style) -> [String] {
        let alarm = listed.alarm
        var table = Table(elastic: 1)
        func line(_ name: String, _ text: String) {
            if !text.isEmpty { table.rows.append([Table.Cell(name, .dim), Table.Cell(text)]) }
        }
        line("id", alarm.id.inOneLine)
        let hours = outlook.clock.hours
        line("time", alarm.time.map(hours.text) ?? "")
        line("days", (listed.days.isEmpty ? alarm.daysSummary : listed.days).asSentence)
        line("from", (alarm.start ?? (alarm.recurrence == nil ? nil : alarm.anchor)).map { "\($0)" } ?? "")
        line("calendar", alarm.calendarName?.inOneLine ?? "")
        line("zone", alarm.zoneName?.inOneLine ?? "")
        for weekday in Weekday.allCases {
            if let rule = alarm.weekly[weekday] { line(WeekdaySet([weekday]).summary, hours.text(rule)) }
        }
        for (date, rule) in alarm.dates.sorted(by: { $0.key < $1.key }).prefix(20) { line("\(date)", hours.text(rule)) }
        if alarm.dates.count > 20 { line("…", "and \(alarm.dates.count - 20) more dates") }
        line("skipped", alarm.skipped.text(atMost: 10))
        line("paused", alarm.paused.text(atMost: 10))
        line("sound", sound(alarm.ring))
        line("shaker", shaker(alarm))
        line("light", light(alarm))
        line("escalates", EscalationText.text(alarm.escalationSteps))
        line("rings for", rounds(alarm.ring))
        line("snooze", snooze(alarm.snooze))
        for (index, challenge) in alarm.challenges.enumerated() {
            line(index == 0 ? "to stop it" : "then", text(challenge))
        }
        for text in listed.replacedTexts { line("for now", text) }
        line("check", alarm.wakeUpCheck.map(WakeUpCheckText.text) ?? "")
        let late = alarm.lateWindowSeconds
        line("late", late == 0 ? "never rings late" : "rings up to \(TimeText.length(late)) late")
        line("postpone", alarm.allowsPostponing ? "can be put off although it has challenges" : "")
        let early = alarm.earlySeconds
        let isDeaf = listed.next.map { $0.earliest == nil } ?? false
        let notNow = isDeaf ? " (not now: no step sensor works, or the clock is not set)" : ""
        line("early", early == 0 ? "" : "rings up to \(TimeText.length(early)) early when you move\(notNow)")
        let leads = alarm.notices.sorted { $0.seconds > $1.seconds }.map { TimeText.length($0.seconds) }
        line("notices", leads.isEmpty ? "" : "\(leads.joined(separator: ", ")) before each ring")
        line("note", alarm.note.asSentence)
        line("category", alarm.category.inOneLine)
        line("now", outlook.present(alarm) ?? "")
        let isAllOff = alarm.isEnabled && !outlook.status.enabled
        line("next", isAllOff ? "\(Outlook.allOff) (\(Outlook.enableAll))" : outlook.next(listed))
        if !alarm.isEnabled { line("", outlook.howToEnable(listed)) }
        if listed.isLocked {
            let isOpen = outlook.isOpen(alarm)
            let begins = isOpen ? "'rooster stop'" : "'rooster unlock \(alarm.shellName.asWord)'"
            line(
                "locked",
                "until \(isOpen ? "its ring is over" : "it has rung") or its challenges are done: \(begins) begins them"
            )
        }
        return [style.paint(alarm.shownName, .bold)] + table.lines(style).map { "  \($0)" }
    }

    static func sound(_ ring: RingSettings) -> String {
        guard !ring.isSilent else { return "none" }
        let volume = Int((ring.volume * 100).rounded())
        let ramp = ring.rampSeconds == 0 ? "at once" : "within \(TimeText.length(ring.rampSeconds))"
        return "\(ring.sound.inOneLine), up to \(volume) % \(ramp)"
    }

    static func shaker(_ alarm: Alarm) -> String { alarm.ring.shakes ? "shakes the bed while it rings" : "" }

    static func light(_ alarm: Alarm) -> String {
        alarm.lightSeconds == 0 ? "" : "rises for \(TimeText.length(alarm.lightSeconds)) before each ring"
    }

    static func rounds(_ ring: RingSettings) -> String {
        let length = TimeText.length(ring.ringSeconds)
        guard ring.rounds > 1 else { return "\(length), once" }
        return "\(length) at a time, \(ring.rounds) times, with \(TimeText.length(ring.restSeconds)) of rest between"
    }

    static func snooze(_ snooze: SnoozeSettings) -> String {
        switch snooze.max {
        case 0: "never"
        case 1: "once, \(TimeText.length(snooze.seconds))"
        case let max?: "\(max) times, \(TimeText.length(snooze.seconds)) each"
        case nil: "unlimited, \(TimeText.length(snooze.seconds)) each"
        }
    }

    static func text(_ challenge: Challenge) -> String {
        switch challenge.task {
        case .code(let labels): "show the camera the code \(list(labels))"
        case .tag(let labels): "hold the tag \(list(labels)) to the reader"
        case .sums(let level, let count, let limit):
            "solve \(count) \(count == 1 ? "sum" : "sums") of level \(level)"
                + (limit == Challenge.Limits.sumSecondsDefault ? "" : ", within \(TimeText.length(limit)) each")
        case .steps(let count): "walk \(count) steps"
        case .pattern(let length): "press the buttons \(length) times, in the order shown"
        case .roulette(let choices): "one of these, drawn at random: \(choices.map(text).joined(separator: "; "))"
        case .unknown(let kind): "\(kind.quoted), which this version of Rooster does not know"
        }
    }

    private static func list(_ labels: [String]) -> String { labels.map(\.quoted).joined(separator: " or ") }
}
