// The tests of `docs/BEHAVIOUR.md`: its examples are tested, and its list of records is complete.

import Records
import Testing

@Suite struct BehaviourTests {
    private static let document = "docs/BEHAVIOUR.md"

    @Test func everyWorkedExample_isTestedAndDocumented() throws {
        let rows = try Checkout.section("## 1. When an alarm rings", of: Self.document).rows.map { $0[0] }
        let tests = try Checkout.text("Tests/AlarmsTests/WorkedExamplesTests.swift").matches(of: #/func w(\d+)_/#)
        #expect(rows.filter { $0.hasPrefix("W") } == tests.map { "W\($0.1)" })
    }

    @Test func everySmallHistory_isAScenario_andViceVersa() throws {
        let section = try Checkout.section("## 2. Lateness, clocks and power", of: Self.document)
        let rows = section.rows.filter { $0[0].wholeMatch(of: #/C\d+/#) != nil }
        #expect(rows.map { $0[0] } == (1...rows.count).map { "C\($0)" })
        let files = rows.flatMap { ($0.last ?? "").codeSpans }.map { "\($0).scenario" }
        #expect(files.sorted() == Checkout.names(in: "Tests/EngineTests/Scenarios/cursor"))
    }

    @Test func everyKindOfRecord_isListed_andNoOther() throws {
        let section = try Checkout.section("## 6. Records and reports", of: Self.document)
        let rule = try #require(section.split(separator: "**6.2").first)
        #expect(rule.codeSpans.sorted() == FactKind.allCases.map(\.name).sorted())
    }
}
