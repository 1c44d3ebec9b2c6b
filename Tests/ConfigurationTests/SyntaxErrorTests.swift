// The tests of files with a syntax error for libconfig.

import Testing

@testable import Configuration

@Suite struct SyntaxErrorTests {
    @Test(arguments: [
        ("speaker: {\n  mixer == 3;\n};", "c:2: syntax error at \"mixer == 3;\""),
        ("speaker: {\n  mixer = 3\n  = 4;\n};", "c:3: syntax error at \"= 4;\""),
        ("speaker: {\n  mixer = 3;\n", "c:3: syntax error at the end of the file, or before it"),
        ("log: { };\nlog: { };", "c:2: duplicate setting name at \"log: { };\""),
        ("\nspeaker: { routes = [ \"a\", 1 ]; };", "c:2: mismatched element type in array at \"speaker"),
        ("rooster", "c:1: syntax error at the end of the file, or before it"),
        ("log: { level = info; };", "c:1: syntax error at \"log"),
        ("log: { level = \"info\u{0}\"; };\u{0}", "c:1: syntax error at \"log"),
        ("\u{0}", "c:1: syntax error at \"\\u{0}\""),
        ("ü = 1;", "c:1: syntax error at \"ü = 1;\""),
    ])
    func syntaxError_isReported_withItsLine(text: String, beginning: String) {
        let problems = problems(text)
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix(beginning), "\(problems)")
    }

    /// libconfig does not report an unterminated comment.
    @Test func unterminatedComment_isReported_withItsLine() {
        let reading = reading("log: { level = \"debug\"; };\n/* one */\n/* two\nspeaker: { mixer = 3; };\n")
        #expect(reading.problems.map(\.description) == ["c:3: this comment has no end"])
        #expect(reading.configuration.log.level == .debug)
        #expect(reading.configuration.speaker.mixerDecibels == 0)
    }

    @Test func linesAboveASyntaxError_areRead_withTheirMistakes() {
        let text = """
            log: { level = "debug"; levl = 1; };
            control: {
                socket = "/tmp/s";
                group = wheel;
            };
            speaker: { mixer = 6; };
            """
        let reading = reading(text)
        #expect(reading.problems.map(\.line) == [1, 4])
        #expect(reading.problems.map(\.key) == ["log.levl", nil])
        var expected = Configuration()
        expected.log.level = .debug
        expected.control.socket = "/tmp/s"
        #expect(reading.configuration == expected)
    }

    /// A number followed by a letter must not be read as the number.
    @Test func lineOfTheError_isIgnored() {
        let reading = reading("speaker: {\n  sounds = \"/a\"; mixer = 1O;\n};")
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.map(\.line) == [2])
    }

    /// A missing quote joins two lines into one text, and a path must not contain a line break.
    @Test func missingQuote_givesNoPath() {
        let reading = reading("control: {\n  socket = \"/tmp/s;\n  group = \"wheel\";\n};")
        #expect(reading.configuration == Configuration())
        #expect(reading.problems.count == 2)
    }

    @Test func deeplyNestedTexts_areRead() {
        for (open, close) in [("(", ")"), ("a={", "}")] {
            let count = ConfigurationReading.fileBytesMax / (open.count + close.count) - 10
            let deep = String(repeating: open, count: count)
            for text in [deep, deep + String(repeating: close, count: count)] {
                let reading = reading("log: { level = \"debug\" };\nb = \(open == "(" ? "" : "{")\(text)")
                #expect(!reading.problems.isEmpty)
                #expect(reading.configuration.log.level == .debug)
            }
        }
    }
}
