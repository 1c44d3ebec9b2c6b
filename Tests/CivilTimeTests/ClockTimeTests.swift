// The tests of clock times, local times and instants as text.

import CivilTime
import Oracles
import Testing

@Suite struct ClockTimeTests {
    @Test func everyMinute_readsBackWhatItPrinted() {
        for second in stride(from: 0, to: 86_400, by: 59) {
            let time = ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
            #expect(time?.secondsSinceMidnight == second)
            #expect(time.flatMap { ClockTime($0.description) } == time)
        }
    }

    @Test func text_leavesOutSeconds_whenThereAreNone() {
        #expect(ClockTime("07:00")?.description == "07:00")
        #expect(ClockTime("07:00:00")?.description == "07:00")
        #expect(ClockTime("07:00:01")?.description == "07:00:01")
    }

    @Test(arguments: ["24:00", "7:00", "07:60", "07:00:60", "07:0", "07", "07:00 ", "-7:00", "07:00:", "", "0７:00"])
    func text_isRefused_whenItIsNotAClockTime(text: String) {
        #expect(ClockTime(text) == nil)
    }
}

@Suite struct CivilDateTimeTests {
    @Test(arguments: ["2024-03-10T02:30:00", "0001-01-01T00:00:00", "9999-12-31T23:59:59"])
    func text_readsBackWhatItPrinted(text: String) {
        #expect(CivilDateTime(text)?.description == text)
    }

    @Test func seconds_mayBeLeftOut() {
        #expect(CivilDateTime("2024-03-10T02:30") == CivilDateTime("2024-03-10T02:30:00"))
    }

    @Test(arguments: [
        "2024-03-10", "02:30", "2024-03-10 02:30", "2024-02-30T02:30", "2024-03-10T24:00", "2024-03-10T02:30:00Z",
        "2024-03-10T02:30:00-05:00", "T", "",
    ])
    func text_isRefused_whenItIsNoLocalTime(text: String) {
        #expect(CivilDateTime(text) == nil)
    }
}

@Suite struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("2024-03-10T02:30:00-05:00", 1_710_055_800),
        ("2024-03-10t07:30:00z", 1_710_055_800),
        ("2024-03-10 07:30:00+00:00", 1_710_055_800),
        ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("1969-12-31T23:59:59Z", -1),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("9999-12-31T23:59:59-23:59", 253_402_300_799),
    ])
    func text_isReadAsRFC3339(text: String, seconds: Int) {
        #expect(Instant(text, rounding: .down)?.secondsSince1970 == seconds)
    }

    @Test func fraction_isRoundedAsRequested() {
        #expect(Instant("1970-01-01T00:00:01.25Z", rounding: .down)?.secondsSince1970 == 1)
        #expect(Instant("1970-01-01T00:00:01.25Z", rounding: .up)?.secondsSince1970 == 2)
        #expect(Instant("1970-01-01T00:00:01.000Z", rounding: .up)?.secondsSince1970 == 1)
    }

    @Test(arguments: [
        "2024-03-10T07:30:00", "2024-03-10", "2024-03-10T07:30Z", "2024-03-10T07:30:00.Z", "2024-03-10T07:30:61Z",
        "2024-03-10T24:00:00Z", "2024-03-10T07:30:00+5:00", "2024-03-10T07:30:00Z ", "2024-03-10T07:30:00+24:00", "now",
    ])
    func text_isRefused_whenItIsNoInstant(text: String) {
        #expect(Instant(text, rounding: .down) == nil)
    }

    @Test func text_readsBackWhatItPrinted() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let range = Instant.earliest.secondsSince1970...Instant.latest.secondsSince1970
            let instant = Instant(secondsSince1970: Int.random(in: range, using: &random))
            #expect(Instant(instant.description, rounding: .down) == instant)
        }
    }

    @Test func arithmetic_staysAtTheEnds_whenItWouldLeaveTheRange() {
        #expect(Instant.latest.advanced(by: 1) == .latest)
        #expect(Instant.earliest.advanced(by: .min) == .earliest)
        #expect(Instant(secondsSince1970: 0).advanced(by: -1).description == "1969-12-31T23:59:59Z")
    }
}
