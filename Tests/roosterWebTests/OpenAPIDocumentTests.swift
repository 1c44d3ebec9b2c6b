// The tests of `docs/openapi.json`: it describes each request as the types define it, and real
// responses match it.

import API
import Fixtures
import Foundation
import HTTP
import JSON
import Oracles
import Testing
import WebAPI

@Suite(.timeLimit(.minutes(10))) struct OpenAPIDocumentTests {
    private static let path = Checkout.path + "/docs/openapi.json"
    private static let pagePath = Checkout.path + "/Sources/rooster-web/page/requests.js"

    private func stored() throws -> JSON {
        try JSON(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.path))))
    }

    /// The requests that need a ring before they succeed.
    private static let needsRing: Set = ["snooze", "stop", "emergency"]

    /// Sends the example of a request to a service of its own.
    private func reply(to type: any Request.Type, _ headers: [String] = []) async throws -> HTTPReply {
        var reply: HTTPReply?
        try await withWebServer { fixture in
            if Self.needsRing.contains(type.spec.name) {
                try Client(of: fixture.base.path).ask(#"{"do":"testRing","delaySeconds":0}"#)
                await fixture.base.base.waitUntil { !$0.status.sessions.isEmpty }
            }
            var call = HTTPCall(type, try RequestExamples.members(type))
            call.headers += headers
            reply = try fixture.send(call, try fixture.token())
        }
        return try #require(reply)
    }

    /// The document is made from the types. The examples of its responses have times and ids that change,
    /// so those of the stored document are kept.
    @Test func document_matchesTheTypes() async throws {
        let isWritten = ProcessInfo.processInfo.environment["ROOSTER_WRITE_FORMAT"] != nil
        let kept = isWritten ? [:] : examples(of: try stored())
        var examples: [String: OpenAPI.Example] = [:]
        for type in RequestSpec.all {
            var response = kept[type.spec.name]
            if isWritten, type.spec.name != "follow" {
                let reply = try await reply(to: type)
                // Content such as a picture is no example.
                let isContent = !type.spec.media.isEmpty && reply.status < 400
                response = isContent ? nil : (try #require(HTTPStatus(rawValue: reply.status)), try reply.json)
            }
            let fields = try RequestExamples.members(type)
            examples[type.spec.name] = OpenAPI.Example(
                fields: fields, response: response?.body, status: response?.status ?? .ok)
        }
        var description = OpenAPI(version: roosterVersion, examples: examples)
        let document = description.document
        if isWritten {
            try "\(document.indented)\n".write(toFile: Self.path, atomically: true, encoding: .utf8)
        } else {
            let stored = try stored()
            #expect(document == stored, "ROOSTER_WRITE_FORMAT=1 writes docs/openapi.json")
        }
        // The served document differs in its examples alone.
        var served = OpenAPI(version: roosterVersion)
        #expect(withoutExamples(served.document) == withoutExamples(document))
    }

    /// The page knows the requests from a file that is made from the same types.
    @Test func requestsOfThePage_matchTheTypes() throws {
        var text = """
            // Generated from Sources/API: OpenAPIDocumentTests with ROOSTER_WRITE_FORMAT=1 writes it.

            /** Each request: its method, its path below /api/1, and the fields of its query. */
            export default {

            """
        for type in RequestSpec.all {
            let spec = type.spec
            let hasQuery = spec.method == .get || spec.bodyField != nil
            let query = type.fields.map(\.name).filter { field in
                hasQuery && field != spec.bodyField && !spec.path.contains("{\(field)}")
            }
            let texts = [spec.method.rawValue, String(spec.path.dropFirst())] + query
            text += "  \(spec.name): [\(texts.map { "\"\($0)\"" }.joined(separator: ", "))],\n"
        }
        text += "};\n"
        if ProcessInfo.processInfo.environment["ROOSTER_WRITE_FORMAT"] != nil {
            try text.write(toFile: Self.pagePath, atomically: true, encoding: .utf8)
        } else {
            let stored = try String(contentsOfFile: Self.pagePath, encoding: .utf8)
            #expect(text == stored, "ROOSTER_WRITE_FORMAT=1 writes requests.js")
        }
    }

    /// The examples of successes can be read as the types of their responses.
    @Test func exampleOfEachSuccess_canBeRead() throws {
        let examples = examples(of: try stored())
        for type in RequestSpec.all where type.spec.name != "follow" && type.spec.media.isEmpty {
            let example = try #require(examples[type.spec.name], "\(type.spec.name)")
            guard example.status == type.spec.successStatus else { continue }
            let body = type.spec.responseField.map { JSON.object([.init($0, example.body)]) } ?? example.body
            #expect(throws: Never.self, "\(type.spec.name)") { try read(type, body) }
        }
    }

    private func read<Sent: Request>(_ type: Sent.Type, _ body: JSON) throws {
        let _: Sent.Response = try body.decoded()
    }

    /// Real responses match their schemas, whether the request succeeds or not, and so do all examples.
    @Test func responses_matchTheirSchemas() async throws {
        var responses: [JSON] = []
        func add(_ reply: HTTPReply, to type: any Request.Type) throws {
            guard reply.status != 304 else { return }
            let body = reply.status < 400 && !type.spec.media.isEmpty ? .string(reply.body) : try reply.json
            responses.append([
                "operation": .string(type.spec.name), "status": .number(reply.status),
                "type": .string(reply.headers["content-type"] ?? ""), "body": body,
            ])
        }
        for type in RequestSpec.all where type.spec.name != "follow" {
            try add(try await reply(to: type), to: type)
        }
        try await withWebServer { fixture in
            let (token, look) = (try fixture.token(), try fixture.token(may: .look))
            try Client(of: fixture.base.path).ask(#"{"do":"saveCalendar","name":"s","calendar":{"weekdays":["mon"]}}"#)
            let sums = #"{"time":"15:01","label":"Sums","challenges":[{"kind":"math"}],"note":"n","category":"c"}"#
            try Client(of: fixture.base.path).ask(#"{"do":"add","alarm":\#(sums)}"#)
            await fixture.base.base.advance(byMilliseconds: 60_000)
            await fixture.base.base.waitUntil { !$0.status.sessions.isEmpty }
            for type in RequestSpec.all where type.spec.name != "follow" {
                var call = HTTPCall(type, try RequestExamples.members(type))
                if type.spec.may != nil { try add(try fixture.send(call), to: type) }
                try add(try fixture.send(call, look), to: type)
                let separator = call.target.contains("?") ? "&" : "?"
                var wrong = call
                wrong.target += "\(separator)colour=red"
                try add(try fixture.send(wrong, token), to: type)
                call.headers.removeAll { $0.hasPrefix("If-Match") }
                try add(try fixture.send(call.adding("If-Match: \"0\""), token), to: type)
                try add(try fixture.send(call, token), to: type)
            }
        }
        let input: JSON = ["document": try stored(), "responses": .array(responses)]
        let mistakes = try PythonOracle.lines(of: "openapi_oracle.py", [], input: input.description)
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }

    // MARK: examples in documents

    /// Returns the example of each operation's response, by its operationId.
    private func examples(of document: JSON) -> [String: (status: HTTPStatus, body: JSON)] {
        var found: [String: (status: HTTPStatus, body: JSON)] = [:]
        for operation in (document.member("paths")?.members ?? []).flatMap({ $0.value.members }).map({ $0.value }) {
            guard case .string(let name)? = operation.member("operationId") else { continue }
            for response in operation.member("responses")?.members ?? [] {
                let example = response.value.member("content")?.members.lazy.compactMap { $0.value.member("example") }
                guard name != "follow", let body = example?.first, let code = Int(response.name),
                    let status = HTTPStatus(rawValue: code)
                else { continue }
                found[name] = (status, body)
            }
        }
        return found
    }

    /// Returns the document without examples. A response that is written out for its example becomes a
    /// reference.
    private func withoutExamples(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            let rest = members.filter { $0.name != "example" }
            return .object(
                rest.map { member in
                    guard let status = Int(member.name), status >= 400, rest.contains(where: { $0.name == "default" })
                    else { return .init(member.name, withoutExamples(member.value)) }
                    return .init(member.name, ["$ref": .string("#/components/responses/\(status)")])
                })
        case .array(let elements): return .array(elements.map { withoutExamples($0) })
        default: return json
        }
    }
}
