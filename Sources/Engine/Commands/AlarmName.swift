// Which alarm an answer is about, for programs and for people.

import Alarms

/// What an alarm goes by.
public struct AlarmName: Hashable, Sendable {
    /// That of a test is empty.
    public let id: Alarm.ID
    /// What its owner calls it.
    public let label: String
}

extension Alarm {
    var name: AlarmName { AlarmName(id: id, label: label) }
}

extension Session {
    var name: AlarmName { AlarmName(id: occurrence.alarm, label: terms.label) }
}
