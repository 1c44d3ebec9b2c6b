// The tests of the requests about past rings and events, over a real socket.

import API
import Alarms
import Fixtures
import JSON
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct HistoryTests {
    /// Runs a service whose two alarms have rung: "work" by a stop of Anna's phone, and "gym" by a stop that
    /// was refused and an answer.
    private func withHistory(_ body: (SocketFixture, Client) async throws -> Void) async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            for (id, time, more) in [
                ("work", "15:01", #""category":"Jobs""#),
                ("gym", "15:02", #""challenges":[{"kind":"math","level":1,"count":1}]"#),
            ] {
                let alarm = #"{"id":"\#(id)","label":"\#(id.capitalized)","time":"\#(time)",\#(more)}"#
                #expect(try client.ask(#"{"do":"add","alarm":\#(alarm)}"#)["ok"] == .bool(true))
            }
            await fixture.base.advance(byMilliseconds: 60_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            #expect(try client.ask(#"{"do":"stop","client":"Anna's phone"}"#)["state"] == .string("stopped"))
            await fixture.base.advance(byMilliseconds: 60_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            #expect(try client.ask(#"{"do":"stop"}"#)["error.code"] == .string("challengesOpen"))
            #expect(try client.ask(#"{"do":"answer","number":-1}"#)["correct"] == .bool(false))
            try await body(fixture, client)
        }
    }

    @Test func ring_namesTheClientThatEndedIt() async throws {
        try await withHistory { _, client in
            let history = try client.ask(#"{"do":"history"}"#)
            #expect(history["history.0.by"] == .string("command line"), "\(history)")
            #expect(history["history.0.client"] == .string("Anna's phone"))
            #expect(history["events"] == nil && history["history.1"] == nil)
            let groups = try client.list("successes", in: #"{"do":"history"}"#)
            #expect(groups.map { $0["name"] } == ["Work", "Jobs", "2024-03-04"].map { .string($0) }, "\(groups)")
            #expect(groups.allSatisfy { $0["inTenMinutes"] == .number(1) })
        }
    }

    @Test func events_areFiltered() async throws {
        try await withHistory { _, client in
            func names(_ filter: String) throws -> [JSON?] {
                try client.list("events", in: #"{"do":"history","events":true\#(filter)}"#).map { $0["name"] }
            }
            let gym: [JSON] = ["lock_began", "stop_refused", "wrong_answer"].map { .string($0) }
            #expect(try names(#","alarm":"gym""#).filter { $0 != .string("audio_started") } == gym)
            #expect(try names(#","alarm":"work","days":1"#).allSatisfy { $0 == .string("audio_started") })
            #expect(
                try names(#","category":"Jobs","since":"2024-03-09""#).allSatisfy { $0 == .string("audio_started") })
            #expect(try names(#","category":"Cats""#).isEmpty)
            #expect(try names(#","since":"2024-03-10""#).isEmpty)
            let events = try client.list("events", in: #"{"do":"history","events":true,"alarm":"gym"}"#)
            let stop = events.first { $0["name"] == .string("stop_refused") }
            #expect(stop?["text"] == .string(#"A stop of "Gym" on 2024-03-09 at 15:02 by rooster was refused"#))
            #expect(stop?["label"] == .string("Gym"))
            #expect(try client.ask(#"{"do":"delete","alarm":"work"}"#)["ok"] == .bool(true))
            let deleted = try client.list("events", in: #"{"do":"history","events":true,"alarm":"work"}"#).last
            #expect(deleted?["text"] == .string(#""Work" is deleted"#) && deleted?["label"] == .string("Work"))
            #expect(stop?["local"] == .string("2024-03-09T15:02:00-05:00") && stop?["ring"] != nil)
        }
    }

    @Test(arguments: [-3, 0, 4001]) func impossibleNumberOfDays_isRefused(days: Int) async throws {
        try await withSocket { fixture in
            let answer = try Client(of: fixture.path).ask(#"{"do":"history","days":\#(days)}"#)
            #expect(answer["error.code"] == .string("problems"), "\(answer)")
            #expect(answer["error.problems.0.path"] == .string("days"))
        }
    }

    @Test func longNameOfAClient_isRefused() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            func code(_ count: Int) throws -> JSON? {
                try client.ask(#"{"do":"stop","client":"\#(String(repeating: "ä", count: count))"}"#)["error.code"]
            }
            #expect(try code(40) == nil)
            #expect(try code(41) == .string("malformed"))
        }
    }

    /// The ring goes on, and what happened this morning stays.
    @Test func clearedHistory_keepsTheLastDay_andSaysSo() async throws {
        try await withHistory { fixture, client in
            #expect(try client.ask(#"{"do":"clearHistory","client":"Anna's phone"}"#)["ok"] == .bool(true))
            #expect(await !fixture.base.service.engine.isAtRest)
            let history = try client.ask(#"{"do":"history","events":true}"#)
            #expect(history["history.0.alarm"] == .string("work"))
            let events = try client.list("events", in: #"{"do":"history","events":true}"#)
            #expect(events.last?["name"] == .string("history_cleared"))
            #expect(
                events.last?["text"]
                    == .string("The history before 2024-03-08 15:02 was cleared by Anna's phone"), "\(events)")
            #expect(events.contains { $0["name"] == .string("stop_refused") })
        }
    }
}
