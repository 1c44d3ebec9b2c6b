// The tests of backups: a restore brings back the whole file, or changes nothing.

import Alarms
import Challenges
import CivilTime
import JSON
import Testing
import Text

@testable import Engine

@Suite struct BackupTests {
    func fixture(_ at: String = "2026-01-12T06:00:00Z") throws -> EngineFixture {
        let now = try #require(Instant(at, rounding: .down))
        var fixture = EngineFixture(wallMilliseconds: now.milliseconds, zone: .utc)
        fixture.newCodeKey = Self.key(1)
        fixture.start()
        return fixture
    }

    /// An engine with an alarm that a code in the bathroom ends.
    func fixtureWithACode() throws -> EngineFixture {
        var fixture = try fixture()
        fixture.ask(.enrol(Self.bathroom))
        fixture.ask(.saveCalendar("school", DayCalendar()))
        fixture.ask(.save(work(Challenge(.code(labels: ["bathroom"])))))
        return fixture
    }

    static func file(_ alarms: [Alarm] = [], codes: [EnrolledCode] = []) -> AlarmsFile {
        var file = AlarmsFile()
        file.alarms = alarms
        file.codes = codes
        if !codes.isEmpty { file.codeKeys = [key(1)] }
        return file
    }

    static func key(_ byte: UInt8) -> CodeKey { CodeKey(repeatElement(byte, count: CodeKey.byteCount)) }

    private static func loss(_ code: String) -> Problem {
        Problem(.removed, "codes", "removed \"\(code)\", because the file does not have it")
    }

    static let bathroom = EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("c0ffee"))
    static let attic = EnrolledCode(label: "attic", kind: .qr, digest: CodeDigest("a771c0"))
    static let fridge = EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("f41d6e"))

    func work(_ challenges: Challenge...) -> Alarm {
        var work = Alarm.daily("work", "07:00")
        work.calendarName = "school"
        work.challenges = challenges
        return work
    }

    /// Returns the file after it was written and read again.
    func written(_ file: AlarmsFile) throws -> AlarmsFile {
        let reading = try AlarmsFileReading(Array(file.json.indented.utf8))
        #expect(reading.isWhole)
        return reading.file
    }

    @Test func backup_restoresEverything_onAnotherDevice() throws {
        var first = try fixture()
        var settings = Settings()
        settings.lockSeconds = 600
        first.ask(.saveSettings(settings))
        first.ask(.saveCalendar("school", DayCalendar()))
        for code in [Self.bathroom, Self.attic, Self.fridge] { first.ask(.enrol(code)) }
        var alarm = work(Challenge(.code(labels: ["bathroom", "attic"])), Challenge(.tag(labels: ["fridge"])))
        let day = try #require(CivilDate("2026-01-20"))
        alarm.skipped = DateSet([day...day])
        first.ask(.save(alarm))
        let backup = first.engine.backup
        #expect(backup.codes.count == 3)
        var second = try fixture("2026-01-13T06:00:00Z")
        #expect(
            second.ask(.restore(try written(backup), isBackup: true))
                == .done(.restored(alarms: 1, setAside: [], codes: backup.codes.map(\.label))))
        #expect(second.engine.backup == backup)
        second.start()
        #expect(second.engine.backup == backup)
        #expect(second.engine.alarms.map(\.isEnabled) == [true])
    }

    /// A code is hashed with the key of the device that enrolled it. A new device adopts that key. A device
    /// with codes of its own keeps both keys.
    @Test(arguments: [false, true]) func restoredCode_endsARing_withItsOwnKey(isNew: Bool) throws {
        let first = try fixtureWithACode()
        let backup = try written(first.engine.backup)
        var second = try fixture()
        second.newCodeKey = Self.key(2)
        second.start()
        if !isNew { second.ask(.enrol(Self.attic)) }
        let losses = isNew ? [] : [Self.loss("attic")]
        #expect(
            second.ask(.restore(backup, isBackup: true))
                == .done(.restored(alarms: 1, setAside: losses, codes: ["bathroom"])))
        second.start()
        #expect(second.engine.codeKeys == (isNew ? [Self.key(1)] : [Self.key(2), Self.key(1)]))
        second.pass(milliseconds: 3_600_000)
        second.ask(.stop)
        let mine = CodeDigest("what the second device makes of it")
        second.give(.frame([]))
        second.pass(milliseconds: 1000)
        second.give(.frame([SeenCode(digests: [mine, Self.bathroom.digest], byteCount: 9)]))
        #expect(second.engine.sessions.isEmpty)
    }

    /// The keys of several devices are restored to a new one. A file with too many is refused whole.
    @Test func keysOfSeveralDevices_areRestored_upToALimit() throws {
        func file(_ number: UInt8) -> AlarmsFile {
            var file = AlarmsFile()
            file.codes = [EnrolledCode(label: "\(number)", kind: .qr, digest: CodeDigest("\(number)"))]
            file.codeKeys = [Self.key(number)]
            return file
        }
        var fixture = try fixture()
        fixture.ask(.enrol(Self.bathroom))
        var last = "bathroom"
        for number in 2...UInt8(CodeKey.countMax) {
            #expect(
                fixture.ask(.restore(file(number), isBackup: true))
                    == .done(.restored(alarms: 0, setAside: [Self.loss(last)], codes: ["\(number)"])))
            last = "\(number)"
        }
        #expect(
            fixture.ask(.restore(file(99), isBackup: true))
                == .refused(.tooMany("keys of codes", max: CodeKey.countMax)))
        var new = try self.fixture()
        new.newCodeKey = Self.key(100)
        new.start()
        let backup = fixture.engine.backup
        #expect(
            new.ask(.restore(try written(backup), isBackup: true))
                == .done(.restored(alarms: 0, setAside: [], codes: backup.codes.map(\.label))))
        #expect(new.engine.backup == fixture.engine.backup)
    }

    /// Without its key no payload matches the code. A backup that lacks the key is refused. An import leaves
    /// the code out, and the alarm that needs it is off.
    @Test func codeWithoutItsKey_isRefusedOrLeftOut() throws {
        var first = try fixtureWithACode()
        var file = first.engine.backup
        file.codeKeys = []
        var second = try fixture()
        let refusal = second.ask(.restore(file, isBackup: true))?.refusal
        #expect(refusal?.code == .problems && refusal?.problems.map(\.path) == ["codes[0]"])
        #expect(second.ask(.restore(file))?.setAside?.map(\.weight) == [.warning])
        #expect(second.engine.codes.isEmpty && second.engine.alarms.map(\.isEnabled) == [false])
        // A code that the device has already needs no key.
        #expect(first.ask(.restore(file, isBackup: true)) == .done(.restored(alarms: 1, setAside: [], codes: [])))
    }

    /// A restore deletes alarms, codes and calendars that the file lacks. If a lock protects one of them,
    /// the restore is refused.
    @Test func restore_deletesEntriesThatTheFileLacks() throws {
        var fixture = try fixtureWithACode()
        let backup = fixture.engine.backup
        fixture.ask(.enrol(Self.attic))
        fixture.ask(.saveCalendar("club", DayCalendar()))
        var tea = work(Challenge(.code(labels: ["attic"])))
        (tea.id, tea.calendarName) = ("tea", "club")
        fixture.ask(.save(tea))
        #expect(fixture.engine.backup != backup)
        fixture.ask(.restore(try written(backup), isBackup: true))
        #expect(fixture.engine.backup == backup)
        fixture.start()
        #expect(fixture.engine.backup == backup)
        // Shortly before its ring an alarm is locked, so no file may remove it.
        fixture.pass(milliseconds: 40 * 60_000)
        #expect(fixture.ask(.restore(AlarmsFile(), isBackup: true))?.refusal?.code == .locked)
        #expect(fixture.engine.backup.alarms == backup.alarms)
    }

    /// Past days are dropped. An alarm without other days keeps the last one, because without it the alarm
    /// would be invalid.
    @Test func restore_keepsTheLastDay_ofAnAlarmWhoseDaysArePast() throws {
        var first = try fixture()
        var shifts = Alarm(id: "shifts")
        for day in ["2026-01-10", "2026-01-12"] {
            shifts.dates[try #require(CivilDate(day))] = DayRule("07:00")
        }
        first.ask(.save(shifts))
        first.pass(milliseconds: 30 * 3_600_000)
        var second = try fixture("2026-02-13T06:00:00Z")
        #expect(
            second.ask(.restore(try written(first.engine.backup), isBackup: true))
                == .done(
                    .restored(
                        alarms: 1,
                        setAside: [Problem(.noRing, "alarms[0]", "the alarm is on, but has no day left to ring on")],
                        codes: [])))
        #expect(second.engine.alarms.map(\.dates.count) == [1])
        #expect(second.engine.alarm("shifts")?.next == nil)
    }

    /// "Today" follows the zone of the backup, not that of a device that is not set up yet.
    @Test func restore_inAnotherZone_keepsToday() throws {
        var zones = ZoneCatalogue()
        let zone = try zones.zone(named: "America/New_York")
        // In New York the date is still the 12th.
        var fixture = try fixture("2026-01-13T01:30:00Z")
        fixture.give(.zonesRead([zone]))
        var file = AlarmsFile()
        file.settings.zoneName = zone.name
        var nap = Alarm(id: "nap")
        nap.dates[try #require(CivilDate("2026-01-12"))] = DayRule("23:00")
        var work = Alarm.daily("work", "22:00")
        let today = try #require(CivilDate("2026-01-12"))
        work.skipped = DateSet([today...today])
        file.alarms = [nap, work]
        fixture.ask(.restore(file, isBackup: true))
        #expect(
            fixture.engine.alarm("nap").map { "\($0.next?.occurrence.at as Any)" }?.contains("2026-01-13T04:00:00Z")
                == true)
        #expect(
            fixture.engine.alarm("work").map { "\($0.next?.occurrence.at as Any)" }?.contains("2026-01-14T03:00:00Z")
                == true)
    }

    @Test func backup_keepsTheDaysOfAnInterval_savedBeforeTheTimeWasTrusted() throws {
        let now = try #require(Instant("2026-01-12T06:00:00Z", rounding: .down))
        var first = EngineFixture(wallMilliseconds: now.milliseconds, zone: .utc, isTrusted: false)
        first.start()
        var bins = Alarm(id: "bins")
        bins.time = ClockTime(hour: 7, minute: 0)
        bins.recurrence = try Recurrence(parsing: "FREQ=DAILY;INTERVAL=14")
        first.ask(.save(bins))
        // The clock is untrusted, so the first day of the interval is not decided yet.
        #expect(first.engine.backup.alarms.first?.start == nil)
        first.isTrusted = true
        first.give(.clockTrusted(true))
        var second = try fixture("2026-01-15T06:00:00Z")
        second.ask(.restore(try written(first.engine.backup), isBackup: true))
        let next = try #require(second.engine.alarm("bins")?.next?.occurrence.at)
        #expect("\(next)" == "2026-01-26T07:00:00Z")
    }

    @Test func importedAlarm_whoseCodeIsMissing_isOff() throws {
        var fixture = try fixture()
        fixture.ask(.saveCalendar("school", DayCalendar()))
        var file = Self.file([work(Challenge(.code(labels: ["attic"])))])
        let setAside = fixture.ask(.restore(file, isBackup: true))?.setAside
        #expect(setAside?.count == 1)
        #expect(setAside?.first?.reason.hasSuffix(", so the alarm is off") == true)
        #expect(fixture.engine.alarms.map(\.isEnabled) == [false])
        // With the key, the alarm is on.
        file.codes = [Self.attic]
        file.codeKeys = [Self.key(1)]
        fixture.ask(.restore(file, isBackup: true))
        #expect(fixture.engine.alarms.map(\.isEnabled) == [true])
    }

    /// A mistake in a file must not silence an alarm: an alarm that is on and whose new version cannot ring
    /// stays unchanged.
    @Test func import_ofAnInvalidVersion_leavesAnEnabledAlarmUnchanged() throws {
        var fixture = try fixture()
        fixture.ask(.saveCalendar("school", DayCalendar()))
        fixture.ask(.save(work()))
        var other = work()
        other.id = "other"
        var off = work()
        off.isEnabled = false
        let file = Self.file([work(Challenge(.code(labels: ["attic"]))), other, off])
        let setAside = fixture.ask(.restore(file))?.setAside
        #expect(setAside?.map(\.path) == ["alarms[0].challenges[0].codes", "alarms[2].enabled"])
        #expect(fixture.engine.alarm("work")?.alarm == work())
        #expect(fixture.engine.alarm("other")?.alarm.isEnabled == true)
    }

    /// A locked alarm in an import is set aside alone. A backup with one is refused whole.
    @Test func import_setsOnlyTheLockedAlarmAside() throws {
        var fixture = try fixture("2026-01-12T06:50:00Z")
        fixture.ask(.saveCalendar("school", DayCalendar()))
        fixture.ask(.save(work(Challenge(.steps(count: 10)))))
        var new = work()
        new.id = "new"
        let file = Self.file([work(), new])
        #expect(fixture.ask(.restore(file, isBackup: true))?.refusal?.code == .locked)
        #expect(fixture.ask(.restore(file))?.setAside?.map(\.path) == ["alarms[0]"])
        #expect(fixture.engine.alarm("work")?.alarm.challenges.count == 1)
        #expect(fixture.engine.alarm("new")?.next != nil)
    }

    @Test func import_addsMissingCodes_andChangesNone() throws {
        var fixture = try fixture()
        fixture.ask(.enrol(Self.bathroom))
        let other = EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("beside the bed"))
        let file = Self.file(codes: [other, Self.attic])
        fixture.ask(.restore(file))
        #expect(fixture.engine.codes == [Self.attic, Self.bathroom])
        // A backup replaces the code.
        fixture.ask(.restore(file, isBackup: true))
        #expect(fixture.engine.codes == [Self.attic, other])
    }

    /// One more code could be a code beside the bed.
    @Test func import_addsNoCodes_forALockedAlarmOrDuringARing() throws {
        var fixture = try fixture()
        fixture.ask(.saveCalendar("school", DayCalendar()))
        fixture.ask(.enrol(Self.bathroom))
        fixture.ask(.save(work(Challenge(.code(labels: ["bathroom", "attic"])))))
        var file = Self.file(codes: [Self.attic])
        fixture.pass(milliseconds: 45 * 60_000)
        for isBackup in [false, true] {
            #expect(fixture.ask(.restore(file, isBackup: isBackup))?.refusal?.code == .locked)
        }
        fixture.pass(milliseconds: 15 * 60_000)
        file.codes = [Self.fridge]
        #expect(fixture.ask(.restore(file)) == .refused(.ringing))
        #expect(fixture.engine.codes == [Self.bathroom])
    }

    @Test func fileWithAnInvalidCode_isRefused() throws {
        var fixture = try fixture()
        fixture.ask(.enrol(Self.fridge))
        for (code, path) in [
            (EnrolledCode(label: "x", kind: .math, digest: CodeDigest("1")), "codes[0].kind"),
            (EnrolledCode(label: "x", kind: .qr, digest: CodeDigest("")), "codes[0].digest"),
            (EnrolledCode(label: "fridge", kind: .qr, digest: CodeDigest("1")), "codes[0].label"),
        ] {
            var nap = Alarm(id: "nap")
            nap.time = ClockTime(hour: 9, minute: 0)
            let file = Self.file([nap], codes: [code])
            #expect(fixture.ask(.restore(file, isBackup: true))?.refusal?.problems.map(\.path) == [path])
            #expect(fixture.engine.alarms.isEmpty)
        }
    }
}
