// What can be said of an alarm beside when it rings, as options of `rooster add` and `rooster edit`.

import Alarms
import CivilTime
import JSON
import Text

/// The options that change an alarm, read.
struct AlarmOptions {
    /// Fields of the alarm that are said, as a patch, without the challenges. A null in it is one in the alarm.
    private var members: [JSON.Member] = []
    private var challenges: [ChallengeChange] = []
    /// The zone that was named, to know what day it is there.
    private(set) var zone: String?

    static let valued: Set<String> = [
        "--label", "--sound", "--volume", "--ramp", "--for", "--snooze", "--snoozes", "--late", "--zone", "--days",
        "--note", "--category", "--math", "--steps", "--pattern",
    ]
    static let repeated: Set<String> = ["--on", "--code", "--tag"]
    /// What takes something away, for `edit`.
    static let removing: Set<String> = [
        "--no-zone", "--no-days", "--no-math", "--no-steps", "--no-pattern", "--no-code", "--no-tag", "--no-challenges",
    ]

    static let help = """
          --label TEXT        what you call it
          --sound ID          as 'rooster sound list' shows them
          --volume V          0.01 to 1, or 1% to 100%
          --ramp SECONDS      how long the volume takes to rise
          --for MINUTES       how long it rings before it rests, when nobody answers
          --snooze MINUTES    how long a snooze lasts; 90s, 5min and 1h are lengths of time too, here and elsewhere
          --snoozes N         how often it may be snoozed: a number, none, or unlimited
          --math N[:LEVEL]    to stop it, solve N sums, of level 1 (easy, the default) to 3
          --code LABEL        … show the camera this code ('rooster code list'); of several, any one
          --tag LABEL         … hold this tag to the reader (likewise); of several, any one
          --steps N           … walk so many steps, on a mat or before a motion detector
          --pattern N         … press the two buttons so many times in the order that the status lamp shows
                              Several of these are asked for in the order in which they stand here. A reader of tags,
                              a mat and buttons are there once /etc/rooster/rooster.conf says so ('man rooster.conf')
          --on DAY=TIME       on a weekday or date at another time, as in tue=7:45, sat,sun=9:30 or 2026-12-24=off;
                              'usual' takes that back. Several are said with commas, or with --on again
          --days CALENDAR     only on the days of a calendar ('rooster calendar')
          --zone ZONE         by the clocks of another place, as in Asia/Tokyo
          --late MINUTES      how late it still rings when it could not ring in time
          --note TEXT, --category TEXT
                              words of your own
        """

    init(_ arguments: CommandArguments) throws(CommandError) {
        for option in arguments.options {
            guard let value = option.value else {
                remove(option.name)
                continue
            }
            do throws(OptionError) {
                try take(option.name, value)
            } catch {
                throw arguments.wrong("\(option.name): \(value.quoted) is not \(error.expected)")
            }
        }
    }

    /// The whole patch on an alarm that says this now.
    func changes(to alarm: JSON) -> [JSON.Member] {
        guard !challenges.isEmpty else { return members }
        var list: [JSON] = []
        if case .array(let elements)? = alarm.member("challenges") { list = elements }
        for change in challenges { change.apply(to: &list) }
        return members + [.init("challenges", .array(list))]
    }

    var isEmpty: Bool { members.isEmpty && challenges.isEmpty }

    /// Whether the days on which it is to ring are said in one of these.
    var saysDays: Bool { members.contains { $0.name == "weekly" || $0.name == "dates" } }

    /// What an option should have been.
    private struct OptionError: Error {
        let expected: String
    }

    private mutating func take(_ name: String, _ value: String) throws(OptionError) {
        switch name {
        case "--label", "--note", "--category": set(String(name.dropFirst(2)), .string(value))
        case "--zone":
            zone = value
            set("zone", .string(value))
        case "--days": set("days", .string(value))
        case "--sound": set("ring", "sound", .string(value))
        case "--volume": set("ring", "volume", try number(value, VolumeText.expected, VolumeText.read))
        case "--ramp": set("ring", "ramp", try seconds(value, bare: 1))
        case "--for": set("ring", "for", try seconds(value, bare: 60))
        case "--snooze": set("snooze", "seconds", try seconds(value, bare: 60))
        case "--late": set("late", try seconds(value, bare: 60))
        case "--snoozes": try takeSnoozes(value)
        case "--on": try takeDays(value)
        case "--math": try takeMath(value)
        case "--steps": change(.steps, "count", try count(value))
        case "--pattern": change(.pattern, "length", try count(value))
        case "--code": add(value, to: .qr, "codes")
        case "--tag": add(value, to: .tag, "tags")
        default: break  // an option of the command, not of the alarm
        }
    }

    private mutating func remove(_ flag: String) {
        switch flag {
        case "--no-zone": set("zone", .null)
        case "--no-days": set("days", .null)
        case "--no-challenges": challenges.append(.removeAll)
        case "--no-code": challenges.append(.remove(.qr))
        case "--no-math": challenges.append(.remove(.math))
        case "--no-steps": challenges.append(.remove(.steps))
        case "--no-pattern": challenges.append(.remove(.pattern))
        case "--no-tag": challenges.append(.remove(.tag))
        default: break  // likewise
        }
    }

    // MARK: Fields

    private mutating func set(_ name: String, _ value: JSON) {
        members.removeAll { $0.name == name }
        members.append(.init(name, value))
    }

    /// A field of an object within the alarm.
    private mutating func set(_ object: String, _ name: String, _ value: JSON) {
        guard let index = members.firstIndex(where: { $0.name == object }),
            case .object(let inner) = members[index].value
        else { return set(object, .object([.init(name, value)])) }
        members[index].value = .object(inner.filter { $0.name != name } + [.init(name, value)])
    }

    private mutating func takeSnoozes(_ value: String) throws(OptionError) {
        switch value {
        case "none", "never": set("snooze", "max", .number(0))
        case "unlimited": set("snooze", "max", .null)
        default:
            guard let number = Int(value), number >= 0 else {
                throw OptionError(expected: "a number, none, or unlimited")
            }
            set("snooze", "max", .number(number))
        }
    }

    /// `tue=7:45`, `sat,sun=9:30`, `tue=7:45,fri=off`.
    private mutating func takeDays(_ value: String) throws(OptionError) {
        var days: [Substring] = []
        for part in value.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            days.append(sides[0])
            guard sides.count == 2 else { continue }
            try set(days, as: String(sides[1]))
            days = []
        }
        guard days.isEmpty else { throw AlarmOptions.noDays }
    }

    private static let noDays = OptionError(
        expected: "DAY=TIME, as in tue=7:45, sat,sun=9:30, 2026-12-24=off or tue=usual, or several of these with commas"
    )

    private mutating func set(_ days: [Substring], as text: String) throws(OptionError) {
        let rule: JSON
        switch text {
        case "off": rule = .text(DayRule.off)
        case "usual": rule = .null
        default:
            guard let time = WhenWords.time(text) else { throw AlarmOptions.noDays }
            rule = .text(time)
        }
        for day in days {
            if let date = CivilDate(String(day)) {
                set("dates", "\(date)", rule)
            } else if let weekdays = WhenWords.weekdays(String(day)) {
                for weekday in weekdays.days { set("weekly", weekday.shortName, rule) }
            } else {
                throw AlarmOptions.noDays
            }
        }
    }

    // MARK: Challenges

    private mutating func takeMath(_ value: String) throws(OptionError) {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), !parts.contains(nil) else {
            throw OptionError(expected: "a number of sums, or number:level, as in 3 or 3:2")
        }
        let numbers = parts.compactMap(\.self)
        change(.math, "count", .number(numbers[0]))
        if numbers.count == 2 { change(.math, "level", .number(numbers[1])) }
    }

    private mutating func change(_ kind: Challenge.Kind, _ name: String, _ value: JSON) {
        challenges.append(.set(kind, .init(name, value)))
    }

    /// Labels of one kind are alternatives, not challenges one after the other.
    private mutating func add(_ label: String, to kind: Challenge.Kind, _ name: String) {
        for (index, change) in challenges.enumerated() {
            guard case .set(kind, let member) = change, case .array(let labels) = member.value else { continue }
            challenges[index] = .set(kind, .init(name, .array(labels + [.string(label)])))
            return
        }
        change(kind, name, .array([.string(label)]))
    }

    // MARK: Values

    private func number(_ text: String, _ expected: String, _ read: (String) -> Double?) throws(OptionError) -> JSON {
        guard let number = read(text) else { throw OptionError(expected: expected) }
        return .number(number)
    }

    private func count(_ text: String) throws(OptionError) -> JSON {
        guard let number = Int(text) else { throw OptionError(expected: "a whole number") }
        return .number(number)
    }

    private func seconds(_ text: String, bare: Int) throws(OptionError) -> JSON {
        guard let seconds = LengthText.seconds(text, bare: bare) else {
            throw OptionError(expected: "a length of time, as in \(bare == 1 ? "30, 90s" : "10, 90s") or 1h")
        }
        return .number(seconds)
    }
}
