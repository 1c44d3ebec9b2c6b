// The tests of names for alarms, unique or ambiguous.

import Alarms
import Testing

@testable import rooster

@Suite struct AlarmNamesTests {
    private static func alarm(_ id: String, _ label: String) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.label = label
        return alarm
    }

    let names = AlarmNames([alarm("cafe-1", "Work"), alarm("CAFE-2", "work "), alarm("beef", "Cafe"), alarm("x", "")])

    @Test func labelThatIsAPrefixOfAnId_isAmbiguous() {
        #expect(names.called("cafe") == [0, 1, 2])
        #expect(names.called("Work") == [0, 1])
        #expect(names.called("cafe-2") == [1])
        #expect(names.called("beef") == [2])
        #expect(names.called("x") == [3])
        #expect(names.called("").isEmpty)
    }

    @Test func shortIDs_areUnambiguous() {
        let short = names.shortIDs()
        #expect(short == ["cafe-1", "cafe-2", "beef", "x"])
        for (index, name) in short.enumerated() { #expect(names.called(name) == [index]) }
    }

    /// An edited file may have two ids that differ only in case.
    @Test func idsThatDifferOnlyInCase_areShownInFull() {
        let names = AlarmNames([Self.alarm("6f96-aa", ""), Self.alarm("6F96-aa", "")])
        #expect(names.shortIDs() == ["6f96-aa", "6F96-aa"])
        #expect(names.called("6f96") == [0, 1] && names.called("6F96-aa") == [1])
    }
}
