// The tests of the texts of bad health and of refusals.

import CivilTime
import JSON
import Testing
import Text

@testable import Engine

@Suite struct HealthTextTests {
    @Test func everyCause_hasAText() throws {
        for code in Cause.Code.allCases {
            let json = try JSON(parsing: Array(#"{"code":"\#(code.rawValue)","reasons":["why"]}"#.utf8))
            let text = Health(try json.decoded(as: Cause.self)).text
            #expect(text.contains { $0.isLetter }, "\(code)")
        }
    }

    /// An earlier version recorded no day and no reason for a camera that was pulled out.
    @Test func cameraPulledOutInAnOldRecord_isBrokenFromTheStartOn() {
        var engine = Engine(replaying: [
            Entry(millisecondsSince1970: 1_768_197_600_000, .healthChanged(.camera, Health(.cameraPulledOut)))
        ])
        let moment = Moment(wallMilliseconds: 1_768_197_600_000, uptimeMilliseconds: 0)
        _ = engine.handle(.start(Start(isClockTrusted: true, zone: .utc, seed: 1)), at: moment)
        #expect(engine.health(of: .camera) == Health(.cameraBroken(reason: "it was unplugged")))
        let reason = "The camera gives no pictures (it was unplugged)."
        let text = engine.health(of: .camera)?.text
        #expect(text == "\(reason) Until it works, five sums replace a code, and the history says so.")
    }

    @Test func untriedSpeaker_isReportedAsNotPlayed() {
        let failures = [
            SpeakerFailure(name: "Screen", reason: nil), SpeakerFailure(name: "Phones", reason: "unplugged"),
        ]
        #expect(Health(.silent(failures)).text == "No speaker plays: Screen (not tested yet), Phones (unplugged)")
        #expect(Health(.silent([])).text == "No speaker plays: there is no sound card. Plug one in.")
    }

    @Test func buzzerAlone_isWarnedOf_whenAnAlarmIsSaved() throws {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.give(.health(.speaker, Health(.buzzerOnly([]))))
        guard case .done(.saved(_, let warnings)) = fixture.ask(.save(.daily("work", "07:00"))) else {
            return #expect(Bool(false), "not saved")
        }
        #expect(warnings == [Problem(.noSpeaker, "", "no speaker works now, so only the buzzer sounds")])
    }

    @Test func severalCauses_areSentences() {
        let lost = Health(.unusable(reason: "the snooze button: no line GPIO17"), .unusable(reason: "unplugged"))
        #expect(lost.text == "The snooze button: no line GPIO17. Unplugged.")
    }

    @Test(arguments: [
        (Assignment.code(labels: ["bathroom", "hall"]), #"the code "bathroom" or "hall""#),
        (.tag(labels: ["key"]), #"the tag "key""#), (.steps(left: 3), "steps"),
        (.pattern([.snooze]), "presses of the buttons"),
    ])
    func answerToAnotherChallenge_namesIt(assignment: Assignment, thing: String) {
        let refusal = Refusal.nothingAsked(AlarmName(id: "work", label: "Work"), assignment)
        #expect(refusal.description == #""Work" asks for \#(thing), not for a sum"#)
        let unnamed = Refusal.nothingAsked(AlarmName(id: "work", label: ""), assignment)
        #expect(unnamed.description == "The alarm asks for \(thing), not for a sum")
        #expect(Refusal.nothingAsked().description == "No sum is open now")
    }
}
