// The tests of the page in a real browser, which is used as its owner uses it.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite(.timeLimit(.minutes(40))) struct PageTests {
    private static let isInstalled = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// `page_tests.py` starts its own processes: the fast scenarios, or all of them in a full run.
    @Test(.enabled(if: isInstalled, "NOT TESTED: the page in a browser, which needs chromium and chromium-driver"))
    func ownersUseThePage() throws {
        let built = URL(fileURLWithPath: Program.built("rooster-web")).deletingLastPathComponent().path
        let lines = try PythonOracle.lines(
            of: "page_tests.py", ["--built", built] + (Thoroughness.isFull ? ["--full"] : []))
        let untested = lines.filter { $0.hasPrefix("NOT TESTED") }
        for line in untested { print(line) }
        let mistakes = lines.filter { !$0.hasPrefix("NOT TESTED") }
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
    }
}
