// The tests of the responses to saves: warnings with codes, defaults of the house, refusals by member.

import Fixtures
import JSON
import Oracles
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct SaveTests {
    /// Returns the warnings of a response, as code and path.
    private func warnings(_ answer: JSON) -> [String] {
        guard case .array(let warnings)? = answer["warnings"] else { return [] }
        return warnings.map { "\($0.text("code") ?? "-") \($0.text("path") ?? "-")" }
    }

    @Test func warnings_haveACodeAndAPath() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let add = #"{"do":"add","alarm":{"id":"w","time":"07:00","label":"Work","ring":{"volume":0.1},"colour":1}}"#
            #expect(warnings(try client.ask(add)) == ["quiet ring.volume"])
            let draft =
                #"{"do":"validate","changes":{"time":"08:00","label":"work ","#
                + #""ring":{"sound":"gone"},"snooze":{"seconds":10},"catgory":2}}"#
            #expect(
                warnings(try client.ask(draft)) == [
                    "unknownField catgory", "sameLabel label", "snoozeLimited snooze.seconds", "noSound ring.sound",
                ])
            // The misspelt field is the one that is missing.
            let refused = try client.ask(#"{"do":"add","alarm":{"tiem":"07:00"}}"#)
            #expect(refused.text("error.problems.0.path") == "tiem", "\(refused)")
            // A label of blanks is no label, so two of them are not the same.
            for id in ["x", "y"] {
                let answer = try client.ask(#"{"do":"add","alarm":{"id":"\#(id)","time":"09:00","label":"\u00a0 "}}"#)
                #expect(answer["alarm.label"] == .string(""))
                #expect(warnings(answer) == [])
            }
        }
    }

    @Test func calendar_warnsOfTheAlarmsThatItConcerns() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"saveCalendar","name":"school","calendar":{}}"#)
            try client.ask(
                #"{"do":"add","alarm":{"id":"w","label":"Work","time":"07:00","repeat":"FREQ=DAILY","days":"school","#
                    + #""dates":{"2024-03-12":"09:00"}}}"#)
            let answer = try client.ask(
                #"{"do":"saveCalendar","name":"school","calendar":{"weekdays":[],"on":["2024-03-11"]}}"#)
            #expect(warnings(answer) == ["ownTimeOnDayOff alarms.w.dates.2024-03-12"])
            let none = try client.ask(#"{"do":"edit","alarm":"w","changes":{"dates":{"2024-03-12":null}}}"#)
            #expect(warnings(none) == [])
            #expect(
                warnings(try client.ask(#"{"do":"saveCalendar","name":"school","calendar":{"weekdays":[]}}"#))
                    == ["noRing alarms.w"])
        }
    }

    @Test func import_warnsOfItsAlarms_andReportsEachMistakeOnce() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"add","alarm":{"id":"w","time":"07:00","label":"Work"}}"#)
            let file = { (alarms: String) in
                #"{"do":"import","file":{"format":"rooster/1","alarms":[\#(alarms)]}}"#
            }
            let two = try client.ask(
                file(
                    #"{"id":"a","time":"07:00","label":"Work"},"#
                        + #"{"id":"b","time":"07:00","date":"2024-04-01","skip":["2024-04-01"]}"#))
            #expect(warnings(two) == ["sameLabel alarms[0].label", "noRing alarms[1].skip"])
            // The file does not switch the alarm off: only its challenge is wrong.
            let wrong = try client.ask(
                file(#"{"id":"w","time":"07:00","enabled":true,"challenges":[{"kind":"math","count":99}]}"#))
            let places = try #require(wrong["setAside"]).elements.map { $0.text("path") }
            #expect(places == ["alarms[0].challenges[0].count"], "\(wrong)")
        }
    }

    @Test func soundsOfTheDefaults_areChecked() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            for (defaults, path) in [
                (#"{"escalate":[{"after":60,"sound":"bels01"}]}"#, "defaults.escalate[0].sound"),
                (#"{"ring":{"sound":"bels01"},"escalate":null}"#, "defaults.ring.sound"),
            ] {
                let answer = try client.ask(#"{"do":"configure","changes":{"defaults":\#(defaults)}}"#)
                #expect(warnings(answer) == ["noSound \(path)"])
            }
        }
    }

    @Test func newAlarm_hasTheDefaultsOfTheHouse() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(#"{"do":"add","alarm":{"id":"old","time":"07:00"}}"#)
            let old = try client.ask(#"{"do":"alarm","alarm":"old"}"#)
            let defaults =
                #"{"ring":{"volume":0.2,"ramp":5},"snooze":{"max":1},"challenges":[{"kind":"math","count":2}]}"#
            let answer = try client.ask(#"{"do":"configure","changes":{"hours":12,"defaults":\#(defaults)}}"#)
            #expect(warnings(answer) == ["quiet defaults.ring.volume"])
            #expect(answer["settings.hours"] == .number(12))
            let new = try client.ask(#"{"do":"add","alarm":{"id":"new","time":"08:00","ring":{"volume":1}}}"#)
            #expect(new["alarm.ring.volume"] == .number(1.0))
            #expect(new["alarm.ring.ramp"] == .number(5))
            #expect(new["alarm.snooze.max"] == .number(1))
            #expect(new["alarm.challenges.0.count"] == .number(2))
            #expect(new["device.hours"] == .number(12))
            #expect(try client.ask(#"{"do":"alarm","alarm":"old"}"#) == old)
            // A draft has them too; a whole alarm and a file do not.
            #expect(
                try client.ask(#"{"do":"validate","changes":{"time":"08:00"}}"#)["alarm.ring.ramp"] == .number(5))
            let saved = try client.ask(#"{"do":"save","alarm":"put","content":{"time":"08:00"}}"#)
            #expect(saved["alarm.ring.ramp"] == .number(30))
            try client.ask(#"{"do":"import","file":{"alarms":[{"id":"file","time":"08:00"}]}}"#)
            #expect(try client.ask(#"{"do":"alarm","alarm":"file"}"#)["alarm.alarm.ring.ramp"] == .number(30))
            let reset = try client.ask(#"{"do":"resetSettings"}"#)
            #expect(reset["settings.hours"] == nil && reset["settings.defaults"] == nil)
            #expect(
                try client.ask(#"{"do":"add","alarm":{"time":"08:00"}}"#)["alarm.ring.ramp"] == .number(30))
        }
    }

    @Test(arguments: [
        (#"{"ring":{"volume":0}}"#, "defaults.ring.volume"), (#"{"snooze":{"max":-1}}"#, "defaults.snooze.max"),
        (#"{"challenges":[{"kind":"qr","codes":["hall"]}]}"#, "defaults.challenges[0]"),
        (#"{"challenges":[{"kind":"math","level":9}]}"#, "defaults.challenges[0].level"),
        (#"{"ring":{"ramp":"slow"}}"#, "defaults.ring.ramp"),
    ])
    func defaultsThatNoAlarmCanHave_areRefused(defaults: String, path: String) async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let answer = try client.ask(#"{"do":"configure","changes":{"defaults":\#(defaults)}}"#)
            #expect(answer["error.code"] == .string("problems"))
            #expect(answer["error.problems.0.path"] == .string(path), "\(answer)")
        }
    }

    /// A refusal of a locked alarm lists the members that would make it easier.
    @Test func lockedAlarm_namesTheMembersThatAreEasier() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let now = try client.ask(#"{"do":"status"}"#)
            let add = #"{"do":"add","alarm":{"id":"w","challenges":[{"kind":"math"}]},"delaySeconds":600}"#
            #expect(try client.ask(add)["ok"] == .bool(true), "\(now)")
            let shown = try client.ask(#"{"do":"alarm","alarm":"w"}"#)
            #expect(shown["alarm.locked"] == .bool(true))
            #expect(shown["alarm.lockedFrom"] != nil && shown["alarm.lockedFrom"] != .null)
            func paths(_ line: String) throws -> [String] {
                let answer = try client.ask(line)
                #expect(answer["error.code"] == .string("locked"), "\(answer)")
                return (answer["error.problems"] ?? .null).elements.compactMap { $0.text("path") }
            }
            let changes =
                #"{"challenges":[],"ring":{"sound":"bells01","volume":0.5,"ramp":60,"for":60},"#
                + #""late":0,"snooze":{"seconds":600,"max":4},"enabled":false}"#
            #expect(
                try paths(#"{"do":"edit","alarm":"w","changes":\#(changes)}"#) == [
                    "enabled", "challenges", "ring.sound", "ring.volume", "ring.ramp", "ring.for", "late",
                    "snooze.seconds", "snooze.max",
                ])
            #expect(try paths(#"{"do":"edit","alarm":"w","changes":{"time":"23:59"}}"#) == ["time"])
            #expect(try paths(#"{"do":"skip","alarm":"w"}"#) == ["skipped"])
            #expect(try paths(#"{"do":"delete","alarm":"w"}"#) == [])
            // Defaults change no alarm, so they are not locked. A reset shortens no lock here.
            let free = try client.ask(#"{"do":"configure","changes":{"defaults":{"ring":{"volume":0.3}}}}"#)
            #expect(free["ok"] == .bool(true))
            #expect(try client.ask(#"{"do":"configure","changes":{"lock":7200}}"#)["ok"] == .bool(true))
            #expect(try client.ask(#"{"do":"resetSettings"}"#)["error.code"] == .string("locked"))
        }
    }

    @Test func draft_hasItsNextTwoRings() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let draft = try client.ask(
                #"{"do":"validate","changes":{"time":"07:00","repeat":"FREQ=DAILY","weekly":{"mon":"07:15"}}}"#)
            #expect(draft["days"] == .string("Every day"))
            #expect(
                draft["next.layer"] != nil && draft["following.at"] != nil && draft["following.at"] != draft["next.at"])
            let capabilities = try client.ask(#"{"do":"capabilities"}"#)
            #expect(capabilities["limits.sumCount.max"] == .number(20))
            #expect((capabilities["limits.sumExamples"] ?? .null).elements.count == 3)
        }
    }

    @Test func plan_hasTheDaysThatAlarmsLeaveOut() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            try client.ask(
                #"{"do":"add","alarm":{"id":"w","label":"Work","time":"07:00","repeat":"FREQ=DAILY","#
                    + #""weekly":{"tue":"07:45"},"skip":["2024-03-13"]}}"#)
            let plan = try client.ask(
                #"{"do":"plan","from":"2024-03-12T00:00:00-04:00","until":"2024-03-15T00:00:00-04:00"}"#)
            #expect((plan["rings"] ?? .null).elements.count == 2)
            #expect(plan["rings.0.insteadOf.local"] == .string("2024-03-12T07:00:00-04:00"))
            #expect(plan["rings.1.insteadOf"] == nil)
            #expect((plan["leftOut"] ?? .null).elements.count == 1)
            #expect(plan["leftOut.0.reason"] == .string("skip"))
            #expect(plan["leftOut.0.label"] == .string("Work"))
            #expect(plan["leftOut.0.instead.local"] == .string("2024-03-13T07:00:00-04:00"))
            // The bound of the rings bounds the search for days.
            try client.ask(#"{"do":"configure","changes":{"enabled":false}}"#)
            let off = try client.ask(#"{"do":"plan","until":"2200-01-01T00:00:00Z"}"#)
            #expect((off["leftOut"] ?? .null).elements.count == 1000)
            #expect(off["leftOut.0.reason"] == .string("off"))
        }
    }
}

extension JSON {
    fileprivate func text(_ name: String) -> String? { if case .string(let text)? = self[name] { text } else { nil } }

    fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
