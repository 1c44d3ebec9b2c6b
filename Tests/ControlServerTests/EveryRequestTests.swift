// The tests of every request over a real socket: valid, invalid, repeated, and from two clients.

import API
import Alarms
import CivilTime
import Engine
import Fixtures
import JSON
import Oracles
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct EveryRequestTests {
    private static let changes = RequestSpec.all.indices.filter { RequestSpec.all[$0].spec.changes }

    /// Runs a service with a socket and an alarm.
    private func withAlarm(in directory: Scratch? = nil, _ body: (SocketFixture) async throws -> Void) async throws {
        try await withSocket(in: directory) { fixture in
            _ = await fixture.base.ask(.save(.daily("work", "07:00")), "work")
            try await body(fixture)
        }
    }

    @Test(arguments: RequestSpec.all.indices) func response_matchesItsSchema(index: Int) async throws {
        let type = RequestSpec.all[index]
        try await withAlarm { fixture in
            let answer = try Client(of: fixture.path).ask(RequestExamples.line(type))
            if let refusal = RequestExamples.refusals[type.spec.name] {
                #expect(answer["error.code"] == .string(refusal), "\(answer)")
                #expect(try !isDone(type, answer))
            } else {
                #expect(answer["ok"] == .bool(true), "\(answer)")
                #expect(try isDone(type, answer))
            }
        }
    }

    private func isDone<Tested: Request>(_ type: Tested.Type, _ answer: JSON) throws -> Bool {
        if case .success = try ResponseEnvelope<Tested.Response>(answer) { true } else { false }
    }

    /// An extra field, a field of the wrong type and a missing field are each named, and change nothing.
    @Test(arguments: RequestSpec.all.indices) func request_withAnInvalidField_isRefused(index: Int) async throws {
        let type = RequestSpec.all[index]
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            let before = await fixture.base.service.engine.backup
            var lines = [RequestExamples.line(type, #""colour":"red""#)]
            for field in type.fields {
                lines.append(#"{"do":"\#(type.spec.name)","\#(field.name)":[[]]}"#)
            }
            if type.fields.contains(where: { !$0.isOptional }) { lines.append(#"{"do":"\#(type.spec.name)"}"#) }
            for line in lines {
                let answer = try client.ask(line)
                #expect(answer["error.code"] == .string("malformed"), "\(line): \(answer)")
                #expect(answer["error.problems.0.path"] != nil, "\(line): \(answer)")
            }
            #expect(await fixture.base.service.engine.backup == before)
        }
    }

    /// A repeated change gets the first response and has no effect. From another client it is a new change.
    @Test(arguments: changes) func change_thatIsRepeated_isDoneOnce(
        index: Int
    ) async throws {
        let type = RequestSpec.all[index]
        try await withAlarm { fixture in
            let line = RequestExamples.line(type, #""id":"7","client":"phone""#)
            let first = try Client(of: fixture.path).ask(line)
            if let id = first["id"] {
                // The repeated response has the first revision, even if others change the alarm in between.
                let edit = #"{"do":"edit","alarm":\#(id),"changes":{"note":"x","time":"05:00"}}"#
                try Client(of: fixture.path).ask(edit)
            }
            if type.spec.name == "configure" {
                try Client(of: fixture.path).ask(#"{"do":"configure","changes":{"lock":1200}}"#)
            }
            let after = await fixture.base.service.engine.backup
            let again = try Client(of: fixture.path).ask(line)
            // The doctor measures again: the free space on the disk may have changed.
            if type.spec.name != "doctor" { #expect(again == first) }
            #expect(await fixture.base.service.engine.backup == after)
            if type.spec.name == "add" {
                let other = try Client(of: fixture.path).ask(RequestExamples.line(type, #""id":"7","client":"tablet""#))
                #expect(other["id"] != first["id"] && other["id"] != nil)
                #expect(await fixture.base.service.engine.alarms.count == 3)
            }
        }
    }

    /// A change with an old revision is refused.
    @Test(arguments: [
        ("alarm", #""alarm":"work""#, "alarm.revision", #"{"do":"edit","alarm":"work","changes":{"label":"L%"}"#),
        ("settings", "", "revision", #"{"do":"configure","changes":{"lock":60%}"#),
        (
            "calendars", "", "calendars.0.revision",
            #"{"do":"saveCalendar","name":"s","calendar":{"weekdays":["mon"],"x":%}"#
        ),
    ])
    func change_ofAnOldRevision_isRefused(query: String, fields: String, place: String, change: String) async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"saveCalendar","name":"s","calendar":{"weekdays":["tue"]}}"#)
            let question = "{\([#""do":"\#(query)""#, fields].filter { !$0.isEmpty }.joined(separator: ","))}"
            guard case .string(let seen)? = try client.ask(question)[place] else { throw Client.Gone() }
            let first = change.replacing("%", with: "1") + #","ifRevision":"\#(seen)"}"#
            #expect(try client.ask(first)["ok"] == .bool(true), "\(first)")
            let late = try client.ask(change.replacing("%", with: "2") + #","ifRevision":"\#(seen)"}"#)
            #expect(late["error.code"] == .string("changedMeanwhile"), "\(late)")
            let present = try client.ask(question)[place]
            #expect(late["error.revision"] == present)
        }
    }

    /// A client that shows one ring must not skip, snooze or end another.
    @Test func requestWithIfRing_changesNoOtherRing() async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            let other = #"{"do":"skip","alarm":"work","ifRing":{"alarm":"work","at":"2030-01-15T06:00:00Z"}}"#
            #expect(try client.ask(other)["error.problems.0.path"] == .string("ifRing"))
            let next = #"{"do":"skip","alarm":"work","ifRing":{"alarm":"work","at":"2024-03-10T11:00:00Z"}}"#
            #expect(try client.ask(next)["date"] == .string("2024-03-10"))
            #expect(try client.ask(next)["date"] == .string("2024-03-10"))
            let ring = #""ifRing":{"alarm":"work","at":"2024-03-10T11:00:00Z"}"#
            #expect(try client.ask(#"{"do":"stop",\#(ring)}"#)["state"] == .string("nothingRings"))
            try client.ask(#"{"do":"testRing","delaySeconds":0}"#)
            for request in ["emergency", "snooze", "stop"] {
                let answer = try client.ask(#"{"do":"\#(request)",\#(ring)}"#)
                #expect(answer["error.code"] == .string("anotherRings"), "\(answer)")
            }
        }
    }

    /// Thousands of unknown members must not produce as many problems.
    @Test func requestWithManyUnknownFields_hasAShortResponse() async throws {
        try await withAlarm { fixture in
            let members = (0..<20_000).map { #""a\#($0)":0"# }.joined(separator: ",")
            let problems = try Client(of: fixture.path).list("error.problems", in: #"{"do":"status",\#(members)}"#)
            #expect(problems.count == 20)
        }
    }

    /// Each warning names its path in the file, once.
    @Test func import_warnsAsSavingDoes() async throws {
        try await withAlarm { fixture in
            let file = #"""
                {"format":"rooster/1","calendars":{"s":{"weekdays":["tue"]}},"alarms":[{"id":"a","time":"07:00"},
                {"id":"b","time":"07:00","ring":{"sound":"nope","volume":0.1}},
                {"id":"c","time":"07:00","snooze":{"seconds":9999}}]}
                """#.replacing("\n", with: "")
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"saveCalendar","name":"s","calendar":{"weekdays":["mon"]}}"#)
            let warnings = try client.list("warnings", in: #"{"do":"import","file":\#(file)}"#)
            let paths = [
                "alarms[1].ring.sound", "alarms[1].ring.volume", "alarms[2].snooze.seconds", "calendars.s",
            ]
            #expect(Set(warnings.map { $0["path"] }) == Set(paths.map { .string($0) }), "\(warnings)")
            #expect(warnings.count == paths.count)
        }
    }

    /// Validation saves nothing and returns the same as saving: the zone, the unknown sound, the name.
    @Test func validation_returnsTheSameAsSaving() async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            let alarm =
                #"{"id":"x","label":"Tea","time":"07:00","zone":"Asia/Tokyo","ring":{"sound":"zz","volume":0.1}}"#
            let before = await fixture.base.service.engine.backup
            let validated = try client.ask(#"{"do":"validate","changes":\#(alarm)}"#)
            #expect(await fixture.base.service.engine.backup == before)
            #expect(validated["next.local"] == .string("2024-03-10T07:00:00+09:00"), "\(validated)")
            let saved = try client.ask(#"{"do":"add","alarm":\#(alarm)}"#)
            #expect(validated == saved)
            let misspelt = #""changes":{"repeet":"FREQ=DAILY"}"#
            let warned = try client.ask(#"{"do":"validate","alarm":"x",\#(misspelt)}"#)
            #expect(warned["warnings.0.path"] == .string("repeet"), "\(warned)")
            let edited = try client.ask(#"{"do":"edit","alarm":"x",\#(misspelt)}"#)
            #expect(edited["warnings"] == warned["warnings"])
        }
    }

    @Test func relativeTime_isResolvedByTheDevice_andADuplicateLabelIsWarnedOf() async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            let add = #"{"do":"add","alarm":{"label":"Nap"},"delaySeconds":1200}"#
            let nap = try client.ask(add)
            #expect(nap["next.local"] == .string("2024-03-09T15:20:00-05:00") && nap["warnings"] == nil, "\(nap)")
            #expect(nap["alarm.time"] == .string("15:20"))
            let tokyo = #"{"label":" nap","zone":"Asia/Tokyo"}"#
            let other = try client.ask(#"{"do":"add","alarm":\#(tokyo),"delaySeconds":1200}"#)
            #expect(other["next.local"] == .string("2024-03-10T05:20:00+09:00"), "\(other)")
            #expect(other["warnings.0.path"] == .string("label"))
            let edited = try client.ask(#"{"do":"edit","alarm":"work","changes":{"repeat":null},"daysAhead":2}"#)
            #expect(edited["alarm.date"] == .string("2024-03-11"), "\(edited)")
            let past = try client.ask(#"{"do":"add","alarm":{},"delaySeconds":0}"#)
            #expect(past["error.problems.0.path"] == .string("delaySeconds"), "\(past)")
            let again = try client.ask(#"{"do":"add","alarm":{"id":"work","time":"07:00"}}"#)
            #expect(again["error.problems.0.path"] == .string("id"), "\(again)")
        }
    }

    @Test func plan_isEveryRingInOrder() async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"add","alarm":{"id":"tea","time":"16:00","date":"2024-03-10"}}"#)
            let rings = try client.list("rings", in: #"{"do":"plan","until":"2024-03-12T00:00:00Z"}"#)
            #expect(rings.map { $0["alarm"] } == ["work", "tea", "work"].map { .string($0) }, "\(rings)")
        }
    }

    /// A follower gets each record with its sequence number, and with `since` the records it has missed.
    @Test func follower_receivesNewRecords_andThoseThatItMissed() async throws {
        try await withAlarm { fixture in
            let follower = try Client(of: fixture.path)
            follower.send(#"{"do":"follow","topics":["records","prompts"]}"#)
            let client = try Client(of: fixture.path)
            // The service may handle the first edits before the follow request, so the edit is repeated.
            while try client.ask(#"{"do":"edit","alarm":"work","changes":{"note":"x"}}"#)["ok"] == .bool(true),
                !follower.isToldSomething
            {}
            let event = try follower.hear()
            #expect(event["record.name"] == .string("alarm_saved"), "\(event)")
            #expect(event["record.alarm"] == .string("work"))
            guard case .number(let sequence)? = event["record.sequence"] else { throw Client.Gone() }
            let before = try #require(Int(sequence)) - 1
            let late = try Client(of: fixture.path).ask(#"{"do":"follow","topics":["records"],"since":\#(before)}"#)
            #expect(late == event)
        }
    }

    /// A follower that returns after a restart gets the records that it has missed.
    @Test func missedFacts_areSent_afterARestart() async throws {
        let scratch = try Scratch()
        try await withAlarm(in: scratch) { _ in }
        try await withSocket(in: scratch) { fixture in
            let event = try Client(of: fixture.path).ask(#"{"do":"follow","topics":["records"],"since":0}"#)
            #expect(event["record.sequence"] == .number(1), "\(event)")
        }
    }

    /// A refused stop names the alarm that rings, and so does the prompt.
    @Test func stopThatIsRefused_namesItsAlarm() async throws {
        try await withAlarm { fixture in
            let client = try Client(of: fixture.path)
            let sums = #"{"id":"sums","time":"15:01","challenges":[{"kind":"math"}],"note":"Tea","category":"Home"}"#
            #expect(try client.ask(#"{"do":"add","alarm":\#(sums)}"#)["ok"] == .bool(true))
            let follower = try Client(of: fixture.path)
            follower.send(#"{"do":"follow","topics":["prompts"]}"#)
            await fixture.base.advance(byMilliseconds: 60_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            let answer = try client.ask(#"{"do":"stop"}"#)
            #expect(answer["error.alarm.alarm"] == .string("sums"), "\(answer)")
            var told = try follower.hear()
            // The service may first report that it has no sound card.
            while told["prompt.about"] == .string("broken") { told = try follower.hear() }
            #expect(told["prompt.alarm.alarm"] == .string("sums"), "\(told)")
            #expect(told["prompt.note"] == .string("Tea") && told["prompt.category"] == .string("Home"))
            let session = try #require(try client.list("status.sessions", in: #"{"do":"status"}"#).first)
            #expect(session["note"] == .string("Tea") && session["category"] == .string("Home"), "\(session)")
        }
    }

    /// A prompt has the local time of its alarm.
    @Test func missedRing_isReportedInItsAlarmsLocalTime() async throws {
        try await withAlarm { fixture in
            let ring = Occurrence(alarm: "work", at: try #require(Instant("2024-03-10T11:00:00Z", rounding: .down)))
            let told = FollowEvent.PromptReport(.missed(ring, first: ring.at), in: await fixture.base.service.engine)
            #expect(told.text == "Alarm work on 2024-03-10 at 07:00 was missed")
            #expect(told.ringLocal?.text == "2024-03-10T07:00:00-04:00" && told.alarm?.alarm == "work")
        }
    }
}
