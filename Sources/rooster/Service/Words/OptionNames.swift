// Replaces a field in a problem by the option that sets it, because the user typed options.

import API
import Alarms
import Text

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
        var names = OptionNames(AlarmOptions.fields, flags: AlarmOptions.flagFields, arguments)
        names.challenges = alarm?.challenges ?? []
        return names
    }

    /// Returns the options of `edit`, for advice on an alarm that cannot be switched on.
    static func mending(_ name: String, _ alarm: Alarm) -> OptionNames {
        var names = ofAlarm(alarm)
        names.alarmToMend = name.asWord
        return names
    }

    /// Returns the names of alarms by id, for problems whose path is an id. Alarms of the same name have
    /// their time as well.
    static func ofAlarms(_ alarms: [Alarm]) -> OptionNames {
        let names = alarms.map { alarm in
            let isUnique = alarms.count { $0.shownName == alarm.shownName } == 1
            return (alarm.id, "\(alarm.shownName)\(isUnique ? "" : alarm.time.map { " (\($0))" } ?? "")")
        }
        return OptionNames(options: Dictionary(names) { $1 })
    }

    init(_ options: [FieldOption], flags: [String: String] = [:], _ arguments: CommandArguments? = nil) {
        let places = options.map { ($0.place, $0.name) } + flags.map { ($0.value, $0.key) }
        self.options = Dictionary(uniqueKeysWithValues: places)
        self.arguments = arguments
    }

    private init(options: [String: String]) { self.options = options }

    /// Returns the problem and its remedy: `--math must be …` for `challenges[0].count: must be …`. A field
    /// without an option keeps its path.
    func text(_ problem: ProblemReport) -> String {
        // The defaults of new alarms have the options of an alarm.
        if problem.path.hasPrefix("defaults.") {
            let member = String(problem.path.dropFirst("defaults.".count))
            return text(ProblemReport(member, problem.message, problem.code))
        }
        if let text = OptionNames.textOfWarning(problem) { return text }
        if ["date", "dates"].contains(problem.path) {
            // The user types dates as words, not as an option.
            let isToday = problem.message.contains("has passed") && arguments?.operands.contains("today") == true
            return sentences(problem.message.capitalisedFirst, isToday ? "Did you mean tomorrow?" : nil)
        }
        guard let option = option(at: problem.path[...]) else {
            return sentences("\(problem)", advice(problem, for: ""))
        }
        guard alarmToMend == nil else { return sentences(reason(problem).capitalisedFirst, remedy(problem)) }
        // --math sets both the number of the sums and their level.
        let member = problem.path.split(separator: ".").last.map(String.init) ?? ""
        let subject =
            switch option {
            case _ where member == problem.path: option
            case "--math": "The \(member) of \(option)"
            // Its help calls its two lengths so.
            case "--check": "\(member.uppercased()) of \(option)"
            default: option
            }
        return sentences(sentence(of: subject, lengths(problem, typedFor: option)), advice(problem, for: option))
    }

    /// Returns the text of a warning about an alarm as a whole or one of its dates, which no option sets;
    /// nil for any other problem.
    private static func textOfWarning(_ problem: ProblemReport) -> String? {
        // A file's alarm keeps its path.
        guard !problem.path.hasPrefix("alarms[") else { return nil }
        return switch problem.code {
        case .noSpeaker: sentences(problem.message.capitalisedFirst, "'rooster speakers' shows each")
        case .noRing where problem.path != "repeat": problem.message.capitalisedFirst
        case .ownTimeOnDayOff where problem.path.hasPrefix("alarms."): problem.message.capitalisedFirst
        case .ownTimeOnDayOff: "\(problem.path.split(separator: ".").last ?? "") \(problem.message)"
        default: nil
        }
    }

    /// Returns the problem of a saved alarm without its remedy: "the level of its math challenge must be …".
    func reason(_ problem: ProblemReport) -> String {
        let message = lengths(problem, typedFor: "").replacing(#/challenges\[\d+\]/#, with: "another one")
        let path = problem.path[...]
        guard OptionNames.isPredicate(message) else { return message }
        guard let index = index(at: path), challenges.indices.contains(index) else {
            return option(at: path).map { sentence(of: $0, message) } ?? "\(problem)"
        }
        let challenge = "its \(challenges[index].kind?.name.lowercased() ?? "unknown") challenge"
        let member = path.drop { $0 != "]" }.dropFirst(2)
        return "\(member.isEmpty ? challenge : "the \(member) of \(challenge)") \(message)"
    }

    /// Returns the command that corrects a saved alarm.
    func remedy(_ problem: ProblemReport) -> String {
        guard let alarmToMend, let option = option(at: problem.path[...]), !AlarmOptions.flags.contains(option)
        else { return "" }
        let edit = "'rooster edit \(alarmToMend)"
        if let enrolling = enrolling(problem, option) {
            return "\(enrolling), \(edit) \(option) LABEL' chooses another"
        }
        // No value can correct a problem of a whole challenge. The challenge must be removed.
        let isWhole = problem.path.hasSuffix("]")
        return isWhole
            ? "\(edit) --no-\(option.dropFirst(2))' removes this challenge" : "\(edit) \(option) …' corrects it"
    }

    /// Returns the subject and its problem, which may be a predicate or a sentence of its own.
    private func sentence(of subject: String, _ message: String) -> String {
        OptionNames.isPredicate(message) ? "\(subject) \(message)" : "\(subject): \(message)"
    }

    private static let verbs: Set<Substring> = [
        "is", "are", "must", "may", "can", "cannot", "could", "has", "have", "needs", "names", "says", "does", "gives",
        "repeats", "asks",
    ]

    static func isPredicate(_ message: String) -> Bool { verbs.contains(message.prefix { $0 != " " }) }

    private func advice(_ problem: ProblemReport, for option: String) -> String? {
        if ["--sound", "--escalate"].contains(option) {
            guard problem.message.contains(" no sound") else { return nil }
            let meant = option == "--sound" ? SoundCommand.hint(near: arguments?.value("--sound") ?? "") : nil
            return sentences(meant, "'rooster sound list' shows all")
        }
        if problem.code == .brokenPart {
            return option == "--early" ? "'man rooster.conf' names one" : "'rooster doctor' shows why"
        }
        if option == "--days" { return "'rooster calendar' lists all" }
        if option == "--zone", problem.message.contains("no time zone") {
            return ZoneNames.near(arguments?.value("--zone") ?? "").map { "Did you mean \($0)?" }
        }
        if let enrolling = enrolling(problem, option) { return "\(enrolling), 'rooster code list' shows all" }
        guard let group = OptionNames.groups[option], problem.message.lowercased().hasPrefix("this device ") else {
            return nil
        }
        return "See '\(group)' in /etc/rooster/rooster.conf"
    }

    /// Returns the command that enrols a missing code or tag; nil if none is missing.
    private func enrolling(_ problem: ProblemReport, _ option: String) -> String? {
        guard problem.message.contains("enrolled"), option == "--code" || option == "--tag" else { return nil }
        return "'rooster code enrol LABEL\(option == "--tag" ? " --tag" : "")' enrols one"
    }

    /// The group in the configuration that sets up the device for an option.
    private static let groups = [
        "--code": "camera", "--shake": "shaker", "--escalate": "shaker", "--pattern": "buttons", "--steps": "steps",
        "--tag": "tags",
    ]

    /// Returns the message with lengths of time in place of seconds, and options in place of fields. The
    /// length that the user typed stays as typed: it begins the message or follows "not".
    private func lengths(_ problem: ProblemReport, typedFor option: String) -> String {
        let message = options.filter { $0.key.contains(".") }.reduce(problem.message) {
            $0.replacing($1.key, with: $1.value)
        }
        let words = message.split(separator: " ").map(String.init)
        guard words.contains(where: { $0.hasPrefix("seconds") }) else { return message }
        let typed = arguments?.value(option).map { Int($0) == nil ? $0 : "\($0) \(option == "--ramp" ? "s" : "min")" }
        var said: [String] = []
        for (index, word) in words.enumerated() {
            let digits = word.prefix(while: \.isNumber)
            if let seconds = Int(digits) {
                let isTyped = index == 0 || words[index - 1] == "not"
                said.append((isTyped ? typed : nil) ?? TimeText.length(seconds))
                said[said.count - 1] += word.dropFirst(digits.count)
            } else if word.hasPrefix("seconds"), let last = said.popLast() {
                said.append(last + word.dropFirst("seconds".count))
            } else {
                said.append(word)
            }
        }
        return said.joined(separator: " ")
    }

    private func option(at place: Substring) -> String? {
        if let option = options[String(place)] ?? options[String(place.prefix { $0 != "[" && $0 != "." })] {
            return option
        }
        guard let index = index(at: place), challenges.indices.contains(index), let kind = challenges[index].kind
        else { return nil }
        return AlarmOptions.kinds.first { $0.value == kind }?.key
    }

    /// Returns the number of the challenge in a path such as `challenges[1].count`.
    private func index(at place: Substring) -> Int? {
        guard place.hasPrefix("challenges[") else { return nil }
        return Int(place.dropFirst("challenges[".count).prefix { $0 != "]" })
    }
}
