// The tests of hostile text, which must affect neither the messages about it nor the time to read it.

import CivilTime
import Testing
import Text

@testable import Alarms
@testable import JSON

@Suite struct HostileTextTests {
    func problems(_ text: String) throws -> [Problem] {
        let reading = try AlarmsFileReading(Array(text.utf8))
        return reading.problems + reading.setAside.flatMap(\.problems)
    }

    @Test(arguments: [
        #"{"alarms": [{"id": "a", "weekly": {"x\n\u001b[2J\u2028\u202e": "07:00"}}]}"#,
        #"{"alarms": [{"id": "a", "time": "x\n\u001b[2J\u2028\u202e"}]}"#,
        #"{"alarms": [{"id": "a", "time": "07:00", "repeat": "A\n\u001b=1;A\n\u001b=1;FREQ=\u2028;=\u202e"}]}"#,
        #"{"alarms": [{"id": "a", "time": "07:00", "zone": "\n\u001b\u2028\u202e"}]}"#,
        #"{"calendars": {"x\n\u001b[2J\u2028\u202e": 1}}"#,
    ])
    func controlCharacters_areEscaped_inOneLine(text: String) throws {
        let found = try problems(text)
        #expect(!found.isEmpty)
        for problem in found {
            let breaks: Set<Unicode.Scalar> = ["\n", "\u{1B}", "\u{2028}", "\u{202E}"]
            #expect(!problem.description.unicodeScalars.contains { breaks.contains($0) }, "\(problem)")
        }
    }

    @Test func quotes_areEscaped() {
        #expect(#"a"b\c é 👨‍👩‍👧"#.quoted == #""a\"b\\c é 👨‍👩‍👧""#)
    }

    @Test func longNames_areShortened_inPlaces() throws {
        let found = try problems(#"{"alarms": [{"id": "a", "dates": {"\#(String(repeating: "x", count: 5000))": 1}}]}"#)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.description.utf8.count < 400 })
    }

    /// One visible character may have ten thousand code points.
    @Test func manyCombiningMarks_areShortened_inAMessage() {
        #expect(("a" + String(repeating: "\u{301}", count: 10_000)).quoted.utf8.count < 200)
    }
}

extension HostileTextTests {
    @Test func manyCombiningMarks_areRefused_withTheirPlace() throws {
        func text(marks: Int) -> [UInt8] {
            Array("{\n \"a\(String(repeating: "\u{301}\u{316}", count: marks / 2))\": 1}".utf8)
        }
        _ = try JSON(parsing: text(marks: 254))
        #expect(throws: JSONSyntaxError(line: 2, column: 2, reason: "a character has more than 255 combining marks")) {
            try JSON(parsing: text(marks: 256))
        }
        // Normalising this many marks would take hours.
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text(marks: 4_000_000)) }
    }

    /// These texts took minutes while the reader removed each entry from the front of the rest.
    @Test func objectsWithManyNames_areReadQuickly() throws {
        let dates = (0..<60_000).map { #""\#(CivilDate(dayNumber: $0))": "07:00""# }.joined(separator: ",")
        let found = try problems(#"{"alarms": [{"id": "a", "dates": {\#(dates)}}]}"#)
        #expect(found.map(\.path) == ["alarms[0].dates"])
        let calendars = (0..<60_000).map { #""\#($0)": {}"# }.joined(separator: ",")
        #expect(try AlarmsFileReading(Array("{\"calendars\": {\(calendars)}}".utf8)).file.calendars.count == 60_000)
    }
}
