// The tests of commands with absurd values, and of commands that must not be allowed.

import Alarms
import CivilTime
import JSON
import Testing
import Text

@testable import Engine

@Suite struct HostileCommandTests {
    /// `/etc/localtime` names this machine's zone. In a backup it would mean the zone of another machine.
    @Test func pathOfTheMachinesZone_isRefused() throws {
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        let local = try #require(Zone(name: "/etc/localtime", rule: "CET-1"))
        var fixture = EngineFixture(wallMilliseconds: now.milliseconds, zone: local)
        fixture.start()
        var alarm = Alarm(id: "work")
        alarm.time = ClockTime(hour: 7, minute: 0)
        alarm.zoneName = local.name
        var settings = Settings()
        settings.zoneName = local.name
        for command in [Command.save(alarm), .saveSettings(settings)] {
            #expect(fixture.ask(command)?.refusal?.problems.map(\.path) == ["zone"])
        }
    }

    /// Starts at 06:45, with a locked alarm at 07:00.
    func fixture() throws -> EngineFixture {
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        fixture.ask(.saveCalendar("school", DayCalendar()))
        fixture.ask(.save(alarm()))
        fixture.pass(milliseconds: 45 * 60_000)
        return fixture
    }

    func alarm(_ id: String = "work", minute: Int = 0) -> Alarm {
        var alarm = Alarm.daily(id, "07:00", Challenge(.sums(level: 1, count: 1, limitSeconds: 60)))
        alarm.time = ClockTime(hour: 7, minute: minute)
        alarm.calendarName = "school"
        return alarm
    }

    func isRefused(_ reply: Reply?) -> Bool { reply?.refusal != nil }

    /// If the journal acknowledged settings that a restart rejects, the owner would lose them.
    @Test func settings_unreadableAfterARestart_areRefused() throws {
        var fixture = try fixture()
        let changes: [(inout Settings) -> Void] = [
            { $0.lockSeconds = -1 }, { $0.lockSeconds = 86_401 }, { $0.snooze.minSeconds = 0 },
            { $0.snooze.maxSeconds = .max }, { $0.snooze.minSeconds = .min },
        ]
        for change in changes {
            var settings = fixture.engine.settings
            change(&settings)
            #expect(isRefused(fixture.ask(.saveSettings(settings))))
        }
        fixture.start()
        #expect(fixture.engine.settings == Settings())
    }

    @Test func calendar_unreadableAfterARestart_isRefused() throws {
        var fixture = try fixture()
        var calendar = DayCalendar()
        calendar.from = CivilDate("2026-02-01")
        calendar.until = CivilDate("2026-01-01")
        #expect(isRefused(fixture.ask(.saveCalendar("other", calendar))))
        var file = AlarmsFile()
        file.calendars["other"] = calendar
        #expect(isRefused(fixture.ask(.restore(file))))
    }

    @Test func testRing_withInvalidSettings_isRefused() throws {
        var fixture = try fixture()
        let changes: [(inout RingSettings) -> Void] = [
            { $0.volume = .nan }, { $0.volume = -1 }, { $0.volume = 0 }, { $0.ringSeconds = .min },
            { $0.ringSeconds = .max }, { $0.rampSeconds = .max }, { $0.sound = "" },
            { $0.rounds = 0 }, { $0.restSeconds = .max },
        ]
        for change in changes {
            var ring = RingSettings()
            change(&ring)
            #expect(isRefused(fixture.ask(.testRing(ring, inSeconds: .max))))
        }
        #expect(fixture.ask(.testRing(RingSettings(), inSeconds: .min)) == .done(.done))
        #expect(fixture.sound != nil)
    }

    @Test func extremeNumbers_areAccepted() throws {
        var fixture = try fixture()
        fixture.pass(milliseconds: 15 * 60_000)
        for seconds in [Int.min, -1, 0, .max] { fixture.ask(.snooze(seconds: seconds)) }
        #expect(fixture.engine.status().sessions.first?.leftMilliseconds == 300_000)
        for number in [Int.min, .max] { fixture.ask(.answer(number)) }
        #expect(fixture.ask(.answer(.max)) != nil)
    }

    @Test(arguments: [Challenge.Kind.math, .roulette, .steps])
    func enrolment_ofAnotherKind_isRefused(kind: Challenge.Kind) throws {
        var fixture = try fixture()
        #expect(isRefused(fixture.ask(.enrol(EnrolledCode(label: "a", kind: kind, digest: CodeDigest("00"))))))
    }

    @Test func blankOrOverlongCodes_areNotEnrolled() throws {
        var fixture = try fixture()
        let long = String(repeating: "a", count: 10_000)
        for (label, digest) in [("a", ""), ("", "00"), (long, "00"), ("a", long)] {
            let code = EnrolledCode(label: label, kind: .qr, digest: CodeDigest(digest))
            #expect(isRefused(fixture.ask(.enrol(code))))
        }
        #expect(fixture.engine.codes.isEmpty)
    }

    /// The number of skipped and paused days is bounded for each command, whether the alarm is on or off.
    @Test(arguments: [true, false]) func tooManyDaysOff_areRefused(isEnabled: Bool) throws {
        var fixture = try fixture()
        var other = alarm("other", minute: 59)
        other.isEnabled = isEnabled
        fixture.ask(.save(other))
        func runs(_ count: Int) -> DateSet {
            DateSet((0..<count).map { CivilDate(dayNumber: 30_000 + 2 * $0)...CivilDate(dayNumber: 30_000 + 2 * $0) })
        }
        func refused(_ path: String, _ count: Int) -> Reply {
            .refused(.problems([Problem(path, "must have at most 400 ranges of days, not \(count)")]))
        }
        #expect(fixture.ask(.pause("other", runs(200_000))) == refused("pause", 200_000))
        #expect(fixture.ask(.pause("other", runs(401))) == refused("pause", 401))
        #expect(fixture.engine.alarm("other")?.alarm.paused == DateSet())
        other.skipped = runs(401)
        #expect(fixture.ask(.save(other)) == refused("skip", 401))
        other.skipped = runs(400)
        #expect(!isRefused(fixture.ask(.save(other))))
        // Each single day off counts as a run. An alarm that is off has no ring to skip.
        #expect(isRefused(fixture.ask(.skip("other"))))
        #expect(!isRefused(fixture.ask(.pause("other", runs(400)))))
    }

    /// Each challenge that a roulette may draw must be solvable.
    @Test func code_neededOnlyByARoulette_isNotForgotten() throws {
        var fixture = try fixture()
        fixture.ask(.enrol(EnrolledCode(label: "origin", kind: .qr, digest: CodeDigest("1"))))
        fixture.ask(.enrol(EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("2"))))
        var drawn = alarm("drawn", minute: 50)
        drawn.challenges = [
            Challenge(.roulette([Challenge(.code(labels: ["origin"])), Challenge(.tag(labels: ["fridge"]))]))
        ]
        #expect(!isRefused(fixture.ask(.save(drawn))))
        #expect(isRefused(fixture.ask(.forget("origin"))))
    }

    @Test func restore_cannotWeakenALockedAlarm() throws {
        var fixture = try fixture()
        let today = try #require(CivilDate("2026-01-12"))
        var dayOff = DayCalendar()
        dayOff.off = DateSet([today...today])
        var byCalendar = AlarmsFile()
        byCalendar.calendars["school"] = dayOff
        var bySettings = AlarmsFile()
        bySettings.settings.isEnabled = false
        var byAlarm = AlarmsFile()
        byAlarm.alarms = [alarm(minute: 30)]
        for file in [byCalendar, bySettings, byAlarm] {
            #expect(isRefused(fixture.ask(.restore(file, isBackup: true))))
        }
        // An import ignores the settings of a file.
        #expect(fixture.ask(.restore(bySettings)) == .done(.restored(alarms: 0, setAside: [], codes: [])))
        fixture.pass(milliseconds: 15 * 60_000)
        #expect(fixture.sound?.occurrence.alarm == "work")
    }

    /// A request that is repeated while it is open gets the same reply each time, uses no memory and blocks
    /// no other client.
    @Test func repeatedOpenRequest_usesNoMemory() throws {
        var fixture = try fixture()
        fixture.disk = .slow
        fixture.ask(.delete("nothing"))
        fixture.ask(.save(alarm("other", minute: 40)))
        let before = fixture.replies.count
        for _ in 0..<100 { fixture.again() }
        #expect(fixture.replies.count == before)
        fixture.disk = .quick
        fixture.settlePending()
        #expect(fixture.replies.count - before == 101)
        #expect(Set(fixture.replies.dropFirst(before)).count == 1)
    }

    /// The client of a request that was not saved sends it again, and it is done once.
    @Test func repeatedRequest_isDone_ifTheFirstOneWasNotSaved() throws {
        var fixture = try fixture()
        fixture.disk = .failing
        #expect(fixture.ask(.save(alarm("other", minute: 40)))?.refusal?.code == .notKept)
        #expect(fixture.again()?.refusal?.code == .notKept)
        fixture.disk = .quick
        let reply = fixture.again()
        #expect(reply != nil && reply?.refusal == nil)
        #expect(fixture.engine.alarms.map(\.id).sorted() == ["other", "work"])
        fixture.ask(.delete("other"))
    }

    /// After a clock jumps over millennia, a scan of each day would take until morning, while an alarm
    /// should ring.
    @Test(.timeLimit(.minutes(1))) func clockThatJumpsOverMillennia_costsNoTime() throws {
        var fixture = try fixture()
        fixture.wallMilliseconds = 0
        fixture.give(.timer)
        for index in 0..<20 { fixture.ask(.save(alarm("\(index)"))) }
        fixture.wallMilliseconds = try #require(Instant("9000-01-01T00:00:00Z", rounding: .down)).milliseconds
        fixture.give(.timer)
        #expect(fixture.engine.history.count >= 20)
    }

    /// The clock of this machine returns to the same time after each power cut.
    @Test func repeatedPowerCuts_doNotExtendASnooze() throws {
        var fixture = try fixture()
        let start = fixture.wallMilliseconds - 3_600_000
        fixture.pass(milliseconds: 15 * 60_000)
        fixture.ask(.snooze(seconds: nil))
        var silentMinutes = 0
        for _ in 0..<10 {
            for _ in 0..<8 {
                fixture.pass(milliseconds: 60_000)
                silentMinutes += fixture.sound == nil ? 1 : 0
            }
            fixture.wallMilliseconds = start
            fixture.uptimeMilliseconds = 5000
            fixture.isTrusted = false
            fixture.start(seed: 3)
        }
        #expect(silentMinutes >= 8)
        #expect(silentMinutes <= 18, "of a snooze of nine minutes")
    }
}
