// The tests of the texts of refusals.

import Challenges
import Testing

@testable import Engine

@Suite struct RefusalTests {
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
