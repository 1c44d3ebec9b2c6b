// The tests of a browser's rules: what pages of other sites can do to a paired browser's Rooster.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite(.timeLimit(.minutes(5))) struct BrowserTests {
    private static let isInstalled = ["/usr/bin/chromium", "/usr/bin/chromedriver"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// `browser_rules.py` makes one alarm from Rooster's own origin, and tries all else from others.
    @Test(.enabled(if: isInstalled, "NOT TESTED: pages in a browser: chromium and chromium-driver are not installed"))
    func pagesOfOtherSites_readAndChangeNothing() throws {
        let fixture = try WebFixture()
        let owner = fixture.client()
        guard case .string(let secret)? = try owner.ask("POST", "/clients/invite")["secret"] else {
            throw Client.Gone()
        }
        let mistakes = try PythonOracle.lines(of: "browser_rules.py", ["\(fixture.port)", secret])
        #expect(mistakes.isEmpty, "\(mistakes.joined(separator: "\n"))")
        guard case .array(let alarms)? = try owner.ask("GET", "/alarms")["alarms"] else { throw Client.Gone() }
        #expect(alarms.map { $0["alarm.id"] } == [.string("own")], "\(alarms)")
    }
}
