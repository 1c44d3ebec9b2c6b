// The coding of challenges and enrolled codes in documents.

import JSON
import Text

extension Challenge: ObjectCoded, JSONCodable {
    /// Reads a challenge. An unreadable one becomes an unknown kind and keeps its place in the list, because
    /// messages name the others by their index.
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Challenge? {
        readObject(json, &problems) ?? Challenge(.unknown(kind: ""))
    }

    package init(reading fields: inout Fields) {
        guard let name: String = fields.value("kind") else {
            if fields.isSound { fields.note("kind", "is missing: write qr, math, steps, pattern, tag or roulette") }
            self.init(.unknown(kind: ""))
            return
        }
        let task: Task =
            switch Kind(rawValue: name) {
            case .qr: .code(labels: fields.value("codes") ?? [])
            case .math:
                .sums(
                    level: fields.value("level") ?? Limits.sumLevelDefault,
                    count: fields.value("count") ?? Limits.sumCountDefault,
                    limitSeconds: fields.value("limit") ?? Limits.sumSecondsDefault)
            case .steps: .steps(count: fields.value("count") ?? Limits.stepCountDefault)
            case .pattern: .pattern(length: fields.value("length") ?? Limits.patternLengthDefault)
            case .tag: .tag(labels: fields.value("tags") ?? [])
            case .roulette: .roulette(fields.value("of") ?? [])
            case nil: .unknown(kind: name)
            }
        self.init(task, unknown: fields.unknown())
    }

    package var members: [JSON.Member] {
        let parameters: [JSON.Member] =
            switch task {
            case .code(let labels): [.init("codes", labels)]
            case .sums(let level, let count, let seconds):
                [.init("level", level), .init("count", count), .init("limit", seconds)]
            case .steps(let count): [.init("count", count)]
            case .pattern(let length): [.init("length", length)]
            case .tag(let labels): [.init("tags", labels)]
            case .roulette(let choices): [.init("of", choices)]
            case .unknown: []
            }
        let kindName = if case .unknown(let name) = task { name } else { kind?.rawValue ?? "" }
        return [.init("kind", kindName)] + parameters + unknown
    }

    /// The parameters of all kinds.
    package static var schema: Schema {
        let texts = [String].schema
        return .object(
            "Challenge",
            [.init("kind", .simple(Kind.expected, sample: Kind.steps.rawValue.json), isOptional: false)]
                + [
                    ("codes", texts), ("level", Int.schema), ("count", Int.schema), ("limit", Int.schema),
                    ("length", Int.schema), ("tags", texts),
                    ("of", .simple("list of Challenge", sample: .array([]))),
                ].map { Schema.Field($0, $1, isOptional: true) })
    }
}

extension EnrolledCode: ObjectCoded {
    package init?(reading fields: inout Fields) {
        let (label, kind) = (fields.value("label") ?? "", fields.value("kind") ?? "")
        let digest = CodeDigest(fields.value("digest") ?? "")
        guard let known = Challenge.Kind(rawValue: kind) else {
            fields.note("kind", "must be qr or tag, not \(kind.quoted)")
            return nil
        }
        self.init(
            label: label, kind: known, digest: digest,
            symbology: fields.value("symbology") ?? EnrolledCode.usualSymbology)
        for problem in problems { fields.note(problem.path, problem.reason) }
        guard fields.isSound else { return nil }
    }

    package var members: [JSON.Member] {
        [.init("label", label), .init("kind", kind.rawValue), .init("digest", digest.text)]
            + (symbology == EnrolledCode.usualSymbology ? [] : [.init("symbology", symbology)])
    }

    package static var schema: Schema {
        .object(
            "EnrolledCode",
            [
                .init("label", String.schema, isOptional: false),
                .init("kind", .simple("qr or tag", sample: "qr".json), isOptional: false),
                .init("digest", String.schema, isOptional: false), .init("symbology", String.schema, isOptional: true),
            ])
    }
}

extension CodeKey: JSONCoded {
    /// Reads a key. Messages never contain the key, because it is secret.
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> CodeKey? {
        if case .string(let text) = json, CodeKey(text).bytes != nil { return CodeKey(text) }
        problems.append(Problem("", "must be \(schema)"))
        return nil
    }

    package var json: JSON { .string(text) }
    package static var schema: Schema { .simple("a key of \(byteCount) bytes in hexadecimal", sample: .string("")) }
}
