// The tests of sessions in the status: what rings, what it asks for, and why no answer counts.

import ScriptedService
import Testing

@testable import rooster

@Suite struct SessionStatusTests {
    @Test func ring_showsItsAssignment() throws {
        let sum = #"{"kind":"math","sum":"12 + 30","left":2}"#
        let ringing = CannedService.status(
            sessions: CannedService.session(asked: sum), speaker: #"{"output":"Headphones","decibels":-20}"#)
        #expect(
            try statusLines(ringing).dropFirst().dropLast(2) == [
                "● Work RINGS since 23:45", "    ✓ Code   ▸ Math",
                "  ▸ Solve: 12 + 30 — rooster answer N (2 sums left)", "    rooster snooze (2 snoozes left)",
                "    ████████████░░░░░░░░░░░░ -20 dB  Headphones",
            ])
    }

    /// The level of the sound, and a fault of the camera, stand below the session that is heard.
    @Test func levelOfTheSound_belongsToTheRingThatIsHeard() throws {
        let waiting = CannedService.session(state: "waiting", label: "Tea")
        let code = CannedService.session(asked: #"{"kind":"qr","labels":["bathroom"]}"#)
        let lines = try statusLines(
            CannedService.status(
                sessions: "\(code),\(waiting)", speaker: #"{"output":"Headphones","decibels":-20}"#,
                camera: #"{"frame":{"dark":true},"wrongCodes":0}"#))
        let tea = try #require(lines.firstIndex { $0.hasPrefix("● Tea") })
        #expect(lines[tea - 2] == "! Too dark: turn on a light", "\(lines)")
        #expect(lines[tea - 1] == "    ████████████░░░░░░░░░░░░ -20 dB  Headphones", "\(lines)")
    }

    @Test func ring_showsItsNoteAndCategory() throws {
        for (members, shown) in [
            (#""note":"Take the\ntrain","category":"Office","#, #"    Take the\ntrain (Office)"#),
            (#""category":"Office","#, "    (Office)"),
        ] {
            let session = CannedService.session().replacing(#""state""#, with: #"\#(members)"state""#)
            #expect(try statusLines(CannedService.status(sessions: session))[2] == shown)
        }
    }

    private static func check(secondsToAsk: Int) -> String {
        let check = #""check":{"number":1,"asks":"2026-11-23T22:52:00Z","secondsToAsk":\#(secondsToAsk)},"lateSeconds""#
        return CannedService.session(state: "checking", secondsLeft: "480").replacing(#""lateSeconds""#, with: check)
    }

    private static func round(_ round: Int, state: String = "ringing") -> String {
        CannedService.session(state: state, secondsLeft: "480").replacing(
            #""lateSeconds""#, with: #""round":\#(round),"rounds":3,"lateSeconds""#)
    }

    @Test func lockOut_offersNoSnooze() throws {
        let sum = #"{"kind":"math","sum":"12 + 30","left":2,"lockedOutSeconds":20}"#
        let lines = try statusLines(CannedService.status(sessions: CannedService.session(asked: sum)))
        #expect(lines.contains { $0.contains("12 + 30") } && !lines.contains { $0.contains("snooze") })
    }

    @Test(arguments: [
        (CannedService.session(), "  ▸ rooster snooze (2 snoozes left), rooster stop begins the challenges"),
        (CannedService.session(max: "1"), "  ▸ rooster stop begins the challenges; no snooze is left"),
        (CannedService.session(max: "0"), "  ▸ rooster stop begins the challenges; it cannot be snoozed"),
        (CannedService.session(max: "null"), "  ▸ rooster snooze, rooster stop begins the challenges"),
        (
            CannedService.session(state: "snoozed", secondsLeft: "480"),
            "◐ Work rings again in 8 min, at 23:56 (2 snoozes left)"
        ),
        (
            CannedService.session(state: "resting", secondsLeft: "480"),
            "◐ Work pauses because nobody answered, and rings again in 8 min, at 23:56"
        ),
        (check(secondsToAsk: 240), "◐ Work asks in 4 min, at 23:52, whether you are awake"),
        (
            check(secondsToAsk: 0),
            "◐ Work asks whether you are awake; without an answer it rings again in 8 min, at 23:56"
        ),
        (check(secondsToAsk: 0), "  ▸ rooster awake, or press a button"),
        (CannedService.session(state: "waiting"), "● Work waits to ring since 23:45"),
        (
            CannedService.session().replacing(#""lateSeconds""#, with: #""shaking":true,"lateSeconds""#),
            "● Work RINGS since 23:45, shaken, not heard"
        ),
        (
            CannedService.session().replacing(
                #""lateSeconds""#, with: #""shaking":true,"sound":"horn01","lateSeconds""#),
            "● Work RINGS since 23:45, and shakes the bed"
        ),
        (round(1), "● Work RINGS since 23:45"), (round(2), "● Work RINGS since 23:45 (round 2 of 3)"),
        (
            round(1, state: "resting"),
            "◐ Work pauses because nobody answered, and rings again in 8 min, at 23:56 (round 1 of 3)"
        ),
    ])
    func sessions_areShown_withTheWaysToEndThem(session: String, line: String) throws {
        let lines = try statusLines(CannedService.status(sessions: session, next: ""))
        #expect(lines.contains(line), "\(lines)")
        // The alarm rings, or will ring again, so no line may say that it does not.
        #expect(lines.contains("  No other alarm is going to ring"), "\(lines)")
    }

    /// In the hour before clocks are set back, the end of a snooze looks like a time in the past.
    @Test func snooze_intoTheFold_isMarked() throws {
        let late = CannedService.status(
            sessions: CannedService.session(state: "snoozed", secondsLeft: "1800", max: "1"), next: ""
        )
        .replacing("2026-11-23T22:48:00.250Z", with: "2026-10-25T00:48:00.250Z")
        .replacing("2026-11-23T23:48:00+01:00", with: "2026-10-25T02:48:00+02:00")
        let words = "◐ Work rings again in 30 min, at 02:18 after the clocks go back (no snooze is left)"
        #expect(try statusLines(late).contains(words))
    }

    /// The camera's problem stands next to the challenge, and only there.
    @Test func missingCamera_isShown_besideACodeChallenge() throws {
        let gone = #"{"part":"camera","grade":"broken","text":"The camera is gone: plug it in again"}"#
        let asked = CannedService.session(asked: #"{"kind":"qr","labels":["bathroom"]}"#)
        let ringing = CannedService.status(sessions: asked, health: #"\#(gone),{"part":"disk","grade":"ok","text":""}"#)
        let lines = try statusLines(ringing)
        let place = try #require(lines.firstIndex(of: "  ▸ Show the code \"bathroom\" to the camera"))
        #expect(lines[place + 2] == "✗ The camera is gone: plug it in again")
        #expect(!lines.contains { $0.contains("✗ camera") } && lines.last == "✓ In order: disk")
        #expect(
            try statusLines(CannedService.status(health: gone)).contains(
                "✗ camera: The camera is gone: plug it in again"))
        let refusal = CannedService.refusal(
            "challengeOpen", "Complete it", asked: #"{"kind":"qr","labels":["bathroom"]}"#, status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        let camera = "Show the code \"bathroom\" to the camera. The camera is gone: plug it in again"
        #expect(stop.errors == "rooster: Work rings on. \(camera).\n")
    }

    /// The reason why no code is accepted stands next to the challenge. With `--follow` it ends the line.
    @Test(arguments: [
        (#"{"frame":{"dark":true},"wrongCodes":0}"#, "Too dark: turn on a light"),
        (
            #"{"frame":{"codes":[{"sizePercent":40}]},"wrongCodes":1,"wrongInView":true}"#,
            "This is the wrong code for this alarm"
        ),
        (
            #"{"problem":"no camera is plugged in","frame":null}"#,
            "The camera gives no pictures: no camera is plugged in"
        ),
    ])
    func cameraView_isShown_duringTheRing(camera: String, words: String) throws {
        let asked = CannedService.session(asked: #"{"kind":"qr","labels":["bathroom"]}"#)
        let ringing = CannedService.status(sessions: asked, camera: camera)
        #expect(try statusLines(ringing).contains("! \(words)"))
        let refusal = CannedService.refusal("challengeOpen", "Complete it", status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        #expect(stop.errors == "rooster: Work rings on. Show the code \"bathroom\" to the camera. \(words).\n")
        let quiet = CannedService.status(sessions: asked, camera: #"{"frame":{}}"#)
        let summary = "23:48 Work rings. Show the code \"bathroom\" to the camera"
        #expect(try followedLines(quiet, quiet, ringing) == [summary, "\(summary). \(words)."])
    }

    /// The status must explain why an alarm with a code asks for sums.
    @Test func sumsInPlaceOfACode_areExplained() throws {
        let gone = #"{"part":"camera","grade":"broken","text":"The camera is gone: plug it in again"}"#
        let sum = #"{"kind":"math","sum":"12 + 30","left":10}"#
        let five = #"{"kind":"math","level":3,"count":5,"limit":60}"#
        let open = #"{"kind":"qr","done":false,"replacedBy":\#(five)},{"kind":"math","done":false}"#
        let ringing = CannedService.status(
            sessions: CannedService.session(asked: sum, challenges: open, max: "1"), health: gone)
        let words = "Solve: 12 + 30 — rooster answer N (10 sums left), instead of the code"
        let lines = try statusLines(ringing)
        let place = try #require(lines.firstIndex(of: "  ▸ \(words)"))
        #expect(lines[(place + 1)...].prefix(2) == ["    no snooze is left", "✗ The camera is gone: plug it in again"])
        let refusal = CannedService.refusal("challengeOpen", "Complete it", asked: sum, status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        #expect(stop.errors == "rooster: Work rings on. \(words). The camera is gone: plug it in again.\n")
        // Sums that the alarm itself asks for are no substitute.
        let solved = #"{"kind":"qr","done":true,"replacedBy":\#(five)},{"kind":"math","done":false}"#
        let usual = CannedService.status(sessions: CannedService.session(asked: sum, challenges: solved), health: gone)
        #expect(try statusLines(usual).contains("  ▸ Solve: 12 + 30 — rooster answer N (10 sums left)"))
        #expect(try statusLines(usual).contains("    ✓ Code (5 sums)   ▸ Math"))
    }

    /// A wrong tag or sum is shown for some seconds, as a wrong code is. Meanwhile no snooze is offered.
    @Test func wrongAnswer_isShown() throws {
        let asked = #"{"kind":"tag","labels":["key"],"wrong":true}"#
        let session = CannedService.session(asked: asked).replacing(#""test":"#, with: #""busy":true,"test":"#)
        let shown = try statusLines(CannedService.status(sessions: session))
        #expect(shown.contains("  ! This tag is not the one for this alarm"), "\(shown)")
        #expect(!shown.contains { $0.contains("rooster snooze") }, "\(shown)")
        let unlocked = CannedService.status().replacing(
            #""scan""#, with: #""unlocked":[{"alarm":"6f96","label":"Work"}],"scan""#)
        #expect(try statusLines(unlocked).contains("✓ Work is unlocked: it can be changed until it rings"))
        #expect(try followedLines(unlocked)[0].hasSuffix(". Work is unlocked: it can be changed until it rings"))
    }
}
