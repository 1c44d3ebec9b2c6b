// The tests of the page's files: a folder is read once, and only files of known kinds are served.

import Foundation
import Oracles
import Testing

@Suite(.timeLimit(.minutes(10))) struct PageFilesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ text: String, _ name: String) throws {
        let file = URL(fileURLWithPath: "\(scratch.path)/page/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test func folder_isServedAsItWasAtTheStart() async throws {
        for name in ["index.html", "main.js", "main.js.gz", "screens/home.js", "notes.txt", ".secret.js", "deep/a.js"] {
            try write("text of \(name)", name)
        }
        try write("", "empty.js")
        try write(String(repeating: "a", count: 1 << 20 + 1), "long.js")
        try Data("a secret".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/secret.js"))
        try await withWebServer(page: "\(scratch.path)/page") { fixture in
            func get(_ target: String, _ headers: String...) throws -> HTTPReply {
                try fixture.send(HTTPCall(file: target, headers))
            }
            try write("another text", "main.js")
            let document = try get("/")
            #expect(document.status == 200 && document.body == "text of index.html")
            #expect(document.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(document.headers["content-security-policy"])
            for part in ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"] {
                #expect(policy.contains(part))
            }
            #expect(try get("/main.js").body == "text of main.js")
            let compressed = try get("/main.js", "Accept-Encoding: gzip")
            #expect(compressed.headers["content-encoding"] == "gzip" && compressed.body == "text of main.js.gz")
            let tag = try #require(document.headers["etag"])
            #expect(try get("/", "If-None-Match: \(tag)").status == 304)
            #expect(try get("/screens/home.js").body == "text of screens/home.js")
            for target in [
                "/index.html", "/notes.txt", "/.secret.js", "/deep/a.js", "/empty.js", "/long.js", "/main.js.gz",
                "/../secret.js", "/screens/../main.js", "/%2e%2e/secret.js", "/screens%2Fhome.js", "/none.js",
            ] {
                let reply = try get(target)
                #expect([400, 404].contains(reply.status) && !reply.body.contains("text of"), "\(target)")
            }
        }
    }

    @Test func missingPage_leavesTheAPI() async throws {
        try await withWebServer(page: "\(scratch.path)/none") { fixture in
            let reply = try fixture.send(HTTPCall(file: "/"))
            #expect(reply.status == 404 && reply.body.contains("/api/1"))
            #expect(try fixture.send(HTTPCall("GET", "")).status == 200)
        }
    }
}
