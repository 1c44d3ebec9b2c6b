// A ring that is over, as the service remembers it: for people, and for spreadsheets.

import Alarms
import CivilTime
import JSON
import Text

struct PastRing: Hashable {
    struct Task: Hashable {
        let kind: String
        /// When it was done; nothing where it was not.
        let done: String?
    }

    let alarm: String
    let at: String
    let localText: String
    let local: CivilDateTime
    let label: String
    let ended: String
    let end: String
    let fired: String?
    let lateSeconds: Int?
    let snoozes: Int
    let challenges: [Task]
    /// The alarm by whose challenges it ended; nothing where it ended by itself.
    let with: String?
    /// Whether no card and no buzzer played it.
    let isUnheard: Bool
    let firstMissed: String?

    init?(_ fields: inout Fields) {
        guard let local = fields.text("local"), let date = CivilDate(String(local.prefix(10))),
            let time = ClockTime(String(local.dropFirst(11).prefix(8))), let at = fields.text("at"),
            let ended = fields.text("ended")
        else { return nil }
        (self.at, localText, self.local, self.ended) = (at, local, CivilDateTime(date, time), ended)
        alarm = fields.text("alarm") ?? ""
        label = fields.text("label") ?? ""
        end = fields.text("end") ?? ""
        fired = fields.text("fired")
        lateSeconds = fields.integer("lateSeconds")
        snoozes = fields.integer("snoozes") ?? 0
        challenges = fields.each(of: "challenges") { fields in
            fields.text("kind").map { Task(kind: $0, done: fields.text("done")) }
        }
        with = fields.text("with")
        isUnheard = fields.bool("unheard") ?? false
        firstMissed = fields.text("firstMissed")
    }

    // MARK: For people

    func row() -> [Table.Cell] {
        let weekday = WeekdaySet([local.date.weekday]).words
        let name = label.isEmpty ? String(alarm.prefix(8)).inOneLine : label.inOneLine
        return [
            Table.Cell("\(weekday) \(local.date) \(local.time)", .dim), Table.Cell(name),
            Table.Cell(ended.inOneLine, tint),
            Table.Cell(details),
        ]
    }

    private var tint: Style.Tint {
        switch ended {
        case "dismissed": .green
        case "emergency", "unanswered": .red
        case "missed": .yellow
        default: .dim
        }
    }

    private var details: String {
        var parts: [String] = []
        if let lateSeconds, lateSeconds > 0 { parts.append("\(TimeWords.length(lateSeconds)) late") }
        if snoozes > 0 { parts.append("\(snoozes) \(snoozes == 1 ? "snooze" : "snoozes")") }
        if let start = fired.flatMap({ Instant($0, rounding: .down) }), let end = Instant(end, rounding: .down) {
            parts.append("after \(TimeWords.length(end.seconds(since: start)))")
        }
        let done = challenges.filter { $0.done != nil }.count
        if isUnheard { parts.append("unheard: nothing played it") }
        if with != nil {
            parts.append("ended with another of the same challenges")
        } else if !challenges.isEmpty {
            parts.append("\(done) of \(challenges.count) challenges")
        }
        if let firstMissed, firstMissed != at {
            parts.append("missed again and again since \(String(firstMissed.prefix(10)).inOneLine)")
        }
        return parts.joined(separator: ", ")
    }

    // MARK: For spreadsheets

    static let header = [
        "at", "local", "alarm", "label", "ended", "end", "fired", "late_seconds", "snoozes", "challenges",
        "first_missed", "with", "unheard",
    ]

    var record: [String] {
        let tasks = challenges.map { task in task.done.map { "\(task.kind)=\($0)" } ?? task.kind }
        return [
            at, localText, alarm, label, ended, end, fired ?? "", lateSeconds.map(String.init) ?? "", "\(snoozes)",
            tasks.joined(separator: " "), firstMissed ?? "", with ?? "", isUnheard ? "yes" : "",
        ]
    }
}

/// Records for spreadsheets, as RFC 4180 has them.
enum CSV {
    /// Lines end in CR LF, which is the caller's to print behind it.
    static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

    private static func field(_ text: String) -> String {
        // A spreadsheet takes a text that begins like this for a formula, which may do anything. An apostrophe before it
        // keeps it a text; a minus before a number is none.
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n|".unicodeScalars.contains($0) } ?? false
        let text = isFormula && Int(text) == nil ? "'\(text)" : text
        // A terminal may show this before any spreadsheet does.
        let safe = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 != "\n" && $0.breaksLines ? " " : $0 }))
        guard safe.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return safe }
        return "\"\(safe.replacing("\"", with: "\"\""))\""
    }
}
