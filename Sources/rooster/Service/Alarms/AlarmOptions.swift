// The options of `rooster add` and `rooster edit`: all fields of an alarm but its base.

import Alarms
import CivilTime
import JSON

/// The parsed options that change an alarm.
struct AlarmOptions {
    /// A merge patch of the given fields, without the challenges. A null stays a null in the alarm.
    private var patch = JSON.object([])
    private var challenges: [ChallengeChange] = []
    /// The time for each sum.
    private var sumSeconds: Int?

    static let fields: [FieldOption] =
        [
            FieldOption("--label", "label"), FieldOption("--note", "note"), FieldOption("--category", "category"),
            FieldOption("--zone", "zone"), FieldOption("--days", "days"),
            FieldOption("--notice", "notices", "times before the ring such as 7d,24h,30m, or none", notices),
            .length("--late", "late", bare: 60, suchAs: "10, 90s or 1h"),
            .length("--early", "early", bare: 60, suchAs: "20, 90s or 0"),
        ] + houseFields

    /// The fields that an alarm can have from the defaults of the house.
    static let houseFields: [FieldOption] = [
        FieldOption("--sound", "ring.sound"),
        FieldOption("--volume", "ring.volume", VolumeText.expected) { text in
            VolumeText.read(text).map { .number($0) }
        },
        .length("--ramp", "ring.ramp", bare: 1, suchAs: "30, 90s or 1h"),
        .length("--for", "ring.for", bare: 60, suchAs: "10, 90s or 1h"),
        FieldOption("--rounds", "ring.rounds", "a whole number") { Int($0).map { .number($0) } },
        .length("--rest", "ring.rest", bare: 60, suchAs: "10, 90s or 1h"),
        .length("--snooze", "snooze.seconds", bare: 60, suchAs: "10, 90s or 1h"),
        FieldOption("--snoozes", "snooze.max", "a number, none, or unlimited", snoozes),
        FieldOption("--escalate", "escalate", EscalationText.expected) { EscalationText.read($0) },
        FieldOption("--check", "check", WakeUpCheckText.expected) { WakeUpCheckText.read($0) },
        .length("--light", "light", bare: 60, suchAs: "30, 45min or 1h"),
    ]
    static let kinds: [String: Challenge.Kind] = [
        "--math": .math, "--code": .qr, "--tag": .tag, "--steps": .steps, "--pattern": .pattern,
        "--roulette": .roulette,
    ]

    static let challengeOptions: Set<String> = ["--math", "--limit", "--steps", "--pattern"]
    static let repeatedChallenges: Set<String> = ["--code", "--tag", "--roulette"]
    static let valued = fields.names.union(challengeOptions)
    static let repeated = repeatedChallenges.union(["--on"])
    /// The flags of `add` and `edit`, each with the path of its field.
    static let flagFields = ["--shake": "ring.shake", "--postpone": "postpone"]
    static let flags = Set(flagFields.keys)
    static let removingChallenges: Set<String> = [
        "--no-math", "--no-steps", "--no-pattern", "--no-code", "--no-tag", "--no-roulette", "--no-challenges",
    ]
    /// The flags of `edit` that remove something.
    static let removing = removingChallenges.union(["--no-zone", "--no-days", "--no-shake", "--no-postpone"])

    static func help(showsDefaults: Bool) -> String {
        let late = showsDefaults ? " (default: \(Alarm(id: "").lateWindowSeconds / 60))" : ""
        return """
            Options:
              --label TEXT         name of the alarm
            \(houseHelp(showsDefaults: showsDefaults))
              --late MINUTES       longest delay, such as after a power cut\(late)
              --early MINUTES      ring up to 30 min early when you move; needs a step
                                   sensor, such as a motion detector (see
                                   'man rooster.conf'); 0 for never
              --notice TIMES       notices ahead of each ring, such as 7d,24h,30m; or none
              --postpone           allow to put off its ring although it has challenges
              --on DAY=TIME        another time on a weekday or date: tue=7:45,
                                   sat,sun=9:30, fri=off or 2026-12-24=off; 'usual'
                                   removes it; may be repeated
              --days CALENDAR      ring only on the days of a calendar ('rooster calendar')
              --zone ZONE          time zone of the alarm, such as Asia/Tokyo
              --note TEXT          note
              --category TEXT      category

            MINUTES and SECONDS may have a unit: 90s, 5min, 1h30.

            \(challengeHelp)
            """
    }

    /// The help on the fields that an alarm can have from the defaults of the house.
    static func houseHelp(showsDefaults: Bool) -> String {
        let alarm = Alarm(id: "")
        func usual(_ value: some CustomStringConvertible) -> String { showsDefaults ? " (default: \(value))" : "" }
        let snoozes = usual(alarm.snooze.max.map { "\($0)" } ?? "unlimited")
        return """
              --sound ID           sound, from 'rooster sound list'\(usual(alarm.ring.sound))
              --volume V           volume, 0.01 to 1 or 1% to 100%\(usual(alarm.ring.volume))
              --ramp SECONDS       time until the full volume\(usual(alarm.ring.rampSeconds))
              --for MINUTES        length of a round\(usual(alarm.ring.ringSeconds / 60))
              --rounds N           rounds without an answer, 1 to 12, after which the
                                   alarm gives up\(usual(alarm.ring.rounds))
              --rest MINUTES       silence between two rounds, 1 to 30\(usual(alarm.ring.restSeconds / 60))
              --snooze MINUTES     length of a snooze\(usual(alarm.snooze.seconds / 60))
              --snoozes N          snoozes allowed: a number, none or unlimited\(snoozes)
              --escalate STEPS     what follows if nobody answers, such as 5min=square520
                                   or 2min=shaker,10min=horn01+shaker; 'none' for none,
                                   'usual' for square520 after 5 min
              --check AFTER[/WITHIN]
                                   after the challenges, ask once more whether you are
                                   awake, such as 5min/3min; without an answer the alarm
                                   rings again; 'none' for no check
              --shake              shake the bed while it rings; with '--sound none' the
                                   alarm only shakes
              --light MINUTES      sunrise of the lamp before each ring, 1 to 60; 0 for none
            """
    }

    static let challengeHelp = """
        Challenges, to be done in the order given here before the alarm stops:
          --math N[:LEVEL]     solve N sums of level 1 (easy, the default) to 3
          --limit SECONDS      time for each of these sums, 15 to 300 s (default: 60)
          --code LABEL         show a code to the camera ('rooster code list'); if
                               repeated, any one of these codes
          --tag LABEL          hold a tag to the reader; if repeated, any one of them
          --steps N            walk N steps, on a mat or past a motion detector
          --pattern N          press the two buttons N times, in the order that the
                               lamp shows
          --roulette KIND=…    one of several, drawn for each ring; repeated once for
                               each: math=N[:LEVEL], code=LABEL, tag=LABEL, steps=N or
                               pattern=N

        Tags, steps and patterns need hardware: see 'man rooster.conf'.
        """

    init(_ arguments: CommandArguments) throws(CommandError) {
        for option in arguments.options {
            if let value = option.value {
                try take(option.name, value, arguments)
            } else {
                apply(flag: option.name)
            }
        }
    }

    /// Returns the whole merge patch to `alarm`, with the challenges.
    func changes(to alarm: JSON, _ arguments: CommandArguments) throws(CommandError) -> [JSON.Member] {
        guard !isEmpty else { return [] }
        var list: [JSON] = []
        if case .array(let elements)? = alarm.member("challenges") { list = elements }
        for change in challenges { change.apply(to: &list) }
        if let sumSeconds {
            guard let index = list.firstIndex(where: { $0.member("kind") == .string(Challenge.Kind.math.rawValue) })
            else { throw arguments.wrong("--limit is the time for each sum of --math, which the alarm does not have") }
            list[index] = list[index].patched(with: .object([.init("limit", .number(sumSeconds))]))
        }
        let changesList = !challenges.isEmpty || sumSeconds != nil
        return patch.members + (changesList ? [.init("challenges", .array(list))] : [])
    }

    var isEmpty: Bool { patch.members.isEmpty && challenges.isEmpty && sumSeconds == nil }

    /// True if `--on` gives a rule for a weekday or a date.
    var saysDays: Bool { patch.member("weekly") != nil || patch.member("dates") != nil }

    private mutating func take(_ name: String, _ text: String, _ arguments: CommandArguments) throws(CommandError) {
        func read<Value>(_ expected: String, _ read: (String) -> Value?) throws(CommandError) -> Value {
            try arguments.value(text, of: name, expected, read)
        }
        switch name {
        case "--on":
            for (place, rule) in try read(AlarmOptions.daysExpected, AlarmOptions.days) { patch.set(place, to: rule) }
        case "--math":
            let members = try read("a number of sums, or NUMBER:LEVEL, such as 3 or 3:2", AlarmOptions.sums)
            challenges += members.map { .set(.math, $0) }
        case "--steps":
            challenges.append(.set(.steps, .init("count", .number(try read("a whole number", { Int($0) })))))
        case "--pattern":
            challenges.append(.set(.pattern, .init("length", .number(try read("a whole number", { Int($0) })))))
        case "--limit":
            sumSeconds = try read("a length of time such as 90 or 2min") { LengthText.seconds($0, bare: 1) }
        case "--roulette":
            let choice = try read("KIND=VALUE such as math=3, code=bathroom or steps=30", AlarmOptions.choice)
            add(choice, to: .roulette, "of")
        case "--code": add(.string(text), to: .qr, "codes")
        case "--tag": add(.string(text), to: .tag, "tags")
        default:
            // The command's own options, such as `--socket`, set no field of the alarm.
            guard let field = AlarmOptions.fields.first(where: { $0.name == name }) else { return }
            patch.set(field.place, to: try field.value(text, arguments))
        }
    }

    private mutating func apply(flag: String) {
        switch flag {
        case "--no-zone", "--no-days": patch.set(String(flag.dropFirst("--no-".count)), to: .null)
        case "--shake", "--no-shake": patch.set("ring.shake", to: .bool(flag == "--shake"))
        case "--postpone", "--no-postpone": patch.set("postpone", to: .bool(flag == "--postpone"))
        case "--no-challenges": challenges.append(.removeAll)
        default:
            let kind = AlarmOptions.kinds[flag.replacing("--no-", with: "--")]
            if let kind { challenges.append(.remove(kind)) }
        }
    }

    private static func snoozes(_ text: String) -> JSON? {
        switch text {
        case "none", "never": .number(0)
        case "unlimited": .null
        default: Int(text).flatMap { $0 >= 0 ? .number($0) : nil }
        }
    }

    private static func notices(_ text: String) -> JSON? {
        guard text != "none" else { return .array([]) }
        let leads = text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map {
            NoticeLead(text: String($0))
        }
        return leads.contains(nil) ? nil : .array(leads.compactMap { $0?.json })
    }

    // MARK: Days

    private static let daysExpected =
        "DAY=TIME such as tue=7:45, sat,sun=9:30, 2026-12-24=off or tue=usual, or several of these with commas"

    /// Parses `tue=7:45`, `sat,sun=9:30` or `tue=7:45,fri=off` into the path and the rule of each day.
    private static func days(_ text: String) -> [(place: String, rule: JSON)]? {
        var rules: [(place: String, rule: JSON)] = []
        var places: [String] = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let days = self.places(sides[0]) else { return nil }
            places += days
            guard sides.count == 2 else { continue }
            guard let rule = rule(sides[1]) else { return nil }
            rules += places.map { ($0, rule) }
            places = []
        }
        return places.isEmpty ? rules : nil
    }

    private static func places(_ days: String) -> [String]? {
        if let date = CivilDate(days) { return ["dates.\(date)"] }
        return WhenWords.weekdays(days)?.days.map { "weekly.\($0.shortName)" }
    }

    private static func rule(_ text: String) -> JSON? {
        switch text {
        case "off": .text(DayRule.off)
        case "usual": .null
        default: WhenWords.time(text).map { .text($0) }
        }
    }

    // MARK: Challenges

    private static func sums(_ text: String) -> [JSON.Member]? {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(numbers.count), !numbers.contains(nil) else { return nil }
        return zip(["count", "level"], numbers.compactMap(\.self)).map { .init($0, .number($1)) }
    }

    /// Parses one choice of a roulette, such as `math=3:2` or `code=bathroom`.
    private static func choice(_ text: String) -> JSON? {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, !sides[1].isEmpty else { return nil }
        let (value, kind) = (sides[1], kinds["--\(sides[0])"])
        let members: [JSON.Member]? =
            switch kind {
            case .math: sums(value)
            case .qr: [.init("codes", .array([.string(value)]))]
            case .tag: [.init("tags", .array([.string(value)]))]
            case .steps: Int(value).map { [.init("count", .number($0))] }
            case .pattern: Int(value).map { [.init("length", .number($0))] }
            case .roulette, nil: nil
            }
        return members.flatMap { members in kind.map { .object([.init("kind", .string($0.rawValue))] + members) } }
    }

    /// Adds an alternative. Alternatives of one kind belong to one challenge, not to several.
    private mutating func add(_ alternative: JSON, to kind: Challenge.Kind, _ name: String) {
        for (index, change) in challenges.enumerated() {
            guard case .set(kind, let member) = change, case .array(let others) = member.value else { continue }
            challenges[index] = .set(kind, .init(name, .array(others + [alternative])))
            return
        }
        challenges.append(.set(kind, .init(name, .array([alternative]))))
    }
}

/// A change to an alarm's challenges. Challenges of other kinds stay as they are.
private enum ChallengeChange {
    /// Sets a field of the challenge of this kind; if the alarm has none, appends one.
    case set(Challenge.Kind, JSON.Member)
    case remove(Challenge.Kind)
    case removeAll

    func apply(to list: inout [JSON]) {
        switch self {
        case .removeAll: list = []
        case .remove(let kind): list.removeAll { $0.member("kind") == .string(kind.rawValue) }
        case .set(let kind, let member):
            let name = JSON.string(kind.rawValue)
            guard let index = list.firstIndex(where: { $0.member("kind") == name }) else {
                list.append(.object([.init("kind", name), member]))
                return
            }
            list[index] = list[index].patched(with: .object([member]))
        }
    }
}
