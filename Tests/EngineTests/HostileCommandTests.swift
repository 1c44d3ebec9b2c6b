// What nobody sensible asks for, and what nobody may be allowed to.

import Alarms
import CivilTime
import JSON
import Testing

@testable import Engine

@Suite struct HostileCommandTests {
    /// It stands for the zone of this machine, and would mean that of another elsewhere.
    @Test func pathOfTheMachinesZone_isNobodysChoice() throws {
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        let local = try #require(Zone(name: "/etc/localtime", rule: "CET-1"))
        var bedside = Bedside(wallMilliseconds: now.milliseconds, zone: local)
        bedside.start()
        var alarm = Alarm(id: "work")
        alarm.time = ClockTime(hour: 7, minute: 0)
        alarm.zoneName = local.name
        var settings = Settings()
        settings.zoneName = local.name
        for command in [Command.save(alarm), .saveSettings(settings)] {
            guard case .refused(.problems(let problems))? = bedside.ask(command) else {
                Issue.record("\(bedside.replies.last as Any)")
                continue
            }
            #expect(problems.map(\.place) == ["zone"])
        }
    }

    /// A bedside at a quarter to seven, with an alarm at seven that is locked.
    func bedside() throws -> Bedside {
        var bedside = try Bedside(startedAt: "2026-01-12T06:00:00Z")
        bedside.ask(.saveCalendar("school", DayCalendar()))
        bedside.ask(.save(alarm()))
        bedside.pass(milliseconds: 45 * 60_000)
        return bedside
    }

    func alarm(_ id: String = "work", minute: Int = 0) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(hour: 7, minute: minute)
        alarm.recurrence = Recurrence(.daily)
        alarm.calendarName = "school"
        alarm.challenges = [Challenge(.sums(level: 1, count: 1, limitSeconds: 60))]
        return alarm
    }

    func isRefused(_ reply: Reply?) -> Bool {
        if case .refused = reply { true } else { false }
    }

    /// What is acknowledged can be read again.
    @Test func settings_thatCouldNotBeReadAgain_areRefused() throws {
        var bedside = try bedside()
        let changes: [(inout Settings) -> Void] = [
            { $0.lockSeconds = -1 }, { $0.lockSeconds = 86_401 }, { $0.snoozeSecondsMin = 0 },
            { $0.snoozeSecondsMax = .max }, { $0.snoozeSecondsMin = .min },
        ]
        for change in changes {
            var settings = bedside.engine.settings
            change(&settings)
            #expect(isRefused(bedside.ask(.saveSettings(settings))))
        }
        bedside.start()
        #expect(bedside.engine.settings == Settings())
    }

    @Test func calendarThatCouldNotBeReadAgain_isRefused() throws {
        var bedside = try bedside()
        var calendar = DayCalendar()
        calendar.from = CivilDate("2026-02-01")
        calendar.until = CivilDate("2026-01-01")
        #expect(isRefused(bedside.ask(.saveCalendar("other", calendar))))
        var file = AlarmsFile()
        file.calendars["other"] = calendar
        #expect(isRefused(bedside.ask(.restore(file))))
    }

    @Test func testRing_thatIsNone_isRefused() throws {
        var bedside = try bedside()
        let changes: [(inout RingSettings) -> Void] = [
            { $0.volume = .nan }, { $0.volume = -1 }, { $0.volume = 0 }, { $0.ringSeconds = .min },
            { $0.ringSeconds = .max }, { $0.rampSeconds = .max }, { $0.sound = "" },
        ]
        for change in changes {
            var ring = RingSettings()
            change(&ring)
            #expect(isRefused(bedside.ask(.testRing(ring, inSeconds: .max))))
        }
        #expect(bedside.ask(.testRing(RingSettings(), inSeconds: .min)) == .done(.done))
        #expect(bedside.sound != nil)
    }

    @Test func numbersOutOfAnyRange_areTaken() throws {
        var bedside = try bedside()
        bedside.pass(milliseconds: 15 * 60_000)
        for seconds in [Int.min, -1, 0, .max] { bedside.ask(.snooze(seconds: seconds)) }
        #expect(bedside.engine.status().sessions.first?.leftMilliseconds == 300_000)
        for number in [Int.min, .max] { bedside.ask(.answer(number)) }
        #expect(bedside.ask(.answer(.max)) != nil)
    }

    @Test(arguments: [Challenge.Kind.math, .roulette, .steps])
    func nothingButCodesAndTags_isEnrolled(kind: Challenge.Kind) throws {
        var bedside = try bedside()
        #expect(isRefused(bedside.ask(.enrol(EnrolledCode(label: "a", kind: kind, digest: CodeDigest("00"))))))
    }

    @Test func blankOrEndlessCodes_areNotEnrolled() throws {
        var bedside = try bedside()
        let long = String(repeating: "a", count: 10_000)
        for (label, digest) in [("a", ""), ("", "00"), (long, "00"), ("a", long)] {
            let code = EnrolledCode(label: label, kind: .qr, digest: CodeDigest(digest))
            #expect(isRefused(bedside.ask(.enrol(code))))
        }
        #expect(bedside.engine.codes.isEmpty)
    }

    /// What is skipped and paused is bounded by whichever command it comes, for an alarm that is on and one that is off.
    @Test(arguments: [true, false]) func daysOffWithoutEnd_areRefused(isEnabled: Bool) throws {
        var bedside = try bedside()
        var other = alarm("other", minute: 59)
        other.isEnabled = isEnabled
        bedside.ask(.save(other))
        func runs(_ count: Int) -> DateSet {
            DateSet((0..<count).map { CivilDate(dayNumber: 30_000 + 2 * $0)...CivilDate(dayNumber: 30_000 + 2 * $0) })
        }
        func refused(_ place: String, _ count: Int) -> Reply {
            .refused(.problems([Problem(place, "has \(count) runs of days; at most 400 are kept")]))
        }
        #expect(bedside.ask(.pause("other", runs(200_000))) == refused("pause", 200_000))
        #expect(bedside.ask(.pause("other", runs(401))) == refused("pause", 401))
        #expect(bedside.engine.alarm("other")?.alarm.paused == DateSet())
        other.skipped = runs(401)
        #expect(bedside.ask(.save(other)) == refused("skip", 401))
        other.skipped = runs(400)
        #expect(!isRefused(bedside.ask(.save(other))))
        // One more day off is one more run, and what is off has no ring to skip.
        #expect(isRefused(bedside.ask(.skip("other"))))
        #expect(!isRefused(bedside.ask(.pause("other", runs(400)))))
    }

    /// A roulette must be met whatever is drawn.
    @Test func code_thatOnlyARouletteNeeds_isNotForgotten() throws {
        var bedside = try bedside()
        bedside.ask(.enrol(EnrolledCode(label: "door", kind: .qr, digest: CodeDigest("1"))))
        bedside.ask(.enrol(EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("2"))))
        var drawn = alarm("drawn", minute: 50)
        drawn.challenges = [
            Challenge(.roulette([Challenge(.code(labels: ["door"])), Challenge(.tag(labels: ["fridge"]))]))
        ]
        #expect(!isRefused(bedside.ask(.save(drawn))))
        #expect(isRefused(bedside.ask(.forget("door"))))
    }

    @Test func restore_isNoEscape_byCalendarsOrSettingsOrAlarms() throws {
        var bedside = try bedside()
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
            #expect(isRefused(bedside.ask(.restore(file, isBackup: true))))
        }
        // Settings are no part of an import.
        #expect(bedside.ask(.restore(bySettings)) == .done(.restored(alarms: 0, setAside: [], codes: [])))
        bedside.pass(milliseconds: 15 * 60_000)
        #expect(bedside.sound?.occurrence.alarm == "work")
    }

    /// A request that is sent again and again while it is open gets the reply as often, takes no room and keeps nobody out.
    @Test func requestThatIsRepeatedWithoutEnd_takesNoRoom() throws {
        var bedside = try bedside()
        bedside.disk = .slow
        bedside.ask(.delete("nothing"))
        bedside.ask(.save(alarm("other", minute: 40)))
        let before = bedside.replies.count
        for _ in 0..<100 { bedside.again() }
        #expect(bedside.replies.count == before)
        bedside.disk = .quick
        bedside.settlePending()
        #expect(bedside.replies.count - before == 101)
        #expect(Set(bedside.replies.dropFirst(before)).count == 1)
    }

    /// A clock that jumps over millennia is no reason to look at each of their days while something should ring: whoever does
    /// is at it until morning.
    @Test(.timeLimit(.minutes(1))) func clockThatJumpsOverMillennia_costsNoTime() throws {
        var bedside = try bedside()
        bedside.wallMilliseconds = 0
        bedside.give(.timer)
        for index in 0..<20 { bedside.ask(.save(alarm("\(index)"))) }
        bedside.wallMilliseconds = try #require(Instant("9000-01-01T00:00:00Z", rounding: .down)).milliseconds
        bedside.give(.timer)
        #expect(bedside.engine.history.count >= 20)
    }

    /// A machine whose clock goes back to the same time whenever the plug is pulled.
    @Test func snooze_isNotHadAgain_byPullingThePlug() throws {
        var bedside = try bedside()
        let start = bedside.wallMilliseconds - 3_600_000
        bedside.pass(milliseconds: 15 * 60_000)
        bedside.ask(.snooze(seconds: nil))
        var silentMinutes = 0
        for _ in 0..<10 {
            for _ in 0..<8 {
                bedside.pass(milliseconds: 60_000)
                silentMinutes += bedside.sound == nil ? 1 : 0
            }
            bedside.wallMilliseconds = start
            bedside.uptimeMilliseconds = 5000
            bedside.isTrusted = false
            bedside.start(seed: 3)
        }
        #expect(silentMinutes >= 8)
        #expect(silentMinutes <= 18, "of a snooze of nine minutes")
    }
}
