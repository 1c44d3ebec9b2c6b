// Replaces a field in a problem by the option that sets it, because the user typed options.

import API
import Alarms

struct OptionNames {
    private let options: [String: String]
    /// The challenges of the alarm in the request.
    private var challenges: [Challenge] = []
    /// The alarm's name as a shell word, if the advice is to correct the alarm with `rooster edit`.
    private var alarmToMend: String?

    /// The typed arguments. Messages show a length of time as the user typed it.
    private var arguments: CommandArguments?

    /// Returns the names of the options of `add` and `edit`. `alarm` is the alarm in the request.
    static func ofAlarm(_ alarm: Alarm? = nil, _ arguments: CommandArguments? = nil) -> OptionNames {
        var names = OptionNames(AlarmOptions.fields, arguments)
        names.challenges = alarm?.challenges ?? []
        return names
    }

    /// Returns the options of `edit`, for advice on an alarm that cannot be switched on.
    static func mending(_ name: String, _ alarm: Alarm) -> OptionNames {
        var names = ofAlarm(alarm)
        names.alarmToMend = name.asWord
        return names
    }

    /// Returns the names of alarms by id, for problems whose path is an id.
    static func ofAlarms(_ alarms: [Alarm]) -> OptionNames {
        OptionNames(options: Dictionary(alarms.map { ($0.id, $0.shownName) }) { $1 })
    }

    init(_ options: [FieldOption], _ arguments: CommandArguments? = nil) {
        self.options = Dictionary(uniqueKeysWithValues: options.map { ($0.place, $0.name) })
        self.arguments = arguments
    }

    private init(options: [String: String]) { self.options = options }

    /// Returns `--math: 0 is not …` for `challenges[0].count: 0 is not …`. A field without an option keeps
    /// its path.
    func words(_ problem: ProblemReport) -> String {
        if ["date", "dates"].contains(problem.path) {
            // The user types dates as words, not as an option.
            let isToday = problem.message.hasSuffix("has passed") && arguments?.words.contains("today") == true
            return "\(problem.message)\(isToday ? ": did you mean tomorrow?" : "")"
        }
        guard let option = option(at: problem.path[...]) else { return "\(problem)" + soundAdvice(problem) }
        let reason = lengths(problem.message[...], typedFor: option) + soundAdvice(problem)
        let enrolling = problem.message.hasSuffix(" is enrolled") ? OptionNames.enrolling[option] : nil
        guard let alarmToMend else {
            var advice = enrolling.map { ": '\($0)' enrols one, 'rooster code list' shows all" } ?? ""
            if let group = OptionNames.groups[option], reason.hasPrefix("this device has no") {
                advice = ": see '\(group)' in /etc/rooster/rooster.conf"
            }
            return "\(option): \(reason)\(advice)"
        }
        if let enrolling {
            return
                "\(reason): 'rooster edit \(alarmToMend) \(option) LABEL' gives it another, '\(enrolling)' enrols one"
        }
        // No value can correct a problem of a whole challenge. The challenge has to be removed.
        let isWhole = problem.path.hasSuffix("]")
        let change = isWhole ? "--no-\(option.dropFirst(2))' takes that away" : "\(option) …' mends it"
        return "\(reason): 'rooster edit \(alarmToMend) \(change)"
    }

    private func soundAdvice(_ problem: ProblemReport) -> String {
        problem.path == "ring.sound" && problem.message.contains(" is no sound")
            ? ": 'rooster sound list' shows all" : ""
    }

    private static let enrolling = [
        "--code": "rooster code enrol LABEL", "--tag": "rooster code enrol LABEL --tag",
    ]
    /// The group in the configuration that sets up the device for an option.
    private static let groups = ["--code": "camera", "--pattern": "buttons", "--steps": "steps", "--tag": "tags"]

    /// Replaces seconds by lengths of time in common words. The length that the user typed stays as typed.
    private func lengths(_ reason: Substring, typedFor option: String) -> String {
        let words = reason.split(separator: " ")
        guard words.dropFirst().contains(where: { $0.hasPrefix("seconds") }) else { return String(reason) }
        let typed = arguments?.value(option).map { Int($0) == nil ? $0 : "\($0) \(option == "--ramp" ? "s" : "min")" }
        var said: [String] = []
        for word in words {
            if let seconds = Int(word) {
                said.append(said.isEmpty ? typed ?? TimeWords.length(seconds) : TimeWords.length(seconds))
            } else if word.hasPrefix("seconds"), let last = said.popLast() {
                said.append(last + word.dropFirst("seconds".count))
            } else {
                said.append(String(word))
            }
        }
        return said.joined(separator: " ")
    }

    private func option(at place: Substring) -> String? {
        if let option = options[String(place)] ?? options[String(place.prefix { $0 != "[" })] { return option }
        guard place.hasPrefix("challenges[") else { return nil }
        let number = place.dropFirst("challenges[".count).prefix { $0 != "]" }
        guard let index = Int(number), challenges.indices.contains(index),
            let kind = challenges[index].kind
        else { return nil }
        return AlarmOptions.kinds.first { $0.value == kind }?.key
    }
}
