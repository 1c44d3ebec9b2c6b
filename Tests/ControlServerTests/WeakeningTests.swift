// A table of attempts to weaken a locked alarm, one for each request and each member of an alarm.

import API
import Alarms
import Fixtures
import JSON
import Oracles
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct WeakeningTests {
    /// For each request that changes something, an attempt to weaken the locked alarm by it; nil for a
    /// request that cannot: it concerns neither an alarm nor its ring.
    private static let requests: [String: String?] = [
        "add": #""alarm":{"id":"work","time":"15:25"}"#,
        "save": #""alarm":"work","content":{"time":"15:25"}"#,
        "edit": #""alarm":"work","changes":{"time":"15:25"}"#,
        "enable": #""alarm":"work","on":false"#,
        "delete": #""alarm":"work""#,
        "skip": #""alarm":"work""#,
        // It takes skips back, so it adds rings.
        "unskip": nil,
        "pause": #""alarm":"work","dates":["2024-01-01/2025-01-01"]"#,
        "postpone": #""alarm":"work","seconds":3600"#,
        "done": #""alarm":"work""#,
        "configure": #""changes":{"enabled":false}"#,
        // The defaults lock for as long as the settings here, and switch nothing off.
        "resetSettings": nil,
        "saveCalendar": #""name":"days","calendar":{"weekdays":[]}"#,
        "deleteCalendar": #""name":"days""#,
        "import": #""backup":true,"file":{"format":"rooster/1","alarms":[]}"#,
        "enrol": #""label":"key""#,
        "forgetCode": #""label":"key""#,
        "printCode": nil, "codeSheet": nil, "addSound": nil, "removeSound": nil, "testCode": nil, "cancelScan": nil,
        "clearHistory": nil, "testRing": nil,
        "unlock": nil,
        "simulate": nil, "doctor": nil, "inBed": nil, "preview": nil, "trySpeakers": nil,
        "forgetClient": nil, "addToken": nil, "invite": nil, "claim": nil, "pair": nil,
        "snooze": "", "stop": "", "awake": "", "emergency": "", "answer": #""number":0"#,
    ]

    /// For each member of an alarm, a value that would make the locked one easier to escape; nil if none would.
    private static let members: [String: String?] = [
        "label": nil, "note": nil, "category": nil, "notices": nil, "light": nil, "anchor": nil, "id": nil,
        "enabled": "false", "time": #""15:25""#, "zone": #""America/Los_Angeles""#,
        "date": #""2030-01-01","repeat":null"#, "start": #""2030-01-01""#,
        "repeat": #""FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1""#,
        "weekly": #"{"sat":"off"}"#, "dates": #"{"2024-03-09":"off"}"#, "days": #""none""#,
        "skip": #"["2024-03-09"]"#, "pause": #"["2024-03-01/2024-04-01"]"#,
        "ring.sound": #""bells01""#, "ring.volume": "0.3", "ring.ramp": "600", "ring.for": "60",
        "ring.rounds": "1", "ring.rest": "1800", "ring.shake": "false",
        "escalate": "[]", "snooze.seconds": "3600", "snooze.max": "9", "challenges": "[]", "late": "0", "early": "0",
        "postpone": "true", "check": "null",
    ]

    private static let alarm = #"""
        {"id":"work","label":"Work","time":"15:20","repeat":"FREQ=DAILY","days":"school","zone":"America/New_York",
        "ring":{"volume":0.7,"shake":true},"snooze":{"seconds":300,"max":0},"early":60,
        "challenges":[{"kind":"math","level":2,"count":3}],"check":{"after":300,"within":180}}
        """#.replacing("\n", with: "")

    /// Runs a service with an alarm that is locked: it is 15:00, and the alarm rings at 15:20.
    private func withLockedAlarm(_ body: (SocketFixture, Client) async throws -> Void) async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"saveCalendar","name":"school","calendar":{"weekdays":["sat","sun","mon"]}}"#)
            try client.ask(#"{"do":"saveCalendar","name":"none","calendar":{"weekdays":[]}}"#)
            #expect(try client.ask(#"{"do":"add","alarm":\#(Self.alarm)}"#)["ok"] == .bool(true))
            #expect(try client.ask(Self.look)["alarm.locked"] == .bool(true))
            try await body(fixture, client)
        }
    }

    private static let look = #"{"do":"alarm","alarm":"work"}"#

    @Test func tables_haveEachRequestAndEachMember() {
        let changing = Set(RequestSpec.all.filter { $0.spec.changes }.map { $0.spec.name })
        #expect(Set(Self.requests.keys) == changing)
        let paths = Alarm.schema.fields.flatMap { field in
            ["ring", "snooze"].contains(field.name)
                ? field.schema.fields.map { "\(field.name).\($0.name)" } : [field.name]
        }
        let known = Set(Self.members.keys)
        #expect(known == Set(paths))
    }

    /// No request changes the locked alarm or its ring, neither before the ring nor while it rings.
    @Test func lockedAlarm_isWeakenedByNoRequest() async throws {
        try await withLockedAlarm { fixture, client in
            let before = try client.ask(Self.look)
            func attempt(_ check: (String) throws -> Void) throws {
                for (name, fields) in Self.requests.sorted(by: { $0.key < $1.key }) {
                    guard let fields else { continue }
                    try client.ask(#"{"do":"\#(name)"\#(fields.isEmpty ? "" : ",")\#(fields)}"#)
                    try check(name)
                }
            }
            try attempt { name in
                let after = try client.ask(Self.look)
                #expect(after == before, "\(name)")
            }
            await fixture.base.advance(byMilliseconds: 20 * 60_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            try attempt { name in
                let status = try client.ask(#"{"do":"status"}"#)
                #expect(status["status.sessions.0.alarm"] == .string("work"), "\(name)")
                let state = status["status.sessions.0.state"]
                #expect(state == .string("ringing") || state == .string("challenged"), "\(name)")
            }
        }
    }

    @Test func lockedAlarm_isWeakenedByNoMember() async throws {
        try await withLockedAlarm { _, client in
            let before = try client.ask(Self.look)
            for (path, value) in Self.members.sorted(by: { $0.key < $1.key }) {
                guard let value else { continue }
                let names = path.split(separator: ".")
                let changes = names.reversed().reduce(value) { #"{"\#($1)":\#($0)}"# }
                let answer = try client.ask(#"{"do":"edit","alarm":"work","changes":\#(changes)}"#)
                #expect(answer["error.code"] == .string("locked"), "\(path): \(answer)")
                #expect(try client.ask(Self.look) == before, "\(path)")
            }
        }
    }
}
