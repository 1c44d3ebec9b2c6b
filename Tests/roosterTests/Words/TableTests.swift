// The tests of tables and texts on terminals: wide and zero-width characters, and narrow terminals.

import JSON
import Testing

@testable import rooster

@Suite struct TableTests {
    @Test(arguments: [("abc", 3), ("", 0), ("早上", 4), ("e\u{301}", 1), ("⏰", 2), ("ü", 1), ("→", 1)])
    func widths_matchTheTerminal(text: String, columns: Int) {
        #expect(Columns.width(text) == columns)
    }

    @Test func texts_areCutBetweenLetters() {
        #expect(Columns.cut("abcdef", to: 6) == "abcdef")
        #expect(Columns.cut("abcdef", to: 4) == "abc…")
        #expect(Columns.cut("早上好", to: 4) == "早…")
        #expect(Columns.cut("abc", to: 0) == "")
        #expect(Columns.fit("早", to: 4) == "早  ")
    }

    @Test func elasticColumn_isShortened() {
        let row = [Table.Cell("1"), Table.Cell("a very long label of an alarm"), Table.Cell("07:00")]
        let table = Table(rows: [row], elastic: 1)
        #expect(table.lines(.plain) == ["1  a very long label of an alarm  07:00"])
        #expect(
            table.lines(Style(columns: 25)) == ["1  a very long lab…  07:00"].map { $0.replacing("lab…", with: "la…") })
        for columns in 1...40 {
            for line in table.lines(Style(columns: columns)) { #expect(Columns.width(line) <= columns, "\(line)") }
        }
    }

    /// On a narrow terminal the last cell, which says when the alarm rings, gets lines of its own.
    @Test func lastCell_isWrapped() {
        let row = [Table.Cell("6f96"), Table.Cell("Work"), Table.Cell("rings in 7 h 12 min, Tue 07:00, locked")]
        let table = Table(rows: [row], elastic: 1, wrapsLast: true)
        #expect(table.lines(Style(columns: 60)) == table.lines(.plain))
        #expect(table.lines(Style(columns: 30)) == ["6f96  Work", "    rings in 7 h 12 min, Tue", "    07:00, locked"])
        #expect(Columns.wrap("aaa bbb", to: 3, indent: 1) == ["aaa", " b…"])
    }

    @Test func jsonLines_escapeControlCharacters() throws {
        let json = JSON.object([.init("a\u{7F}", .string("x\u{9B}y\u{2028}\u{202E}z\u{1F600}"))])
        #expect(json.line == #"{"a\u007F":"x\u009By\u2028\u202Ez"# + "\u{1F600}\"}")
        #expect(try JSON(parsing: Array(json.line.utf8)) == json)
    }
}
