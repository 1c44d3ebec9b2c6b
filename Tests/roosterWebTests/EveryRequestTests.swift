// The tests of every request over HTTP: its response is that of the socket, in the words of HTTP.

import API
import Engine
import Fixtures
import HTTP
import JSON
import Testing
import WebAPI

@Suite(.timeLimit(.minutes(10))) struct EveryRequestOverHTTPTests {
    /// All requests but that for a stream.
    private static let indices = RequestSpec.all.indices.filter { RequestSpec.all[$0].spec.name != "follow" }

    /// Removes the members that differ between two equal services: tokens, ids that are drawn, free space.
    private func comparable(_ json: JSON) -> JSON {
        switch json {
        case .object(let members):
            let volatile: Set = ["token", "secret", "id", "revision", "text", "client"]
            return .object(
                members.filter { !volatile.contains($0.name) }.map { .init($0.name, comparable($0.value)) })
        case .array(let elements): return .array(elements.map { comparable($0) })
        case .string(let text) where text.utf8.count == 36: return .string("an id")
        default: return json
        }
    }

    /// Two equal services get the same request, one over its socket and the other over HTTP.
    @Test(arguments: indices) func response_isThatOfTheSocket(index: Int) async throws {
        let type = RequestSpec.all[index]
        try await withWebServer { first in
            try await withWebServer { second in
                let answer = try Client(of: first.webSocket).ask(first.line(type, try first.token()))
                let call = HTTPCall(type, try RequestExamples.members(type))
                try compare(answer, try second.send(call, try second.token()), type.spec)
            }
        }
    }

    private func compare(_ answer: JSON, _ reply: HTTPReply, _ spec: RequestSpec) throws {
        if case .bool(true)? = answer["ok"] {
            #expect(reply.status == spec.successStatus.rawValue, "\(reply.body)")
            guard spec.media.isEmpty else { return try compareMedia(answer, reply, spec) }
            let body = try reply.json
            let rest = JSON.object(answer.members.filter { $0.name != "ok" })
            #expect(comparable(spec.responseField.flatMap { rest[$0] } ?? rest) == comparable(body))
            #expect(reply.headers["content-type"] == "application/json")
            return
        }
        let body = try reply.json
        #expect(answer["error.code"] == body["name"], "\(answer) \(reply.body)")
        #expect(answer["error.message"] == body["detail"] && body["status"] == .number(reply.status))
        #expect(spec.otherStatuses.map(\.rawValue).contains(reply.status), "\(reply.status) is not described")
        #expect(reply.headers["content-type"] == "application/problem+json")
        if case .array(let problems)? = answer["error.problems"], !problems.isEmpty {
            guard case .array(let errors)? = body["errors"] else { throw HTTPReply.Unreadable(text: reply.body) }
            #expect(errors.count == problems.count)
        }
    }

    /// Content is the whole body, and no browser may keep it or take it for another type.
    private func compareMedia(_ answer: JSON, _ reply: HTTPReply, _ spec: RequestSpec) throws {
        let content: MediaReport = try #require(answer["content"]).decoded()
        #expect(spec.media.contains(content.type) && reply.headers["content-type"] == content.type)
        #expect(reply.headers["x-content-type-options"] == "nosniff" && reply.headers["cache-control"] == "no-store")
        // Each sheet has another code.
        if !spec.changes { #expect(reply.bytes == content.bytes) }
        #expect(!reply.bytes.isEmpty)
    }

    /// An unknown field, one of another type and a missing one are refused as on the socket.
    @Test(arguments: indices) func requestWithAMistake_isRefused(index: Int) async throws {
        let type = RequestSpec.all[index]
        try await withWebServer { fixture in
            let token = try fixture.token()
            let client = try Client(of: fixture.webSocket)
            let before = await fixture.base.base.service.engine.backup
            let fields = try RequestExamples.members(type)
            var mistakes = [fields + [.init("colour", "red")]]
            for field in type.fields where !type.spec.path.contains("{\(field.name)}") {
                // Any value in a query is a text.
                if type.spec.method == .get, case .simple(_, .string) = field.schema { continue }
                mistakes.append(fields.filter { $0.name != field.name } + [.init(field.name, [[]])])
                // A file has its other fields from its bytes.
                if !type.spec.takesFile, !field.isOptional, field.name != type.spec.bodyField {
                    mistakes.append(fields.filter { $0.name != field.name })
                }
            }
            for mistake in mistakes {
                let line = JSON.object(
                    [.init("do", .string(type.spec.name)), .init("token", .string(token))] + mistake)
                let answer = try client.ask("\(line)")
                let reply = try fixture.send(HTTPCall(type, mistake), token)
                #expect(answer["error.code"] == .string("malformed"), "\(line): \(answer)")
                #expect(reply.status == 400, "\(mistake): \(reply.body)")
                #expect(try reply.json["name"] == .string("malformed"))
                #expect(try reply.json["errors.0.pointer"] != nil, "\(reply.body)")
            }
            #expect(await fixture.base.base.service.engine.backup == before)
        }
    }

    /// Without a token each request is refused, and with a token those that it has no right to.
    @Test func requestWithoutItsRight_isRefused() async throws {
        try await withWebServer { fixture in
            let (look, use) = (try fixture.token(may: .look), try fixture.token(may: .use))
            for type in RequestSpec.all {
                guard let may = type.spec.may else { continue }
                let call = HTTPCall(type, try RequestExamples.members(type))
                for token in [nil, String(repeating: "A", count: 43)] {
                    let reply = try fixture.send(call, token)
                    #expect(reply.status == 401 && reply.headers["www-authenticate"] == "Bearer", "\(reply.body)")
                }
                if may > .look { #expect(try fixture.send(call, look).status == 403, "\(type.spec.name)") }
                if may > .use { #expect(try fixture.send(call, use).status == 403, "\(type.spec.name)") }
            }
            #expect(await fixture.base.base.service.engine.alarms.count == 1)
        }
    }

    /// The methods of each path.
    private static let paths = RequestSpec.all.reduce(into: [String: Set<String>]()) { paths, type in
        paths[type.spec.path, default: []].insert(type.spec.method.rawValue)
    }

    /// Each path refuses the methods that it lacks, and names those that it has.
    @Test func otherMethod_isRefused() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            for (path, methods) in Self.paths { try sendOthers(than: methods, to: path, fixture, token) }
        }
    }

    private func sendOthers(
        than methods: Set<String>, to path: String, _ fixture: WebServerFixture, _ token: String
    ) throws {
        // "/codes/test" looks like a code, whose path has DELETE.
        let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let similar = Self.paths.filter { $0.key.hasPrefix("\(folder)/{") && $0.key.hasSuffix("}") }
        let target = path == "/" ? "" : path.replacing("{", with: "").replacing("}", with: "")
        for method in HTTPMethod.allCases where method != .head && !methods.contains(method.rawValue) {
            if similar.values.contains(where: { $0.contains(method.rawValue) }) { continue }
            let reply = try fixture.send(HTTPCall(method.rawValue, target), token)
            let allowed = Set((reply.headers["allow"] ?? "").split(separator: ", ").map { String($0) })
            #expect(reply.status == 405, "\(method) \(path)")
            #expect(allowed.isSuperset(of: methods) && !allowed.contains(method.rawValue), "\(method) \(path)")
        }
    }
}
