// The days of the week, named as the alarms file names them.

/// A day of the week; weeks are counted from Monday, as ISO 8601 does.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday
}
