// The text of scenarios, in three parts: the setup, the events, and the expectations.

import Alarms
import CivilTime
import JSON
import Testing

@testable import Engine

struct ScenarioLine: CustomStringConvertible {
    let number: Int
    let words: [String]

    var description: String { words.joined(separator: " ") }
}

/// Returns a scenario's lines without their comments, which start with `#`.
func scenarioLines(_ text: String) -> [ScenarioLine] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
        let content = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        let words = content.split(separator: " ").map(String.init)
        return words.isEmpty ? nil : ScenarioLine(number: index + 1, words: words)
    }
}

/// A scenario that fails or cannot be parsed.
struct ScenarioFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(_ line: ScenarioLine, _ reason: String) {
        description = "line \(line.number), \"\(line)\": \(reason)"
    }
}

extension ScenarioLine {
    /// Returns the word at an index, which must exist.
    func word(_ index: Int) throws -> String {
        guard index < words.count else { throw ScenarioFailure(self, "a word is missing") }
        return words[index]
    }

    /// The button that the second word names.
    var button: Button {
        get throws {
            guard let button = Button(rawValue: try word(1)) else { throw ScenarioFailure(self, "no such button") }
            return button
        }
    }

    /// The member that the second word sets to a number or a text, such as `snooze.min=600`.
    var member: JSON.Member {
        get throws {
            let parts = try word(1).split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let names = Optional(parts[0].split(separator: ".").map(String.init)) else {
                throw ScenarioFailure(self, "sets no member")
            }
            let value: JSON = parts[1] == "null" ? .null : Int(parts[1]).map { .number($0) } ?? .string(parts[1])
            return JSON.Member(names[0], names.dropFirst().reversed().reduce(value) { .object([.init($1, $0)]) })
        }
    }

    /// Returns a duration such as `90 s`, `5 min` or `3 h` that begins at a word, in milliseconds.
    func milliseconds(at index: Int) throws -> Int {
        guard let number = Double(try word(index)) else { throw ScenarioFailure(self, "\(words[index]) is no number") }
        let unit =
            switch try word(index + 1) {
            case "ms": 1.0
            case "s": 1000.0
            case "min": 60_000.0
            case "h": 3_600_000.0
            case "d": 86_400_000.0
            default: throw ScenarioFailure(self, "\(words[index + 1]) is no unit")
            }
        return Int(number * unit)
    }

    /// Returns an alarm: `ID TIME [daily|weekdays|on DATE|RRULE] [name=value …]`.
    func alarm(from first: Int) throws -> Alarm {
        var alarm = Alarm(id: try word(first))
        alarm.label = alarm.id
        var index = first + 1
        while index < words.count {
            let word = words[index]
            if let time = ClockTime(word) {
                alarm.time = time
            } else if word == "daily" {
                alarm.recurrence = Recurrence(.daily)
            } else if word == "weekdays" {
                alarm.recurrence = try Recurrence(parsing: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
            } else if word.hasPrefix("FREQ=") {
                alarm.recurrence = try Recurrence(parsing: word)
            } else if word == "off" {
                alarm.isEnabled = false
            } else if let date = CivilDate(word) {
                alarm.date = date
            } else {
                try set(word, of: &alarm)
            }
            index += 1
        }
        return alarm
    }

    private func set(_ word: String, of alarm: inout Alarm) throws {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ScenarioFailure(self, "\(word) means nothing here") }
        let numbers = parts[1].split(separator: ",").compactMap { Int($0) }
        switch parts[0] {
        case "late": alarm.lateWindowSeconds = numbers[0] * 60
        case "early": alarm.earlySeconds = numbers[0] * 60
        case "snoozes": alarm.snooze.max = parts[1] == "unlimited" ? nil : numbers[0]
        case "snooze": alarm.snooze.seconds = numbers[0] * 60
        case "ramp": alarm.ring.rampSeconds = numbers[0]
        case "for": alarm.ring.ringSeconds = numbers[0] * 60
        case "rounds": alarm.ring.rounds = numbers[0]
        case "rest": alarm.ring.restSeconds = numbers[0] * 60
        case "light": alarm.lightSeconds = numbers[0] * 60
        case "check": alarm.wakeUpCheck = WakeUpCheck(after: numbers[0] * 60, within: numbers[1] * 60)
        case "shake": alarm.ring.shakes = parts[1] == "yes"
        case "escalate":
            alarm.escalation = parts[1].split(separator: ",").compactMap { step in
                let pair = step.split(separator: "@").map(String.init)
                guard pair.count == 2 else { return nil }
                let acts = pair[1].split(separator: "+").map(String.init)
                return EscalationStep(
                    after: (Int(pair[0]) ?? 0) * 60, sound: acts.first { $0 != "shaker" },
                    shakes: acts.contains("shaker"))
            }
        case "volume": alarm.ring.volume = Double(parts[1]) ?? 1
        case "sound": alarm.ring.sound = parts[1]
        case "zone": alarm.zoneName = parts[1]
        case "note": alarm.note = parts[1]
        case "category": alarm.category = parts[1]
        case "anchor": alarm.anchor = CivilDate(parts[1])
        case "notices":
            alarm.notices = try parts[1].split(separator: ",").map { text in
                guard let lead = NoticeLead(text: String(text)) else {
                    throw ScenarioFailure(self, "\(text) is no lead")
                }
                return lead
            }
        case "postpone": alarm.allowsPostponing = parts[1] == "yes"
        case "days": alarm.calendarName = parts[1]
        case "math":
            let (count, limit) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 60)
            alarm.challenges.append(Challenge(.sums(level: numbers[0], count: count, limitSeconds: limit)))
        case "code": alarm.challenges.append(Challenge(.code(labels: parts[1].split(separator: ",").map(String.init))))
        case "tag": alarm.challenges.append(Challenge(.tag(labels: parts[1].split(separator: ",").map(String.init))))
        case "steps": alarm.challenges.append(Challenge(.steps(count: numbers[0])))
        case "pattern": alarm.challenges.append(Challenge(.pattern(length: numbers[0])))
        case "weekly":
            for entry in parts[1].split(separator: ",") {
                let pair = entry.split(separator: "@").map(String.init)
                guard pair.count == 2, let day = Weekday.allCases.first(where: { "\($0)".hasPrefix(pair[0]) }),
                    let rule = DayRule(pair[1])
                else { throw ScenarioFailure(self, "\(entry) is no weekday with a rule") }
                alarm.weekly[day] = rule
            }
        case "dates":
            for entry in parts[1].split(separator: ",") {
                let pair = entry.split(separator: "@").map(String.init)
                guard pair.count == 2, let date = CivilDate(pair[0]), let rule = DayRule(pair[1]) else {
                    throw ScenarioFailure(self, "\(entry) is no date with a rule")
                }
                alarm.dates[date] = rule
            }
        default: throw ScenarioFailure(self, "\(word) means nothing here")
        }
    }
}
