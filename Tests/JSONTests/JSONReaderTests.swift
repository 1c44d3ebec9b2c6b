// The tests of the reader's error positions, to the byte, and of strange but valid texts.

import Testing

@testable import JSON

@Suite struct JSONReaderTests {
    func place(_ bytes: [UInt8]) -> String? {
        do {
            _ = try JSON(parsing: bytes)
            return nil
        } catch {
            return error.description
        }
    }

    static let valueExpected = "a value is missing here: a text in quotes, a number, true, false, null, { or ["

    static let mistakes: [(text: String, mistake: String)] = [
        ("", "1:1: a value is missing at the end of the text"),
        (" \n\n  ", "3:3: a value is missing at the end of the text"),
        ("[1,", "1:4: a value is missing at the end of the text"),
        ("[1", "1:3: a comma or ] is missing here"),
        ("[01]", "1:3: a comma or ] is missing here"),
        ("[1 2]", "1:4: a comma or ] is missing here"),
        ("[1,\n  2,\n ,3]", "3:2: " + valueExpected),
        ("[1,]", "1:4: a value is missing here, or the comma before this ] is one too many"),
        ("[1 // one\n]", "1:4: a comma or ] is missing here"), ("// one\n[]", "1:1: JSON has no comments"),
        ("[+1]", "1:2: " + valueExpected),
        ("[.5]", "1:2: " + valueExpected),
        ("[NaN]", "1:2: " + valueExpected),
        ("\u{A0}1", "1:1: " + valueExpected),
        ("[-]", "1:3: a digit is missing here"),
        ("[-.5]", "1:3: a digit is missing here"),
        ("[1.]", "1:4: a digit is missing here"),
        ("[1e]", "1:4: a digit is missing here"),
        ("[1e+]", "1:5: a digit is missing here"),
        ("{\"a\":1", "1:7: a comma or } is missing here"),
        ("{\"a\" 1}", "1:6: a colon is missing here"),
        ("{\"a\":1,}", "1:8: the comma before this } is one too many"),
        ("{1:2}", "1:2: a name in quotes is missing here"),
        ("[tru]", "1:2: \"true\" is misspelt"),
        ("[nul", "1:2: \"null\" is misspelt"),
        ("1 2", "1:3: there is text after the end of the value"),
        ("{}\r\n}", "2:1: there is text after the end of the value"),
        ("[\n\"abc", "2:1: the closing quote of this text is missing"),
        ("[\"ab\tc\"]", "1:5: a text has a tab or another control character: write it as an escape"),
        ("[\"a\nb\"]", "1:4: the closing quote of this text is missing"),
        ("[\"a\\qb\"]", "1:4: unknown escape"),
        ("[\"a\\", "1:4: unknown escape"),
        ("[\"\\u12g4\"]", "1:5: four hexadecimal digits are missing here"),
        ("[\"\\u+123\"]", "1:5: four hexadecimal digits are missing here"),
        ("[\"\\u-000\"]", "1:5: four hexadecimal digits are missing here"),
        ("[\"\\u12\"]", "1:5: four hexadecimal digits are missing here"),
        ("[\"\\u12", "1:5: four hexadecimal digits are missing here"),
        ("[\"x\\ud83d\"]", "1:4: this escape is half of a character"),
        ("[\"x\\ud83dx\"]", "1:4: this escape is half of a character"),
        ("[\"x\\ud83d\\n\"]", "1:4: this escape is half of a character"),
        ("[\"x\\ud83d\\u0041\"]", "1:4: this escape is half of a character"),
        ("[\"x\\ude00\"]", "1:4: this escape is half of a character"),
        ("[\"é\", x]", "1:8: " + valueExpected),
    ]

    @Test(arguments: mistakes)
    func mistake_isNamedWithItsLineAndColumn(text: String, mistake: String) {
        #expect(place(Array(text.utf8)) == mistake)
    }

    @Test func bytesThatAreNotUTF8_areRefused_atTheStartOfTheirText() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
            let text = Array("[1,\n \"a".utf8) + bytes + Array("\"]".utf8)
            #expect(place(text) == "2:2: this text is not UTF-8")
        }
    }

    @Test func duplicateName_isRefused_atItsPlace() {
        #expect(place(Array("{\"a\": 1,\n \"b\": 2,\n  \"a\": 1}".utf8)) == "3:3: the name \"a\" is used twice")
        #expect(place(Array(#"{"a": {"a": 1}, "A": 2}"#.utf8)) == nil)
        // Names are equal in any spelling and normal form, because an owner could not tell them apart.
        #expect(place(Array(#"{"a": 1, "\u0061": 2}"#.utf8)) == "1:10: the name \"a\" is used twice")
        #expect(place(Array("{\"\u{E9}\": 1, \"e\u{301}\": 2}".utf8)) == "1:11: the name \"e\u{301}\" is used twice")
    }

    @Test func nesting_isRefused_beyondItsBound() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSON(parsing: nested(JSON.depthMax + 1))
        let column = JSON.depthMax + 2
        #expect(place(nested(JSON.depthMax + 2)) == "1:\(column): lists and objects are nested too deep")
        #expect(place(nested(1_000_000)) == "1:\(column): lists and objects are nested too deep")
        let objects = String(repeating: "{\"a\":", count: 100_000)
        #expect(place(Array(objects.utf8)) == "1:\(5 * (JSON.depthMax + 1) + 1): lists and objects are nested too deep")
    }

    @Test(arguments: [
        "123456789012345678901234567890", "-0", "0.10", "1E+05", "1e400", "-1.0e-400",
        "0.1000000000000000055511151231257827",
    ])
    func number_keepsItsDigits(digits: String) throws {
        let list = try JSON(parsing: Array("[\(digits)]".utf8))
        #expect(list == .array([.number(digits)]))
        #expect(list.description == "[\(digits)]")
    }

    @Test func byteOrderMark_isAccepted_onlyAtTheBeginning() throws {
        let marked = try JSON(parsing: Array("\u{FEFF} {}".utf8))
        #expect(marked == .object([]))
        #expect(place(Array("{}\u{FEFF}".utf8)) == "1:3: there is text after the end of the value")
        #expect(place(Array("\u{FEFF}\u{FEFF}{}".utf8)) == "1:4: \(Self.valueExpected)")
    }
}
