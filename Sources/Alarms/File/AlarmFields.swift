// Reading an alarm from the alarms file.

import CivilTime
import JSON
import Text

extension Alarm {
    /// Reads an alarm; what does not fit is noted with its place within the alarm, and left as by default.
    package static func read(_ members: [JSON.Member]) -> (alarm: Alarm, problems: [Problem]) {
        var fields = Fields(members, at: "")
        let alarm = Alarm(reading: &fields)
        return (alarm, fields.problems)
    }

    private init(reading fields: inout Fields) {
        self.init(id: fields.text("id") ?? "")
        fields.text("label").map { label = $0 }
        fields.bool("enabled").map { isEnabled = $0 }
        time = fields.parsed("time", "a time such as \"07:00\"")
        date = fields.parsed("date", "a date such as \"2026-01-15\"")
        start = fields.parsed("start", "a date such as \"2026-01-15\"")
        anchor = fields.parsed("anchor", "a date such as \"2026-01-15\"")
        recurrence = fields.recurrence("repeat")
        zoneName = fields.text("zone")
        calendarName = fields.text("days")
        weekly = fields.entries("weekly", "a weekday, mon to sun") { Weekday(shortName: $0) }
        dates = fields.entries("dates", "a date such as \"2026-01-15\"") { CivilDate($0) }
        skipped = fields.dateSet("skip")
        paused = fields.dateSet("pause")
        fields.object("ring") { RingSettings(reading: &$0) }.map { ring = $0 }
        fields.object("snooze") { SnoozeSettings(reading: &$0) }.map { snooze = $0 }
        challenges = fields.challenges("challenges")
        fields.integer("late").map { lateWindowSeconds = $0 }
        fields.text("note").map { note = $0 }
        fields.text("category").map { category = $0 }
        unknown = fields.unknown()
    }

    package var json: JSON {
        var members: [JSON.Member] = [
            .init("id", .string(id)), .init("label", .string(label)), .init("enabled", .bool(isEnabled)),
            .init("time", .text(time)), .init("date", .text(date)), .init("start", .text(start)),
            .init("repeat", .text(recurrence)), .init("zone", .text(zoneName)), .init("days", .text(calendarName)),
            .init(
                "weekly",
                .object(weekly.sorted { $0.key < $1.key }.map { .init($0.key.shortName, .text($0.value)) })),
            .init("dates", .object(dates.sorted { $0.key < $1.key }.map { .init("\($0.key)", .text($0.value)) })),
        ]
        if let anchor { members.append(.init("anchor", .text(anchor))) }
        if !skipped.isEmpty { members.append(.init("skip", skipped.json)) }
        if !paused.isEmpty { members.append(.init("pause", paused.json)) }
        members += [
            .init("ring", ring.json), .init("snooze", snooze.json),
            .init("challenges", .array(challenges.map(\.json))), .init("late", .number(lateWindowSeconds)),
            .init("note", .string(note)), .init("category", .string(category)),
        ]
        return .object(members + unknown)
    }
}

extension RingSettings {
    package init(reading fields: inout Fields) {
        fields.text("sound").map { sound = $0 }
        fields.decimal("volume").map { volume = $0 }
        fields.integer("ramp").map { rampSeconds = $0 }
        fields.integer("for").map { ringSeconds = $0 }
        unknown = fields.unknown()
    }

    package var json: JSON {
        .object(
            [
                .init("sound", .string(sound)), .init("volume", .number(volume)), .init("ramp", .number(rampSeconds)),
                .init("for", .number(ringSeconds)),
            ] + unknown)
    }
}

extension SnoozeSettings {
    package init(reading fields: inout Fields) {
        fields.integer("seconds").map { seconds = $0 }
        if fields.isNull("max") { max = nil }
        fields.integer("max").map { max = $0 }
        unknown = fields.unknown()
    }

    package var json: JSON {
        .object([.init("seconds", .number(seconds)), .init("max", max.map { .number($0) } ?? .null)] + unknown)
    }
}

extension Fields {
    fileprivate mutating func recurrence(_ name: String) -> Recurrence? {
        guard let text = text(name) else { return nil }
        do {
            return try Recurrence(parsing: text)
        } catch {
            for reason in error.reasons { note(name, reason) }
            return nil
        }
    }

    /// An object whose names say days and whose values say what happens on them.
    fileprivate mutating func entries<Day: Hashable>(
        _ name: String, _ expected: String, _ day: (String) -> Day?
    ) -> [Day: DayRule] {
        object(name) { fields in
            var entries: [Day: DayRule] = [:]
            fields.each { fields, name in
                if let day = day(name) {
                    entries[day] = fields.parsed(name, "a time such as \"07:45\", or \"off\"") as DayRule?
                } else {
                    fields.note(name, "\(name.quoted) is not \(expected)")
                }
            }
            return entries
        } ?? [:]
    }
}
