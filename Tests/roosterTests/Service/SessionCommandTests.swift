// The tests of the commands for a ring: requests, output and exit status.

import Oracles
import ScriptedService
import Synchronization
import Testing

@Suite struct SessionCommandTests {
    let sum = #"{"kind":"math","sum":"12 + 30","left":2}"#

    @Test func snooze_sendsItsLength_andPrintsItsEnd() throws {
        let done =
            #""state":"snoozed","alarm":"6F96","label":"Work","until":"2026-11-23T22:58:00Z","left":2,"device":\#(CannedService.device())}"#
        let server = try CannedService.server(["snooze": #"{"ok":true,\#(done)"#])
        let run = try server.rooster("snooze")
        #expect(run.output == "Work is snoozed for 10 min, until 23:58. 2 snoozes left.\n", "\(run.errors)")
        #expect(server.request("snooze") == "{}")
        #expect(try server.rooster("snooze", "10", "--json").output == "{\(done)\n")
        #expect(server.request("snooze") == #"{"seconds":600}"#)
        #expect(try server.rooster("snooze", "90s").exitStatus == 0)
        #expect(server.request("snooze") == #"{"seconds":90}"#)
        // The service limits any length, as it does for other clients.
        #expect(try server.rooster("snooze", "4.99").exitStatus == 0)
        #expect(server.request("snooze") == #"{"seconds":299}"#)
        #expect(try server.rooster("snooze", "-5").exitStatus == 0)
        #expect(server.request("snooze") == #"{"seconds":-300}"#)
        for text in ["1.2.3", "soon", "1e3", "."] {
            #expect(try server.rooster("snooze", text).exitStatus == 2, "\(text)")
        }
    }

    @Test(arguments: [
        (#""left":0"#, ", until 23:58. No snooze is left."), (#""left":1"#, ", until 23:58. 1 snooze left."),
        (#""left":null"#, ", until 23:58. Snoozes are unlimited."),
        (
            #""left":2,"clamped":true,"ringing":{"alarm":"6f97","label":"Work"}"#,
            ", the shortest that the settings allow, until 23:58. 2 snoozes left. Work rings on."
        ),
    ])
    func snooze_printsTheSnoozesLeft_andOtherRings(more: String, words: String) throws {
        let device = CannedService.device()
        let server = try CannedService.server([
            "snooze": #"{"ok":true,"label":"Tea","until":"2026-11-23T22:58:00Z",\#(more),"device":\#(device)}"#
        ])
        #expect(try server.rooster("snooze", "0").output == "Tea is snoozed for 10 min\(words)\n")
        #expect(server.request("snooze") == #"{"seconds":0}"#)
    }

    /// A locked alarm is freed by its challenges, or by the answer to its check.
    @Test(arguments: [
        ("", "Locked until 7. 'rooster stop' begins them."),
        (#","asks":"2026-11-23T22:53:00Z""#, "Locked until 7. 'rooster awake' or any button answers it."),
    ])
    func lockedAlarm_namesTheWayToFreeIt(member: String, text: String) throws {
        let members = #""code":"locked","message":"Locked until 7","problems":[],"open":true\#(member)"#
        let refusal = #"{"ok":false,"error":{\#(members)}}"#
        #expect(try CannedService.server(["delete": refusal]).rooster("delete", "work").errors == "rooster: \(text)\n")
    }

    /// The wake-up check is announced by the last answer, and then answered.
    @Test func lastAnswer_announcesTheCheck_andAwakeAnswersIt() throws {
        let device = CannedService.device()
        let ahead = CannedService.refusal(
            "checkAhead", "The wake-up check has not begun: wait for its chime", status: CannedService.status())
        let checking =
            #"{"ok":true,"state":"checking","correct":true,"label":"Work","until":"2026-11-23T22:53:00Z","#
            + #""device":\#(device)}"#
        let server = try CannedService.server([
            "answer": checking, "stop": checking,
            "awake": #"{"ok":true,"state":"stopped","label":"Work","ringing":{"alarm":"6f97","label":"Tea"}}"#,
        ])
        let asks = "Work asks today 23:53 whether you are awake"
        #expect(try server.rooster("answer", "3").output == "Right. All challenges are done. \(asks).\n")
        #expect(try server.rooster("stop").output == "\(asks)\n")
        #expect(try server.rooster("awake").output == "Good morning: Work is over. Tea rings on.\n")
        let early = try CannedService.server(["awake": ahead]).rooster("awake")
        #expect(early.exitStatus == 1)
        #expect(
            early.errors
                == "rooster: The wake-up check has not begun: wait for its chime. 'rooster status' shows when.\n")
    }

    @Test func snooze_duringARest_printsTheEndOfTheRest() throws {
        let refused = #"{"ok":false,"reason":"nothingRings","message":"Nothing rings"}"#
        let resting = CannedService.status(sessions: CannedService.session(state: "resting", secondsLeft: "200"))
        let rests = CannedService.refusal("nothingRings", "Nothing rings", status: resting)
        let run = try CannedService.server(["snooze": rests]).rooster("snooze")
        #expect(run.exitStatus == 1)
        #expect(
            run.errors == "rooster: Work pauses because nobody answered, and rings again in 3 min 20 s, at 23:51\n")
        #expect(try CannedService.server(["snooze": refused]).rooster("snooze").errors == "rooster: Nothing rings\n")
    }

    /// Each request names its ring, so that it cannot end another one. Refusals are reported at the end.
    @Test func stopAll_stopsEachSession_andReportsRefusals() throws {
        let plain = CannedService.session(state: "waiting", label: "Tea", challenges: "").replacing(
            "6f9619ff", with: "6f97")
        let sessions = "\(CannedService.session(asked: sum)),\(plain)"
        let server = try MockServer { request in
            guard request.text("do") == "stop" else { return [.line(CannedService.status(sessions: sessions))] }
            let isTea = request.description.contains("6f97")
            let refused = CannedService.refusal(
                "challengeOpen", "Complete it", status: CannedService.status(sessions: sessions))
            return [.line(isTea ? #"{"ok":true,"state":"stopped","alarm":"6f97","label":"Tea"}"# : refused)]
        }
        let run = try server.rooster("stop", "--all")
        #expect(run.exitStatus == 1)
        #expect(run.output == "Tea is stopped\n")
        #expect(run.errors == "rooster: Work rings on. Solve: 12 + 30 — rooster answer N (2 sums left).\n")
        #expect(
            server.request("stop") == #"{"ifRing":{"alarm":"6f97-8b86-d011","at":"2026-11-23T22:45:00Z"}}"#)
        let silent = try CannedService.server().rooster("stop", "--all")
        #expect(silent.exitStatus == 0 && silent.output == "Nothing rings\n")
        #expect(
            try CannedService.server().rooster("stop", "--all", "--json").output == #"{"state":"nothingRings"}"# + "\n")
    }

    @Test func stop_confirmsTheStop() throws {
        let stopped = try CannedService.server([
            "stop": #"{"ok":true,"state":"stopped","alarm":"6F961234-5","label":""}"#
        ])
        #expect(try stopped.rooster("stop").output == "Alarm 6F961234 is stopped\n")
        let json = #"{"state":"stopped","alarm":"6F961234-5","label":""}"#
        #expect(try stopped.rooster("stop", "--json").output == "\(json)\n")
        let silent = try CannedService.server(["stop": #"{"ok":true,"state":"nothingRings"}"#]).rooster("stop")
        #expect(silent.output == "Nothing rings\n")
        #expect(silent.exitStatus == 0)
    }

    @Test func stop_thatBeginsAChallenge_showsTheSum_andFails() throws {
        let server = try CannedService.server(["stop": #"{"ok":true,"state":"asked","asked":\#(sum)}"#])
        let run = try server.rooster("stop")
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasSuffix("Solve: 12 + 30 — rooster answer N (2 sums left).\n"), "\(run.errors)")
        let json = try server.rooster("stop", "--json")
        #expect(json.exitStatus == 1)
        #expect(json.output == #"{"state":"asked","asked":\#(sum)}"# + "\n")
    }

    @Test func stop_thatIsRefused_showsTheSum() throws {
        let refused = #"{"ok":false,"reason":"challengeOpen","message":"Complete Math challenge to continue"}"#
        func stop(in state: String) throws -> Program {
            let status = CannedService.status(sessions: CannedService.session(state: state, asked: sum))
            return try CannedService.server([
                "stop": CannedService.refusal("challengeOpen", "Complete it", status: status)
            ])
            .rooster("stop")
        }
        let run = try stop(in: "challenged")
        #expect(run.exitStatus == 1)
        #expect(run.errors == "rooster: Work rings on. Solve: 12 + 30 — rooster answer N (2 sums left).\n")
        let early = try stop(in: "snoozed")
        #expect(early.errors.hasPrefix("rooster: Work is only snoozed. Solve: 12 + 30"), "\(early.errors)")
        let whole = refused.dropLast() + #","asked":{"kind":"steps","left":12}}"#
        let walking = try CannedService.server(["stop": String(whole)])
        let walked = try walking.rooster("stop")
        #expect(walked.output.isEmpty)
        #expect(walked.errors == "rooster: The alarm rings on. Walk: 12 steps to go.\n")
        let json = try walking.rooster("stop", "--json")
        #expect(json.exitStatus == 1)
        let error =
            #""code":"challengeOpen","message":"Complete Math challenge to continue","problems":[],"asked":{"kind":"steps","left":12}"#
        #expect(json.output == "{\"error\":{\(error)}}\n")
        #expect(json.errors == walked.errors)
        let other = try CannedService.server(["stop": refused]).rooster("stop")
        #expect(other.errors == "rooster: Complete Math challenge to continue\n")
    }

    @Test func answer_printsItsResult_andTheNextAssignment() throws {
        let next = try CannedService.server(["answer": #"{"ok":true,"correct":true,"asked":\#(sum)}"#])
        let run = try next.rooster("answer", "42")
        #expect(run.exitStatus == 0)
        #expect(run.output == "Right. Solve: 12 + 30 — rooster answer N (2 sums left).\n")
        #expect(next.request("answer") == #"{"number":42}"#)
        #expect(try next.rooster("answer", "-7").exitStatus == 0)
        #expect(next.request("answer") == #"{"number":-7}"#)
        for (state, words) in [
            ("stopped", "is stopped"),
            (
                "unlocked",
                "is unlocked: it can be changed until it rings. If you move it to another time, it locks again"
            ),
        ] {
            let last = #"{"ok":true,"correct":true,"asked":null,"state":"\#(state)","alarm":"6F96","label":"Work"}"#
            let done = try CannedService.server(["answer": last]).rooster("answer", "42")
            #expect(done.output == "Right. All challenges are done. Work \(words).\n")
        }
        let wrong = try CannedService.server(["answer": #"{"ok":true,"state":"asked","correct":false,"asked":\#(sum)}"#]
        )
        let refused = try wrong.rooster("answer", "41", "--json")
        #expect(refused.exitStatus == 1)
        #expect(refused.output == #"{"state":"asked","correct":false,"asked":\#(sum)}"# + "\n")
        #expect(refused.errors == "rooster: 41 is wrong. Solve: 12 + 30 — rooster answer N (2 sums left).\n")
        #expect(try wrong.rooster("answer", "many").exitStatus == 2)
        #expect(try wrong.rooster("answer").exitStatus == 2)
        let first = try CannedService.server(["answer": #"{"ok":true,"state":"asked","asked":\#(sum)}"#]).rooster(
            "answer", "1", "--json")
        #expect(first.exitStatus == 1)
        #expect(first.output == #"{"state":"asked","asked":\#(sum)}"# + "\n")
        #expect(first.errors == "rooster: No sum was open yet. Solve: 12 + 30 — rooster answer N (2 sums left).\n")
    }

    @Test(arguments: [
        (#"{"kind":"qr","labels":["bath","hall \"2\""]}"#, #"Show the code "bath" or "hall \"2\"" to the camera"#),
        (#"{"kind":"tag","labels":[]}"#, "Hold the tag of the alarm to the reader"),
        (#"{"kind":"steps","left":12}"#, "Walk: 12 steps to go"), (#"{"kind":"steps","left":1}"#, "Walk: 1 step to go"),
        (#"{"kind":"steps","left":1,"total":30}"#, "Walk: 1 of 30 steps to go"),
        (
            #"{"kind":"pattern","buttons":["snooze","stop"],"pressed":1}"#,
            "Press the buttons in this order: snooze, stop (1 of 2 pressed)"
        ),
        (#"{"kind":"pattern","buttons":["snooze","stop"]}"#, "Press the buttons in this order: snooze, stop"),
        (#"{"kind":"tag","labels":["key"]}"#, #"Hold the tag "key" to the reader"#),
        (#"{}"#, "This device cannot do this challenge"),
        (#"{"kind":"math","sum":"7 × 8","left":1}"#, "Solve: 7 × 8 — rooster answer N"),
    ])
    func unlock_printsTheAssignment(asked: String, words: String) throws {
        let server = try CannedService.server(["unlock": #"{"ok":true,"asked":\#(asked)}"#])
        let run = try server.rooster("unlock", "work")
        #expect(run.output == "\(words)\n", "\(run.errors)")
        #expect(server.request("unlock") == #"{"alarm":"6f9619ff-8b86-d011"}"#)
    }

    @Test func unlock_ofAnotherAlarm_saysThatTheFirstHasEnded() throws {
        let unlocking =
            #""unlocking":{"alarm":"6f96aaaa-1111","label":"Pills","asked":{"kind":"steps","left":3}},"scan""#
        let server = try CannedService.server([
            "unlock": #"{"ok":true,"asked":{"kind":"steps","left":12}}"#,
            "status": CannedService.status().replacing(#""scan""#, with: unlocking),
        ])
        #expect(
            try server.rooster("unlock", "work").output
                == "Unlocking Pills has ended: its challenges begin again. Walk: 12 steps to go.\n")
    }

    /// A snooze that has begun ignores another length.
    @Test func snooze_whileSnoozed_saysThatItsLengthStays() throws {
        let answer =
            #"{"ok":true,"label":"Work","until":"2026-11-23T22:58:00Z","left":2,"clamped":false,"device":\#(CannedService.device())}"#
        let server = try CannedService.server(["snooze": answer])
        #expect(
            try server.rooster("snooze", "6min").output == "Work is snoozed already, until 23:58. 2 snoozes left.\n")
        #expect(try server.rooster("snooze", "10").output.hasPrefix("Work is snoozed for 10 min, until 23:58. "))
    }

    /// The request is repeated while that ring lasts, and never for another.
    @Test func emergency_isRepeated_untilThatRingEnds() throws {
        let held = Mutex(0)
        let server = try MockServer { request in
            let count = held.withLock { $0 }
            switch request.text("do") {
            case "emergency":
                held.withLock { $0 += 1 }
                return [.line(#"{"ok":true,"emergencySeconds":0}"#)]
            default:
                return [
                    .line(
                        CannedService.status(
                            sessions: count < 3
                                ? CannedService.session()
                                : CannedService.session(label: "Tea", at: "2026-11-23T22:46:00Z")))
                ]
            }
        }
        let run = try server.rooster("emergency")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.lines.last == "Work was ended by the emergency exit ('rooster history' records it)")
        #expect(held.withLock { $0 } == 3)
        let nothing = #"{"ok":false,"reason":"nothingRings","message":"Nothing rings"}"#
        let quiet = try CannedService.server(["emergency": nothing]).rooster("emergency")
        #expect(quiet.exitStatus == 1 && quiet.errors == "rooster: Nothing rings\n")
    }

    @Test func testRing_sendsItsSoundSettings() throws {
        let server = try CannedService.server()
        #expect(try server.rooster("test-ring").output == "A test rings in 8 s: 'rooster stop' ends it\n")
        #expect(server.request("testRing") == #"{"delaySeconds":8}"#)
        let now = try server.rooster("test-ring", "--in", "0", "--sound", "bells01", "--volume", "0.3")
        #expect(now.output == "A test rings now: 'rooster stop' ends it\n")
        #expect(server.request("testRing") == #"{"ring":{"sound":"bells01","volume":0.3},"delaySeconds":0}"#)
        #expect(try server.rooster("test-ring", "--json").output == "{}\n")
        let warned = try CannedService.server([
            "testRing": #"{"ok":true,"warnings":["ring.sound: there is no sound \"x\""]}"#
        ]
        )
        #expect(
            try warned.rooster("test-ring", "--sound", "x").errors
                == "rooster: warning: --sound: there is no sound \"x\". 'rooster sound list' shows all.\n")
    }

    /// For every request a refusal is an object, and without `--json` standard output stays empty.
    @Test(arguments: [
        ("snooze", ["snooze"]), ("stop", ["stop"]), ("answer", ["answer", "4"]), ("unlock", ["unlock", "work"]),
        ("testRing", ["test-ring"]), ("status", ["status"]), ("alarms", ["list"]), ("alarms", ["show", "work"]),
        ("add", ["add", "7:00"]), ("edit", ["edit", "work", "7:00"]), ("enable", ["disable", "work"]),
        ("delete", ["delete", "work"]), ("skip", ["skip", "work"]), ("unskip", ["unskip", "work"]),
        ("pause", ["pause", "work", "2026-12-21/2027-01-03"]), ("doctor", ["doctor"]), ("history", ["history"]),
        ("configure", ["settings", "--lock", "0"]), ("calendars", ["calendar"]),
        ("codes", ["code", "list"]), ("enrol", ["code", "enrol", "x"]), ("testCode", ["code", "test"]),
        ("export", ["export"]), ("import", ["import", "-"]),
        ("simulate", ["bedside", "--disk", "ok"]),
    ])
    func refusal_isAnObject_onlyWithJSON(verb: String, words: [String]) throws {
        let fields = #""reason":"busy","message":"Too much","problems":["time: is late"]"#
        let server = try CannedService.server([verb: "{\"ok\":false,\(fields)}"])
        let error = #"{"error":{"code":"busy","message":"Too much","problems":[{"path":"time","message":"is late"}]}}"#
        for (more, output) in [([], ""), (["--json"], "\(error)\n")] {
            let run = try server.rooster(words + more, input: "{}")
            #expect(run.exitStatus == 1)
            #expect(run.output == output)
            #expect(run.errors == "rooster: time: is late\n")
        }
    }
}
