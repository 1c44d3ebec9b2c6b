// The tests of the command line of rooster-web, and of its manual.

import Foundation
import Oracles
import System
import Testing

@testable import rooster_web

@Suite struct WebArgumentsTests {
    @Test func options_areRead() throws {
        let arguments = try WebArguments([
            "--listen", "127.0.0.1:8080", "--listen=/run/a.sock", "--name", "bed.example.org", "--socket", "w",
            "--page=/srv/page",
        ])
        #expect(arguments.listen == ["127.0.0.1:8080", "/run/a.sock"])
        #expect(arguments.names == ["bed.example.org"] && arguments.socket == "w")
        #expect(arguments.page == "/srv/page")
        #expect(try WebArguments([]).socket == "/run/rooster/web.sock")
    }

    @Test(arguments: [
        ["--listen", "8080"], ["--listen"], ["--port", "1"], ["x"], ["--socket", "a", "--socket", "b"],
    ])
    func wrongUsage_isNamed(arguments: [String]) {
        #expect(throws: WrongUsage.self) { try WebArguments(arguments) }
    }

    @Test func manual_listsTheOptions() throws {
        func options(_ text: String) -> Set<String> {
            Set(text.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }.map(String.init))
        }
        let path = "\(Checkout.path)/deploy/man/rooster-web.8"
        let text = try String(contentsOfFile: path, encoding: .utf8).replacing(#"\-"#, with: "-")
        #expect(options(text).subtracting(["--lan"]) == options(WebArguments.help))
    }
}
