// A past ring, an event and a success rate, as rows for people and as records for spreadsheets.

import API
import Alarms
import CivilTime
import Text

extension PastRingReport {
    // MARK: For people

    func row(_ hours: HourFormat) -> [Table.Cell] {
        let name = label.isEmpty ? String(alarm.prefix(8)).inOneLine : label.inOneLine
        return [
            Table.Cell(local.dateTime.text(hours), .dim), Table.Cell(name),
            Table.Cell(ended.rawValue, tint),
            Table.Cell(details(hours)),
        ]
    }

    private var tint: Style.Tint {
        switch ended {
        case .dismissed, .done: .green
        case .emergency, .unanswered: .red
        case .missed: .yellow
        case .cancelled, .postponed: .dim
        }
    }

    /// The age from which a start ends a ring that it finds, instead of resuming it.
    private static let foundSeconds = 12 * 3600

    private func details(_ hours: HourFormat) -> String {
        var parts: [String] = []
        if let lateSeconds, lateSeconds > 0 { parts.append("\(TimeText.length(lateSeconds)) late") }
        if let postponedToLocal { parts.append("put off to \(postponedToLocal.dateTime.text(hours))") }
        if let earlySeconds { parts.append("woke you \(TimeText.length(earlySeconds)) early") }
        if snoozes > 0 { parts.append("\(snoozes) \(snoozes == 1 ? "snooze" : "snoozes")") }
        if let fired {
            let seconds = end.instant.seconds(since: fired.instant)
            let length = TimeText.length(seconds)
            // After a long power cut, the next start finds the ring and ends it.
            let isFound = ended == .unanswered && seconds > PastRingReport.foundSeconds
            parts.append(isFound ? "found \(length) later" : "after \(length)")
        }
        if let inBedSeconds { parts.append("\(TimeText.length(inBedSeconds)) in bed") }
        let done = challenges.filter { $0.done != nil }.count
        if unheard { parts.append(shaken ? "shaken, not heard" : "unheard: no speaker and no buzzer played") }
        if with != nil {
            parts.append("ended by another alarm with the same challenges")
        } else if !challenges.isEmpty {
            parts.append("\(done) of \(challenges.count) challenges")
        }
        parts += challenges.compactMap { task in
            task.replacedBy.map { "\($0.summary.inOneLine) instead of the \(task.name.lowercased())" }
        }
        if failedChecks > 0 {
            let times = failedChecks == 1 ? "" : " \(failedChecks) times"
            parts.append("rang again\(times), no answer to the wake-up check")
        }
        if isAwake { parts.append("awake at \(hours.text(endLocal.dateTime.time))") }
        if let sender { parts.append("by \(sender)") }
        if let doneAt, let doneSender {
            let day = doneAt.text.prefix(10) == end.text.prefix(10) ? "" : " on \(doneAt.text.prefix(10))"
            parts.append(ended == .done ? "by \(doneSender)" : "done\(day) by \(doneSender)")
        }
        if let firstMissed, firstMissed != at {
            parts.append("missed since \(firstMissed.text.prefix(10))")
        }
        if let remark = AlarmRemark.text(note: note, category: category) { parts.append(remark) }
        return parts.joined(separator: ", ")
    }

    // MARK: For spreadsheets

    var record: [String] {
        let tasks = challenges.map { task in
            [task.kind ?? "", task.done?.text].compactMap(\.self).joined(separator: "=")
        }
        return [
            at.text, local.text, alarm, label, ended.rawValue, end.text, fired?.text ?? "",
            lateSeconds.map(String.init) ?? "", "\(snoozes)", tasks.joined(separator: " "), firstMissed?.text ?? "",
            with ?? "", unheard ? "yes" : "", shaken ? "yes" : "", doneAt?.text ?? "", by?.rawValue ?? "", client ?? "",
            challenges.compactMap { task in task.replacedBy.map { "\(task.kind ?? "")=\($0.summary)" } }
                .joined(separator: " "),
            note ?? "", category ?? "", earlySeconds.map(String.init) ?? "", inBed?.text ?? "",
            inBedSeconds.map(String.init) ?? "", "\(checks)", "\(failedChecks)",
        ]
    }
}

extension EventReport {
    func row(_ hours: HourFormat) -> [Table.Cell] {
        [Table.Cell(local.dateTime.text(hours), .dim), Table.Cell(text.inOneLine(atMost: 400))]
    }
}

extension SuccessReport {
    var row: [Table.Cell] {
        let shown =
            switch group {
            case .alarm: name.isEmpty ? ShownName.of(alarm ?? "", name) : name.inOneLine
            case .category: name.inOneLine
            case .week: "from \(name)"
            }
        let percent = rings > 0 ? "\(Int((100 * Double(dismissed) / Double(rings)).rounded())) %" : "–"
        return [
            Table.Cell(group.rawValue, .dim), Table.Cell(shown), Table.Cell("\(dismissed) of \(rings) dismissed"),
            Table.Cell(percent), Table.Cell("\(inTenMinutes) in 10 min"),
        ]
    }
}

extension PastRingReport.Task {
    fileprivate var name: String { (kind.flatMap { Challenge.Kind(rawValue: $0)?.name } ?? kind ?? "?").inOneLine }
}

/// Records for spreadsheets, as in RFC 4180.
enum CSV {
    static let ringHeader = [
        "at", "local", "alarm", "label", "ended", "end", "fired", "late_seconds", "snoozes", "challenges",
        "first_missed", "with", "unheard", "shaken", "done_at", "by", "client", "replaced", "note", "category",
        "early_seconds", "in_bed", "in_bed_seconds", "checks", "failed_checks",
    ]

    /// Returns a line without its end: the caller prints the CR LF.
    static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

    private static func field(_ text: String) -> String {
        // A spreadsheet runs a text with such a beginning as a formula, which may do harm. A leading
        // apostrophe keeps it a text. A negative number is not a formula.
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n|".unicodeScalars.contains($0) } ?? false
        let text = isFormula && Int(text) == nil ? "'\(text)" : text
        // A terminal may show the line, and its cursor must not move.
        let safe = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 != "\n" && $0.breaksLines ? " " : $0 }))
        guard safe.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return safe }
        return "\"\(safe.replacing("\"", with: "\"\""))\""
    }
}
