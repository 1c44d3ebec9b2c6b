// The tests of the codecs: encoding and decoding are inverse.

import JSON
import Oracles
import Testing

@testable import API

@Suite struct CodecTests {
    /// Tries random values that fit the schemas of each request and of its response.
    @Test(arguments: RequestSpec.all.indices) func randomMessages_writtenAndRead_areEqual(index: Int) throws {
        let request = RequestSpec.all[index]
        var random = SeededRandom(seed: UInt64(index))
        for _ in 0..<50 {
            try expectRoundTrip(of: request, &random)
        }
    }

    private func expectRoundTrip<Tested: Request>(of request: Tested.Type, _ random: inout SeededRandom) throws {
        let written = Schema(of: request).random(&random)
        #expect(JSON(encoding: try written.decoded(as: request)).meaning == written.meaning)
        let answer = Tested.response.random(&random)
        #expect(JSON(encoding: try answer.decoded(as: Tested.Response.self)).has(answer), "\(answer)")
        let whole = SuccessResponse(try answer.decoded(as: Tested.Response.self), warnings: [ProblemReport("a", "b")])
            .json
        guard case .success(let success) = try ResponseEnvelope<Tested.Response>(whole) else {
            Issue.record("\(whole) is no answer")
            return
        }
        #expect(success.json == whole)
    }

    @Test func envelope_writtenAndRead_isEqual() throws {
        var request = RequestEnvelope(SkipRing(alarm: "a"))
        request.id = "1"
        request.client = "phone"
        request.ifRing = RingReference(alarm: "a", at: Timestamp(milliseconds: 1_700_000_000_250))
        request.ifRevision = "beef"
        let read = try RequestEnvelope(parsing: Array(request.json.description.utf8))
        #expect(read.request is SkipRing && read.json == request.json)
    }

    @Test func refusal_writtenAndRead_isEqual() throws {
        var refused = ErrorResponse(.locked, "It is locked", problems: [ProblemReport("ring.volume", "is too low")])
        refused.alarm = AlarmLabel(alarm: "a", label: "Work")
        refused.open = true
        guard case .failure(let read) = try ResponseEnvelope<EmptyResponse>(refused.json) else {
            Issue.record("\(refused.json) is no refusal")
            return
        }
        #expect(read == refused)
    }

    @Test(arguments: [
        (-1, "1969-12-31T23:59:59.999Z"), (0, "1970-01-01T00:00:00Z"), (1_700_000_000_050, "2023-11-14T22:13:20.050Z"),
    ])
    func timestamps_keepTheirMilliseconds(milliseconds: Int, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).text == text)
        #expect(Timestamp(text: text)?.milliseconds == milliseconds)
    }
}

extension JSON {
    /// Returns true if this value contains the other. An encoded alarm has additional members with defaults.
    fileprivate func has(_ other: JSON) -> Bool {
        switch (self, other) {
        case (.object(let members), .object(let others)):
            others.allSatisfy { other in
                other.value.isEmpty || other.value == .bool(false)
                    || members.contains { $0.name == other.name && $0.value.has(other.value) }
            }
        case (.array(let elements), .array(let others)):
            // A decoded set has no duplicates, so the counts may differ.
            others.allSatisfy { other in elements.contains { $0.has(other) } }
        default: self == other
        }
    }

    /// True for null, and for lists and objects without any other value. A member may be left out then.
    private var isEmpty: Bool {
        switch self {
        case .object(let members): members.allSatisfy(\.value.isEmpty)
        case .array(let elements): elements.isEmpty
        default: self == .null
        }
    }

    /// The sorted value without nulls. A null equals a missing member, and the order has no meaning.
    fileprivate var meaning: JSON {
        switch self {
        case .object(let members):
            .object(
                members.filter { $0.value != .null }.map { .init($0.name, $0.value.meaning) }.sorted {
                    $0.name < $1.name
                })
        case .array(let elements): .array(elements.map(\.meaning))
        default: self
        }
    }
}

extension Schema {
    fileprivate func random(_ random: inout SeededRandom) -> JSON {
        switch self {
        case .simple(let text, let sample):
            switch text {
            case "a text": return .string(["", "x", "é\n\"", "\u{1F413}"].randomElement(using: &random) ?? "")
            case "a whole number": return .number(Int.random(in: -5...1 << 40, using: &random))
            case "true or false": return .bool(Bool.random(using: &random))
            case "anything": return .object([.init("x", .number(1))])
            default: return sample
            }
        case .list(let element):
            return .array((0..<Int.random(in: 0...2, using: &random)).map { _ in element.random(&random) })
        case .object(_, let fields):
            let said = fields.filter { !$0.isOptional || Bool.random(using: &random) }
            return .object(said.map { .init($0.name, $0.schema.random(&random)) })
        }
    }
}
