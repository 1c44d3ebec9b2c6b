// The tests of the alarm book: which change survives another that was on its way.

import Alarms
import CivilTime
import Testing

@testable import Agenda

@Suite struct AlarmBookTests {
    private typealias Tested = TestedAgenda

    private static func book(_ alarm: Alarm = Tested.daily("work")) -> AlarmBook {
        var book = AlarmBook()
        book.save(alarm, ScheduleState(revision: 1, cursor: Tested.start))
        return book
    }

    /// A label that is saved while the last ring switches its alarm off must not switch it on again.
    @Test func saveOfTheSameSchedule_keepsRingAndSwitchingOff() {
        var book = Self.book()
        let ring = Occurrence(alarm: "work", at: Tested.instant("07:00"))
        book.ring(ring, revision: 1)
        book.switchOff("work", revision: 1)
        var labelled = Tested.daily("work")
        labelled.label = "Work"
        book.save(labelled, ScheduleState(revision: 1, cursor: Tested.start))
        #expect(book["work"]?.alarm.label == "Work" && book["work"]?.alarm.isEnabled == false)
        #expect(book["work"]?.position.cursor == ring.at && book["work"]?.rung == [ring.at])
    }

    /// A decision about an earlier schedule does not affect a later one.
    @Test func decisionsOfAnEarlierRevision_areIgnored() {
        var book = Self.book()
        book.save(Tested.daily("work", "08:00"), ScheduleState(revision: 2, cursor: Tested.start))
        book.switchOff("work", revision: 1)
        book.move("work", to: ScheduleState(revision: 1, cursor: .latest))
        book.ring(Occurrence(alarm: "work", at: Tested.instant("07:00")), revision: 1)
        #expect(book["work"]?.alarm.isEnabled == true && book["work"]?.position.cursor == Tested.start)
        book.move("work", to: ScheduleState(revision: 2, cursor: Tested.instant("09:00")))
        #expect(book["work"]?.position.cursor == Tested.instant("09:00"))
        // An alarm that was deleted meanwhile.
        book.ring(Occurrence(alarm: "gone", at: Tested.start), revision: 1)
        book.switchOff("gone", revision: 1)
        #expect(book.count == 1)
    }

    @Test func lists_areBounded() {
        var book = Self.book()
        for day in 0..<100 {
            let ring = Occurrence(alarm: "work", at: Tested.instant("07:00", day: day))
            book.ring(ring, revision: 1)
            book.giveNotice(of: ring, seconds: 60)
            book.giveNotice(of: ring, seconds: 30)
        }
        #expect(book["work"]?.rung.count == 16 && book["work"]?.rung.last == Tested.instant("07:00", day: 99))
        #expect(book["work"]?.given.count == GivenNotice.perAlarm && book["work"]?.given.last?.seconds == 30)
    }

    /// If a clock is set back by hours, it reaches the rings of another day.
    @Test func stepBack_forgetsRings_onlyByHours() {
        let ring = Occurrence(alarm: "work", at: Tested.instant("07:00"))
        for (hours, rung) in [(2, [ring.at]), (4, [])] {
            var book = Self.book()
            book.ring(ring, revision: 1)
            let back = Clock.Step(from: ring.at.milliseconds, to: ring.at.milliseconds - hours * 3_600_000)
            book.setBack(by: back, takingBack: [])
            #expect(book["work"]?.rung == rung && book["work"]?.position.cursor == back.instant)
        }
    }

    @Test func snapshot_keepsTheOrderOfCreation_andPostponements() {
        var book = AlarmBook()
        for id in ["c", "a", "b"] {
            book.insert(Tested.daily(id), ScheduleState(revision: 4, cursor: Tested.start), rung: [Tested.start])
        }
        #expect(book.all.map(\.id) == ["c", "a", "b"] && book.newestRevision == 4)
        let postponed = PostponedRing(ring: Tested.start, until: Tested.instant("01:00"), layer: .date)
        book.postpone("a", postponed, isInSnapshot: true)
        #expect(book["a"]?.postponed == postponed && book["a"]?.rungForNewSchedule == [])
        // Another schedule ends it.
        book.save(Tested.daily("a", "09:00"), ScheduleState(revision: 5, cursor: Tested.start))
        #expect(book["a"]?.postponed == nil && book["a"]?.rung == [])
    }

    /// The owner who leaves out the anchor's day still wants the rule to count from it.
    @Test func anchorDate_isExcluded_byASkip_aPauseOrAnEntry() throws {
        let date = CivilDate(dayNumber: 20_465)
        var alarms = Array(repeating: Tested.daily("work"), count: 4)
        alarms[1].skipped = DateSet().inserting(date)
        alarms[2].paused = DateSet([date...date])
        alarms[3].dates = [date: .off]
        let position = ScheduleState(revision: 1, cursor: Tested.start, anchor: Anchor(date))
        let entries = alarms.map { AlarmEntry($0, position, place: 0) }
        #expect(entries.map(\.excludesAnchorDate) == [false, true, true, true])
        #expect(
            entries[0].shown.anchor == date
                && !AlarmEntry(alarms[1], ScheduleState(revision: 1, cursor: Tested.start), place: 0).excludesAnchorDate
        )
    }
}
