import CivilTime
import Testing

@Test func weekdays_areSeven() {
    #expect(Weekday.allCases.count == 7)
}
