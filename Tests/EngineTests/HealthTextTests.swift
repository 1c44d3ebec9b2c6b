// The test that every cause of bad health has a text for people.

import JSON
import Testing

@testable import Engine

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
        #expect(Health(.silent(failures)).text == "Nothing is heard: Screen has not played yet; Phones: unplugged")
        #expect(Health(.silent([])).text == "Nothing is heard: there is no sound card: plug one in")
    }
}
