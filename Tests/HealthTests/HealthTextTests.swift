// The tests of the texts of bad health.

import Health
import JSON
import Testing

@Suite struct HealthTextTests {
    @Test func everyCause_hasAText() throws {
        for code in Cause.Code.allCases {
            let json = try JSON(parsing: Array(#"{"code":"\#(code.rawValue)","reasons":["why"]}"#.utf8))
            let text = Health(try json.decoded(as: Cause.self)).text
            #expect(text.contains { $0.isLetter }, "\(code)")
        }
    }

    @Test func untriedSpeaker_isReportedAsNotPlayed() {
        let failures = [
            SpeakerFailure(name: "Screen", reason: nil), SpeakerFailure(name: "Phones", reason: "unplugged"),
        ]
        #expect(Health(.silent(failures)).text == "No speaker plays: Screen (not tested yet), Phones (unplugged)")
        #expect(Health(.silent([])).text == "No speaker plays: there is no sound card. Plug one in.")
    }

    @Test func severalCauses_areSentences() {
        let lost = Health(.unusable(reason: "the snooze button: no line GPIO17"), .unusable(reason: "unplugged"))
        #expect(lost.text == "The snooze button: no line GPIO17. Unplugged.")
    }
}
