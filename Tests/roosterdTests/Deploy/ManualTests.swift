// The tests of roosterd's manual: it lists every option, and groff accepts it.

import Foundation
import Oracles
import Testing

@testable import roosterd

@Suite struct ManualTests {
    static let path = "\(Checkout.path)/deploy/man/roosterd.8"

    private func options(_ text: String) -> Set<String> {
        let words = text.split { !$0.isLetter && $0 != "-" }
        return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
    }

    @Test func optionsInTheManual_matchTheHelp() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8).replacing(#"\-"#, with: "-")
        #expect(options(text) == options(DaemonArguments.help))
        // Both the synopsis and the description list the options.
        let parts = text.split(separator: ".SH ").map(String.init)
        let synopsis = try #require(parts.first { $0.hasPrefix("SYNOPSIS") })
        let others: Set = ["--check-config", "--lines-off"]
        #expect(options(synopsis) == options(DaemonArguments.usage).union(others))
        let described = try #require(parts.first { $0.hasPrefix("OPTIONS") })
        #expect(options(described) == options(DaemonArguments.help))
    }

    @Test(.enabled(if: access("/usr/bin/groff", X_OK) == 0)) func manual_isFormattedWithoutErrors() throws {
        let run = try Program("/usr/bin/groff", ["-man", "-ww", "-z", Self.path])
        #expect(run.errors.isEmpty)
    }
}
