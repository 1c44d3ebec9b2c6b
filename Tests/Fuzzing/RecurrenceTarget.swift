// The fuzz target for recurrence rules: it reads, prints, describes and evaluates a rule.

import Alarms
import CivilTime

/// Checks the promises of the rule reader and of the dates that follow from a rule.
func fuzzRecurrence(_ bytes: [UInt8]) throws(BrokenPromise) {
    let rule: Recurrence
    do {
        rule = try Recurrence(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
        try promise(!error.reasons.isEmpty, "a rule is refused for no reason")
        for reason in error.reasons { try promiseReadable(reason) }
        return
    }
    try promise((try? Recurrence(parsing: "\(rule)")) == rule, "printed as \(rule), it reads otherwise")
    try promiseReadable(rule.summary())
    for start in starts {
        try promiseReadable(rule.summary(from: start))
        try promiseDates(of: rule, from: start)
    }
}

/// Start dates for rules: one of each kind that rules treat differently, and the ends of the calendar.
private let starts: [CivilDate] = [
    .first,
    CivilDate(year: 2024, month: 2, day: 29),
    CivilDate(year: 2025, month: 1, day: 31),
    CivilDate(year: 9998, month: 11, day: 30),
    .last,
].compactMap(\.self)

private func promiseDates(of rule: Recurrence, from start: CivilDate) throws(BrokenPromise) {
    var alarm = Alarm(id: "a")
    alarm.time = ClockTime(hour: 12, minute: 0)
    alarm.start = start
    alarm.recurrence = rule
    let schedule = Schedule(alarm, in: .utc, savedAt: .earliest)
    let rings = try promiseRings(of: schedule, after: .earliest, count: 25)
    for ring in rings {
        try promise(ring.date >= start, "\(rule) from \(start) gives \(ring.date)")
        try promise(ring.layer == .base, "\(rule) rings by \(ring.layer)")
    }
    switch rule.end {
    case .never: break
    case .count(let count): try promise(rings.count <= count, "\(rule) from \(start) gives more dates than it counts")
    case .date(let last): try promise(rings.allSatisfy { $0.date <= last }, "\(rule) rings after its end")
    case .local(let last): try promise(rings.allSatisfy { $0.date <= last.date }, "\(rule) rings after its end")
    case .instant(let last):
        try promise(rings.allSatisfy { $0.occurrence.at <= last }, "\(rule) rings after its end")
    }
    if let last = CivilDate(year: 9990, month: 1, day: 1) {
        try promiseRings(of: schedule, after: Instant(secondsSince1970: last.dayNumber * 86_400), count: 3)
    }
}
