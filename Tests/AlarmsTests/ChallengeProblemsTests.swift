// The tests of challenges that cannot be met: the alarm is kept but disabled, and every reason is named.

import JSON
import Testing

@testable import Alarms

@Suite struct ChallengeProblemsTests {
    /// Reads and validates an alarm with these challenges.
    func validated(_ challenges: String, _ change: (inout ValidationContext) -> Void = { _ in }) throws
        -> AlarmsFileReading
    {
        var validationContext = ValidationContext()
        change(&validationContext)
        let text = #"{"alarms": [{"id": "a", "time": "07:00", "challenges": [\#(challenges)]}]}"#
        return try AlarmsFileReading(Array(text.utf8), among: validationContext)
    }

    /// Checks that the alarm is enabled and has no problem.
    func expectTaken(_ reading: AlarmsFileReading, _ what: String = "") {
        #expect(reading.isWhole && reading.problems.isEmpty, "\(what)")
        #expect(reading.file.alarms.map(\.isEnabled) == [true], "\(what)")
    }

    /// Checks that the alarm is kept but disabled, for these reasons.
    func expectOff(_ reading: AlarmsFileReading, _ reasons: [String]) {
        #expect(reading.isWhole)
        #expect(reading.file.alarms.map(\.isEnabled) == [false])
        #expect(reading.problems.map(\.description) == reasons.map { "alarms[0].\($0)" })
        #expect(reading.problems.allSatisfy { $0.weight == .unmet })
    }

    /// Checks that the alarm is rejected, for these reasons.
    func expectRefused(_ reading: AlarmsFileReading, _ reasons: [String]) {
        #expect(reading.file.alarms.isEmpty)
        #expect(reading.setAside.flatMap(\.problems).map(\.description) == reasons.map { "alarms[0].\($0)" })
    }

    @Test(arguments: [
        ("qr", "code", "codes", #""bathroom""#, #""kitchen", "bathroom""#),
        ("tag", "tag", "tags", #""bathroom""#, #""kitchen", "bathroom""#),
    ])
    func labels_mustBeEnrolled(kind: String, what: String, field: String, one: String, two: String) throws {
        func validated(_ labels: String, enrolled: Set<String>?) throws -> AlarmsFileReading {
            try self.validated(#"{"kind": "\#(kind)", "\#(field)": [\#(labels)]}"#) {
                $0.codes = kind == "qr" ? enrolled : []
                $0.tags = kind == "tag" ? enrolled : []
            }
        }
        let path = "challenges[0].\(field)"
        try expectTaken(validated(one, enrolled: nil))
        try expectTaken(validated(one, enrolled: ["bathroom", "door"]))
        // One enrolled label is enough, and the other one may be a slip.
        let spare = try validated(two, enrolled: ["bathroom"])
        #expect(spare.file.alarms.map(\.isEnabled) == [true])
        #expect(spare.problems.map(\.description) == [#"alarms[0].\#(path): no \#(what) named "kitchen" is enrolled"#])
        #expect(spare.problems.map(\.code) == [.notEnrolled])
        try expectOff(validated(one, enrolled: []), [#"\#(path): no \#(what) named "bathroom" is enrolled"#])
        try expectOff(
            validated(two, enrolled: ["Bathroom"]),
            [#"\#(path): no \#(what) named "kitchen" or "bathroom" is enrolled"#])
        let many = (1...7).map { #""\#($0)""# }.joined(separator: ",")
        try expectOff(
            validated(many, enrolled: []),
            [#"\#(path): no \#(what) named "1" or "2" or "3" or "4" or "5" or … is enrolled"#])
        let none = "\(path): the alarm asks for a \(what) and names none"
        try expectOff(validated("", enrolled: nil), [none])
        try expectOff(self.validated(#"{"kind": "\#(kind)"}"#), [none])
    }

    @Test func challenge_withoutItsDevice_keepsTheAlarmOff() throws {
        let all = """
            {"kind": "qr", "codes": ["a"]}, {"kind": "math"}, {"kind": "steps"}, {"kind": "pattern"},
            {"kind": "tag", "tags": ["a"]}, {"kind": "roulette", "of": [{"kind": "steps"}, {"kind": "math"}]}
            """
        try expectTaken(validated(all))
        try expectTaken(validated(all) { $0.kinds = Set(Challenge.Kind.allCases) })
        func missing(_ path: String, _ what: String) -> String { "challenges\(path): this device \(what)" }
        try expectOff(
            validated(all) { $0.kinds = [.math] },
            [
                missing("[0]", "has no camera"), missing("[2]", "has no step sensor"),
                missing("[3]", "does not have both buttons"), missing("[4]", "has no tag reader"),
                missing("[5].of[0]", "has no step sensor"),
            ])
    }

    @Test func unknownKind_isKeptButOff() throws {
        let reading = try validated(#"{"kind": "hum", "song": "Blue Moon"}"#)
        expectOff(reading, [#"challenges[0].kind: this version of Rooster has no challenge "hum""#])
        #expect(reading.file.json.description.contains(#"{"kind":"hum","song":"Blue Moon"}"#))
    }

    @Test func roulette_needsTwoChallenges() throws {
        let reason = "challenges[0].of: must have at least two challenges"
        try expectRefused(validated(#"{"kind": "roulette"}"#), [reason])
        try expectRefused(validated(#"{"kind": "roulette", "of": [{"kind": "math"}]}"#), [reason])
        try expectTaken(validated(#"{"kind": "roulette", "of": [{"kind": "math"}, {"kind": "steps"}]}"#))
    }

    @Test func challenges_areRefused_whenThereAreTooMany() throws {
        func steps(_ count: Int) -> String {
            (0..<count).map { #"{"kind": "steps", "count": \#(50 + $0)}"# }.joined(separator: ",")
        }
        try expectTaken(validated(steps(10)))
        try expectRefused(validated(steps(11)), ["challenges: must have at most 10 challenges, not 11"])
        try expectTaken(validated(#"{"kind": "roulette", "of": [\#(steps(10))]}"#))
        try expectRefused(
            validated(#"{"kind": "roulette", "of": [\#(steps(11))]}"#),
            ["challenges[0].of: must have at most 10 challenges, not 11"])
    }

    @Test(arguments: [("qr", "code", "codes"), ("tag", "tag", "tags")])
    func labels_areRefused_whenThereAreTooMany(kind: String, what: String, field: String) throws {
        func challenge(_ count: Int) -> String {
            let labels = (0..<count).map { #""\#($0)""# }.joined(separator: ",")
            return #"{"kind": "\#(kind)", "\#(field)": [\#(labels)]}"#
        }
        try expectTaken(validated(challenge(64)))
        let reason = "\(field): must name at most 64 \(what)s, not 65"
        try expectRefused(validated(challenge(65)), ["challenges[0].\(reason)"])
        let roulette = #"{"kind": "roulette", "of": [{"kind": "math"}, \#(challenge(65))]}"#
        try expectRefused(validated(roulette), ["challenges[0].of[1].\(reason)"])
    }

    /// An alarm with another mistake is rejected, and all its reasons are named.
    @Test func unmetChallenge_isReportedWithOtherMistakes() throws {
        let found = try problems(
            of: #"{"id": "a", "time": "07:00", "late": -1, "challenges": [{"kind": "hum"}, {"kind": "qr"}]}"#)
        #expect(found.count == 3)
        let reading = try AlarmsFileReading(
            JSON(parsing: Array(#"{"alarms": [{"id": "a", "challenges": [{"kind": "hum"}]}]}"#.utf8)))
        #expect(reading.file.alarms.isEmpty)
        #expect(reading.setAside.flatMap(\.problems).map(\.weight) == [.refused, .unmet])
    }

    @Test func mistakes_besideUnreadableChallenges_keepTheirIndex() throws {
        try expectRefused(
            validated(#"5, {"count": 9}, {"kind": 7}, {"kind": "math", "level": "x"}, 5, {"kind": "qr"}"#),
            [
                "challenges[0]: must be an object { … }, not 5",
                "challenges[1].kind: is missing: write qr, math, steps, pattern, tag or roulette",
                "challenges[2].kind: must be a text in quotes, not 7",
                #"challenges[3].level: must be a whole number, not "x""#,
                "challenges[4]: must be an object { … }, not 5",
                "challenges[5].codes: the alarm asks for a code and names none",
            ])
        try expectRefused(
            validated(#"{"kind": "roulette", "of": [{"kind": 7}, {"kind": "qr"}]}"#),
            [
                "challenges[0].of[0].kind: must be a text in quotes, not 7",
                "challenges[0].of[1].codes: the alarm asks for a code and names none",
            ])
    }

    /// Kind and parameter, its range, and its unit.
    @Test(arguments: [
        ("math", "level", 1...3, ""), ("math", "count", 1...20, ""), ("math", "limit", 15...300, " seconds"),
        ("steps", "count", 10...500, ""), ("pattern", "length", 3...12, ""),
    ])
    func number_outsideRange_keepsAlarmOff(kind: String, name: String, range: ClosedRange<Int>, unit: String) throws {
        func challenge(_ value: Int) -> String { #"{"kind": "\#(kind)", "\#(name)": \#(value)}"# }
        for value in [range.lowerBound, range.upperBound] { try expectTaken(validated(challenge(value)), "\(value)") }
        for value in [range.lowerBound - 1, range.upperBound + 1, .min, .max] {
            let reason = "\(name): must be between \(range.lowerBound) and \(range.upperBound)\(unit), not \(value)"
            try expectOff(validated(challenge(value)), ["challenges[0].\(reason)"])
            let roulette = #"{"kind": "roulette", "of": [{"kind": "math"}, \#(challenge(value))]}"#
            try expectOff(validated(roulette), ["challenges[0].of[1].\(reason)"])
        }
    }

    @Test func duplicateChallenges_keepTheAlarmOff() throws {
        try expectOff(
            validated(#"{"kind": "math"}, {"kind": "steps"}, {"kind": "math", "count": 3}, {"kind": "math"}"#),
            ["challenges[2]: asks for the same as challenges[0]", "challenges[3]: asks for the same as challenges[0]"])
        try expectTaken(validated(#"{"kind": "math"}, {"kind": "math", "count": 4}"#))
        try expectOff(
            validated(#"{"kind": "qr", "codes": ["a", "b", "a"]}, {"kind": "tag", "tags": ["a", "a"]}"#),
            ["challenges[0].codes: the alarm names a code twice", "challenges[1].tags: the alarm names a tag twice"])
        try expectOff(
            validated(#"{"kind": "roulette", "of": [{"kind": "steps"}, {"kind": "steps"}]}"#),
            ["challenges[0].of[1]: asks for the same as challenges[0].of[0]"])
    }

    @Test func rouletteWithinARoulette_hidesNoOtherMistake() throws {
        try expectRefused(
            validated(
                """
                {"kind": "roulette", "of": [{"kind": "steps", "count": 9},
                  {"kind": "roulette", "of": [{"kind": "math"}, {"kind": "math", "level": 4}]}]}
                """),
            [
                "challenges[0].of: must not have another roulette",
                "challenges[0].of[0].count: must be between 10 and 500, not 9",
                "challenges[0].of[1].of[1].level: must be between 1 and 3, not 4",
            ])
    }
}
