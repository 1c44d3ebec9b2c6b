// Reading and writing challenges.

import JSON

extension Fields {
    /// What cannot be read keeps its place in the list, so that the others are named by theirs.
    package mutating func challenges(_ name: String) -> [Challenge] {
        (list(name) ?? []).enumerated().map { index, element in
            guard case .object(let members) = element else {
                note("\(name)[\(index)]", "\(element.shown) is not an object { … }")
                return Challenge(.unknown(kind: ""))
            }
            return nested(members, at: "\(name)[\(index)]") { $0.challenge() }
        }
    }

    private mutating func challenge() -> Challenge {
        guard let name = text("kind") else {
            if isSound { note("kind", "is missing: qr, math, steps, pattern, tag or roulette") }
            return Challenge(.unknown(kind: ""))
        }
        let task: Challenge.Task =
            switch Challenge.Kind(rawValue: name) {
            case .qr: .code(labels: texts("codes") ?? [])
            case .math:
                .sums(
                    level: integer("level") ?? Challenge.Limits.sumLevelDefault,
                    count: integer("count") ?? Challenge.Limits.sumCountDefault,
                    limitSeconds: integer("limit") ?? Challenge.Limits.sumSecondsDefault)
            case .steps: .steps(count: integer("count") ?? Challenge.Limits.stepCountDefault)
            case .pattern: .pattern(length: integer("length") ?? Challenge.Limits.patternLengthDefault)
            case .tag: .tag(labels: texts("tags") ?? [])
            case .roulette: .roulette(challenges("of"))
            case nil: .unknown(kind: name)
            }
        return Challenge(task, unknown: unknown())
    }
}

extension Challenge {
    package var json: JSON {
        let name: String
        let parameters: [JSON.Member]
        switch task {
        case .code(let labels): (name, parameters) = ("qr", [.init("codes", .array(labels.map(JSON.string)))])
        case .sums(let level, let count, let seconds):
            name = "math"
            parameters = [
                .init("level", .number(level)), .init("count", .number(count)), .init("limit", .number(seconds)),
            ]
        case .steps(let count): (name, parameters) = ("steps", [.init("count", .number(count))])
        case .pattern(let length): (name, parameters) = ("pattern", [.init("length", .number(length))])
        case .tag(let labels): (name, parameters) = ("tag", [.init("tags", .array(labels.map(JSON.string)))])
        case .roulette(let choices): (name, parameters) = ("roulette", [.init("of", .array(choices.map(\.json)))])
        case .unknown(let kind): (name, parameters) = (kind, [])
        }
        return .object([.init("kind", .string(name))] + parameters + unknown)
    }
}
