// The tests of the virtual bedside: where it is served, and the morning of scripts/demo in a real browser.

import EventLoop
import Fixtures
import Foundation
import HTTP
import JSON
import Oracles
import Testing
import WebServer

@testable import rooster_web

@Suite(.timeLimit(.minutes(5))) struct BedsidePageTests {
    private static let isInstalled = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private final class Demo {
        let dialogue: Dialogue
        /// The address with the token.
        let address: String
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
            dialogue = try Dialogue(
                "\(Checkout.path)/scripts/demo", ["--page", "--built", built], environment: ["TMPDIR": scratch.path])
            _ = try #require(dialogue.hear("http://"))
            address = "http://" + (try #require(dialogue.hear("\n"))).trimmingCharacters(in: .whitespacesAndNewlines)
            _ = try #require(dialogue.hear("Ctrl-C"))
        }

        /// Ends the demo as Ctrl-C does.
        func end() throws {
            dialogue.signal(SIGINT)
            #expect(dialogue.exitStatus() == 130)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
        }
    }

    @Test(
        .enabled(if: isInstalled, "NOT TESTED: the demo in a browser: chromium and chromium-driver are not installed"))
    func demo_leadsThroughTheMorning() throws {
        let demo = try Demo()
        let mistakes = try PythonOracle.lines(of: "bedside_page.py", [demo.address])
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
        try demo.end()
    }

    /// The service that the page has killed is started again.
    @Test func powerCut_endsAfterSomeSeconds() throws {
        let demo = try Demo()
        let url = try #require(URLComponents(string: demo.address))
        let token = try #require(url.fragment?.split(separator: "=").last.map(String.init))
        let client = HTTPClient(UInt16(try #require(url.port)), token: token)
        #expect(try client.ask("POST", "/bedside", #"{"power":"cut"}"#).status == 200)
        while try client.ask("GET", "/bedside").status == 200 { usleep(10_000) }
        while try client.ask("GET", "/bedside").status != 200 { usleep(50_000) }
        try demo.end()
    }

    /// Beside a service with real hardware there is the page, but no virtual bedside.
    @Test func realHardware_hasNoVirtualBedside() async throws {
        try await withWebServer(page: "\(Checkout.path)/Sources/rooster-web/page") { fixture in
            for path in ["/bedside", "/bedside/bedside.js", "/bedside/none.js"] {
                let reply = try fixture.send(HTTPCall(file: path))
                #expect(reply.status == 404 && reply.body.contains("noRoute"), "\(path): \(reply.body)")
            }
            #expect(try fixture.send(HTTPCall(file: "/main.js")).status == 200)
        }
    }

    /// A browser on another machine, and one behind a front end, gets no virtual bedside.
    @Test func otherMachine_hasNoVirtualBedside() async throws {
        let fixture = try WebFixture()
        let loop = try EventLoop()
        try loop.start(named: "web")
        defer { loop.end() }
        let link = ServiceLink(to: "\(fixture.scratch.path)/web.sock", on: loop)
        let handler = APIHandler(link, PageFiles(in: "\(Checkout.path)/Sources/rooster-web/page"))
        let phone = NetworkAddress.v4(0xC0A8_0132)
        for (peer, status) in [(NetworkAddress.v4(0x7F00_0001), HTTPStatus.ok), (phone, .notFound), (.unix, .notFound)]
        {
            let head = RequestHead(
                method: Array("GET".utf8), target: Array("/bedside".utf8), version: Array("HTTP/1.1".utf8),
                fields: [HeaderField("Host", "localhost")], connection: ConnectionAddresses(local: peer, peer: peer))
            let request = try RequestGate(hosts: HostPolicy(hostName: "bed")).judge(head)
            #expect(await link.answer(to: request, by: handler).response.status == status, "\(peer)")
        }
    }
}

extension ServiceLink {
    /// Lets the handler answer on the event loop.
    fileprivate func answer(to request: HTTPRequest, by handler: APIHandler) async -> Answer {
        await withCheckedContinuation { continuation in
            handler.handle(request, []) { continuation.resume(returning: $0) }
        }
    }
}
