// The tests of the rings that are due: on time, late, put off, left out, locked, and after the clock was set.

import Alarms
import CivilTime
import Oracles
import Testing

@testable import Agenda

@Suite struct AgendaTests {
    private typealias Tested = TestedAgenda

    // MARK: every day has its ring

    /// Small steps of the clock neither repeat a ring nor lose one.
    @Test(arguments: 0..<60) func dailyRing_comesOncePerDay_whateverThePassesAndSmallSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var tested = Tested()
        tested.save(Tested.daily("work"))
        var days = 0
        while days < 20 {
            tested.pass(seconds: Int.random(in: 1...3000, using: &random))
            if Int.random(in: 0...9, using: &random) == 0 {
                tested.step(seconds: Int.random(in: -3000...3000, using: &random))
            }
            days = tested.agenda.clock.instant.seconds(since: Tested.start) / Tested.day
        }
        let rings = tested.rang.map(\.occurrence.at) + tested.missed.map(\.occurrence.at)
        #expect(rings.sorted() == (0..<rings.count).map { Tested.instant("07:00", day: $0) })
        #expect(rings.count >= 20 && tested.missed.isEmpty)
    }

    @Test func ringsOfAPowerCut_areMissedAsOne() throws {
        var tested = Tested()
        tested.save(Tested.daily("work"))
        tested.pass(seconds: 400 * Tested.day)
        let missed = try #require(tested.missed.first)
        #expect(tested.missed.count == 1 && tested.rang.isEmpty)
        #expect(missed.first == Tested.instant("07:00") && missed.last == Tested.instant("07:00", day: 399))
        #expect(!missed.switchesOff && missed.postponed == nil)
        // The clock was wrong, and is set right: the ring of that morning is not lost.
        tested.step(seconds: -400 * Tested.day + 7 * 3600 + 60)
        #expect(tested.missed.isEmpty && tested.rang.map(\.at) == [Tested.instant("07:00")])
    }

    @Test func oneTimeAlarm_isOffAfterItsRing_orAfterItWasMissed() {
        var nap = Alarm(id: "nap")
        nap.time = ClockTime("07:00")
        var (rang, late) = (Tested(), Tested())
        rang.save(nap)
        rang.pass(seconds: 7 * 3600)
        #expect(rang.rang.count == 1 && rang.agenda.alarms["nap"]?.alarm.isEnabled == false)
        late.save(nap)
        late.pass(seconds: 9 * 3600)
        #expect(late.missed.first?.switchesOff == true && late.agenda.alarms["nap"]?.alarm.isEnabled == false)
        // The step back takes the miss back.
        late.step(seconds: -3 * 3600)
        #expect(late.next == [Tested.instant("07:00")])
    }

    // MARK: the owner's changes

    /// "Every two days" counts from the first day, also if the label or the time is edited later.
    @Test func newAlarm_getsTheAnchorOfItsFirstDay_andKeepsIt() throws {
        var tested = Tested()
        var alarm = Tested.daily("bins")
        alarm.recurrence?.interval = 2
        tested.save(alarm)
        tested.pass(seconds: 8 * 3600)
        tested.change("bins") { $0.label = "Bins" }
        #expect(tested.next == [Tested.instant("07:00", day: 2)])
        tested.change("bins") { $0.time = ClockTime("06:00") }
        #expect(tested.next == [Tested.instant("06:00", day: 2)])
        let entry = try #require(tested.agenda.alarms["bins"])
        #expect(entry.shown.anchor == entry.position.anchor?.date)
        tested.change("bins") { $0.recurrence?.interval = 3 }
        #expect(tested.next == [Tested.instant("06:00", day: 1)])
        // The file of another device names the day.
        var imported = Tested.daily("imported")
        imported.recurrence?.interval = 5
        imported.anchor = entry.position.anchor?.date.advanced(by: 4)
        tested.agenda.alarms.delete("bins")
        tested.agenda.plan("bins")
        tested.save(imported, isImport: true)
        #expect(tested.next == [Tested.instant("07:00", day: 4)])
    }

    @Test func deletedAlarm_ringsNoMore() {
        var tested = Tested()
        tested.save(Tested.daily("work"))
        tested.agenda.alarms.delete("work")
        tested.agenda.noteDeletion(of: "work")
        tested.agenda.plan("work")
        #expect(
            tested.next.isEmpty && tested.agenda.alarms.count == 0 && tested.agenda.scheduledRing(of: "work") == nil)
        tested.save(Tested.daily("work"))
        #expect(tested.agenda.alarms.newestRevision == 2)
    }

    @Test func masterSwitch_andCalendar_passTheRingsBeforeThem() {
        var tested = Tested()
        tested.save(Tested.daily("work"))
        var settings = tested.agenda.settings
        settings.isEnabled = false
        tested.agenda.save(settings, at: tested.agenda.clock.instant)
        tested.agenda.planAll()
        #expect(tested.next.isEmpty)
        tested.pass(seconds: 7 * 3600 + 60)
        settings.isEnabled = true
        var new = tested.agenda.planningContext
        new.settings = settings
        let moves = tested.agenda.moves(passingNow: tested.agenda.alarms.all, in: new)
        tested.agenda.save(settings, at: tested.agenda.clock.instant)
        tested.apply(moves)
        #expect(tested.next == [Tested.instant("07:00", day: 1)])
        tested.agenda.save(DayCalendar(), named: "school")
        tested.agenda.save(nil, named: "school")
        #expect(tested.agenda.calendars.isEmpty)
    }

    /// A nap for 07:00 means 07:00 of the new zone, but a day that the owner named stays.
    @Test func anotherZone_movesTheAnchor() throws {
        var catalogue = ZoneCatalogue()
        let zone = try catalogue.zone(named: "Asia/Kolkata")
        var tested = Tested()
        var nap = Alarm(id: "nap")
        nap.time = ClockTime("07:00")
        tested.save(nap)
        let before = tested.agenda.planningContext
        tested.agenda.move(to: zone)
        tested.agenda.nameZone(zone.name)
        tested.apply(
            tested.agenda.moves(
                changingZone: tested.agenda.alarms.all, before: before, in: tested.agenda.planningContext))
        #expect(tested.next == [Tested.instant("01:30")] && tested.agenda.zoneName == zone.name)
        #expect(tested.agenda.add([zone]).isEmpty || tested.agenda.zones.version > 0)
        #expect(tested.agenda.today(of: nap) == zone.local(Tested.start).date)
    }

    /// A calendar that removes the last ring of a one-time alarm moves it to a day that is left.
    @Test func calendar_thatRemovesTheRing_movesTheAnchor() {
        var tested = Tested()
        var nap = Alarm(id: "nap")
        (nap.time, nap.calendarName, nap.lateWindowSeconds) = (ClockTime("07:00"), "school", 0)
        tested.agenda.save(DayCalendar(), named: "school")
        tested.save(nap)
        let first = CivilDate(dayNumber: Tested.start.secondsSince1970 / Tested.day)
        var (calendar, new) = (DayCalendar(), tested.agenda.planningContext)
        calendar.off = DateSet([first...first.advanced(by: 1)])
        new.calendars["school"] = calendar
        let moves = tested.agenda.moves(passingNow: tested.agenda.alarms.all, in: new)
        tested.agenda.save(calendar, named: "school")
        tested.apply(moves)
        #expect(tested.next == [Tested.instant("07:00", day: 2)])
    }

    // MARK: the clock is set

    /// The owner did not miss a nap over which the clock jumped.
    @Test func anchor_jumpedOverByTheClock_isFixedAgain() {
        var tested = Tested()
        var nap = Alarm(id: "nap")
        nap.time = ClockTime("07:00")
        tested.save(nap)
        tested.pass(seconds: 3600)
        tested.step(seconds: 11 * 3600)
        #expect(tested.missed.isEmpty && tested.next == [Tested.instant("07:00", day: 1)])
        tested.step(seconds: -11 * 3600)
        #expect(tested.next == [Tested.instant("07:00")])
    }

    @Test func napOfAClockDaysAhead_ringsOnTheTrueDay() {
        var tested = Tested(at: Tested.start.advanced(by: 3 * Tested.day))
        var nap = Alarm(id: "nap")
        nap.time = ClockTime("07:00")
        tested.save(nap)
        tested.step(seconds: -3 * Tested.day)
        #expect(tested.next == [Tested.instant("07:00")])
    }

    @Test func ringsBetweenAStepBackAndOneForward_areNotMissedAgain() {
        var tested = Tested()
        tested.save(Tested.daily("work"))
        for _ in 0..<10 { tested.pass(seconds: 3600) }
        tested.step(seconds: -4 * 3600)
        #expect(tested.next == [Tested.instant("07:00")])
        tested.step(seconds: 5 * 3600)
        #expect(tested.rang.count == 1 && tested.missed.isEmpty && tested.next == [Tested.instant("07:00", day: 1)])
    }

    // MARK: codes

    @Test func codes_andKeys_areKeptOnce_sorted() {
        var agenda = Agenda()
        for label in ["hall", "bathroom", "hall"] {
            agenda.enrol(EnrolledCode(label: label, kind: .qr, digest: CodeDigest(label)))
        }
        #expect(agenda.codes.map(\.label) == ["bathroom", "hall"])
        agenda.forgetCode("hall")
        #expect(agenda.codes.map(\.label) == ["bathroom"])
        let key = CodeKey("00")
        for _ in 0..<2 { agenda.add(key) }
        #expect(agenda.codeKeys == [key])
    }

    // MARK: put off, left out, noticed

    @Test func ringThatWasPutOff_ringsThen_andNotAtItsPlannedTime() {
        var tested = Tested()
        tested.save(Tested.daily("pills"))
        let postponed = PostponedRing(ring: Tested.instant("07:00"), until: Tested.instant("08:30"), layer: .base)
        tested.agenda.alarms.postpone("pills", postponed, isInSnapshot: false)
        tested.agenda.plan("pills")
        #expect(tested.next == [Tested.instant("08:30")])
        #expect(tested.agenda.scheduledRing(of: "pills")?.at == Tested.instant("07:00", day: 1))
        var off = tested
        tested.pass(seconds: 8 * 3600)
        tested.pass(seconds: 3600)
        #expect(tested.rang.map(\.at) == [Tested.instant("08:30")])
        #expect(tested.rang.map(\.occurrence.at) == [Tested.instant("07:00")])
        off.pass(seconds: 12 * 3600)
        #expect(off.missed.first?.postponed == postponed && off.missed.first?.last == Tested.instant("08:30"))
        off.step(seconds: -5 * 3600)
        #expect(off.next == [Tested.instant("08:30")])
        off.agenda.alarms.leaveOut(Occurrence(alarm: "pills", at: Tested.instant("07:00")))
        off.agenda.plan("pills")
        #expect(off.next == [Tested.instant("07:00", day: 1)])
    }

    @Test func skippedAndPausedDates_areRecordedInTheirTurn() {
        var tested = Tested()
        let first = CivilDate(dayNumber: Tested.start.secondsSince1970 / Tested.day)
        var alarm = Tested.daily("work")
        alarm.skipped = DateSet().inserting(first)
        alarm.paused = DateSet([first.advanced(by: 2)...first.advanced(by: 3)])
        alarm.dates = [first.advanced(by: 3): .at(ClockTime(hour: 9, minute: 0) ?? .midnight)]
        tested.save(alarm)
        for _ in 0..<5 * 24 { tested.pass(seconds: 3600) }
        #expect(tested.leftOut.map(\.ring.at) == [Tested.instant("07:00"), Tested.instant("07:00", day: 2)])
        #expect(tested.leftOut.map(\.isSkipped) == [true, false])
        #expect(tested.rang.count == 3)
        // Dates that are long past are dropped.
        tested.pass(seconds: 40 * Tested.day)
        let old = tested.agenda.alarms["work"]?.alarm ?? alarm
        #expect(tested.agenda.pruned(old).skipped.isEmpty && tested.agenda.pruned(old).dates.isEmpty)
    }

    @Test func notices_areGivenOnceEach_andLateOnesAsOne() throws {
        var tested = Tested()
        var alarm = Tested.daily("work")
        alarm.notices = try ["30m", "2h", "5h"].map { try #require(NoticeLead(text: $0)) }
        tested.save(alarm)
        for _ in 0..<41 { tested.pass(seconds: 600) }
        #expect(tested.notices.map(\.seconds) == [18_000, 7200, 1800])
        #expect(tested.agenda.noticed.first?.at == Tested.instant("07:00"))
        tested.step(seconds: -1800)
        for _ in 0..<3 { tested.pass(seconds: 600) }
        #expect(tested.notices.count == 3)
        tested.pass(seconds: Tested.day - 600)
        #expect(tested.notices.last?.seconds == 1800 && tested.notices.count == 4)
    }

    // MARK: the lock window

    @Test func lockWindow_beginsOnce_andEndsForAnUnlockedRing() throws {
        var tested = Tested()
        var alarm = Tested.daily("work")
        alarm.challenges = [Challenge(.steps(count: 30))]
        tested.save(alarm)
        #expect(tested.agenda.nextLock == Tested.instant("06:30") && tested.agenda.lock() == nil)
        tested.pass(seconds: 6 * 3600 + 1800)
        let ring = Occurrence(alarm: "work", at: Tested.instant("07:00"))
        #expect(tested.agenda.lock() == ring && tested.agenda.lock() == nil)
        let entry = try #require(tested.agenda.alarms["work"])
        #expect(tested.agenda.nextToLock(entry)?.occurrence == ring)
        tested.agenda.unlock(entry)
        #expect(tested.agenda.unlocked == [ring])
        #expect(tested.agenda.nextToLock(entry)?.at == Tested.instant("07:00", day: 1))
        tested.agenda.noteDeletion(of: "work")
        #expect(tested.agenda.unlocked.isEmpty && tested.agenda.load > 0)
        var settings = Settings()
        settings.lockSeconds = 0
        tested.agenda.save(settings, at: Tested.start)
        #expect(tested.agenda.nextLock == nil)
    }

    // MARK: clocks that are not trusted

    /// An alarm that was saved by a wrong clock counts from the true time of its save.
    @Test func alarmOfAnUntrustedClock_isCorrected_whenTheClockIsSet() {
        var tested = Tested(isTrusted: false)
        var nap = Alarm(id: "nap")
        nap.time = ClockTime("07:00")
        tested.save(nap)
        #expect(tested.agenda.alarms["nap"]?.position.isProvisional == true)
        tested.pass(seconds: 60)
        // It was 05:00, three days later.
        tested.step(seconds: 3 * Tested.day + 5 * 3600)
        #expect(tested.next == [Tested.instant("07:00", day: 3)])
        tested.agenda.trust(true)
        tested.agenda.alarms.trust()
        tested.agenda.forgetSavedUptimes()
        #expect(tested.agenda.alarms["nap"]?.position.isProvisional == false && tested.agenda.savedUptimes.isEmpty)
    }

    @Test func ringOfAnUntrustedClock_movesTheTimeOfTheSave() {
        var tested = Tested(isTrusted: false)
        tested.save(Tested.daily("work"))
        tested.pass(seconds: 7 * 3600 + 60)
        #expect(tested.rang.count == 1)
        #expect(tested.agenda.savedUptimes["work"].map(tested.agenda.instant(atUptime:)) == Tested.instant("07:00"))
        // Nothing is missed by a clock that may be wrong.
        tested.pass(seconds: 3 * Tested.day)
        #expect(tested.missed.isEmpty && tested.leftOut.isEmpty)
    }

    /// The move of a ring that came while the move was being written must not ring it again.
    @Test func durableMove_passesTheLatestRing() throws {
        var tested = Tested()
        tested.save(Tested.daily("work"))
        let old = try #require(tested.agenda.alarms["work"]?.position)
        #expect(tested.agenda.pastLatestRing(old, of: "work") == old)
        tested.pass(seconds: 7 * 3600)
        #expect(tested.agenda.pastLatestRing(old, of: "work").cursor == Tested.instant("07:00"))
        let entry = try #require(tested.agenda.alarms["work"])
        let ahead = Occurrence(alarm: "work", at: Tested.instant("07:00", day: 1))
        tested.apply([tested.agenda.pass(ahead, entry)])
        #expect(tested.next == [Tested.instant("07:00", day: 2)])
    }

    // MARK: bedtime

    @Test func bedtime_comesEachEvening_andNotTwiceByASmallStep() {
        var tested = Tested()
        var settings = Settings()
        settings.bedtime = [.monday: .at(ClockTime(hour: 22, minute: 0) ?? .midnight)]
        // The first one needs no record of another.
        var first = Bedtime()
        first.plan(settings, in: .utc, now: Tested.start)
        #expect(first.next == Tested.instant("22:00"))
        tested.agenda.save(settings, at: Tested.start)
        tested.agenda.planBedtime()
        #expect(tested.agenda.bedtime.next == Tested.instant("22:00"))
        tested.pass(seconds: 22 * 3600)
        tested.agenda.handleBedtimes(until: Tested.instant("22:00"))
        tested.agenda.planBedtime()
        #expect(tested.agenda.bedtime.next == Tested.instant("22:00", day: 7))
        tested.step(seconds: -600)
        #expect(tested.agenda.bedtime.next == Tested.instant("22:00", day: 7))
        tested.step(seconds: -6 * 3600)
        #expect(tested.agenda.bedtime.next == Tested.instant("22:00"))
        tested.agenda.save(Settings(), at: Tested.start)
        tested.agenda.planBedtime()
        #expect(tested.agenda.bedtime.next == nil)
    }
}
