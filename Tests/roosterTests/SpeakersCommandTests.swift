// What `rooster speakers` says on whatever machine this is.

import Oracles
import Testing

@Suite struct SpeakersCommandTests {
    func rooster(_ arguments: String...) throws -> Program {
        try Program(Program.built("rooster"), ["speakers"] + arguments)
    }

    /// Tests run where there is a card, and where there is none.
    @Test func speakers_areListed_orTheLineSaysWhatToDo() throws {
        let (words, json) = (try rooster(), try rooster("--json"))
        #expect(words.lines.count == json.lines.count)
        if words.exitStatus == 0 {
            #expect(words.lines.filter { $0.hasPrefix("→") }.count == 1)
            #expect(json.lines.filter { $0.contains(#""isFirst":true"#) }.count == 1)
        } else {
            #expect(words.exitStatus == 1)
            #expect(words.complaints.count == 1)
            #expect(words.complaints.first?.hasPrefix("rooster: ") == true)
        }
    }

    @Test func wrongUsage_isSaid() throws {
        #expect(try rooster("all").exitStatus == 2)
        #expect(try rooster("--loud").exitStatus == 2)
        #expect(try rooster("--help").output.contains("Usage: rooster speakers"))
    }
}
