// What lasts: something that is true from then on, and when it became so.

import Alarms
import CivilTime

/// One fact with its time: what the journal keeps, and what everything that the engine knows is made of.
public struct Entry: Hashable, Sendable {
    /// When, by the best time that was known.
    public var millisecondsSince1970: Int
    /// What.
    public var fact: Fact

    /// A fact at a time.
    public init(millisecondsSince1970: Int, _ fact: Fact) {
        self.millisecondsSince1970 = millisecondsSince1970
        self.fact = fact
    }

    /// The same, by what is known of the time after it came to be.
    func after(_ turn: Clock.Turn) -> Entry {
        var milliseconds = millisecondsSince1970
        if case .step(let step) = turn { milliseconds = min(milliseconds, step.to) }
        return Entry(millisecondsSince1970: milliseconds, fact.after(turn))
    }
}

extension Fact {
    /// The same, by what is known of the time after it came to be.
    func after(_ turn: Clock.Turn) -> Fact {
        switch (turn, self) {
        case (.trust, .alarmSaved(let alarm, let since, _, let savedAt, let begins)):
            .alarmSaved(alarm, since: since, savedAt: savedAt, begins: begins.map { Beginning($0.day) })
        case (.step(let step), .alarmSaved(let alarm, let since, let isDoubtful, let savedAt, let begins))
        where since > step.instant:
            // By a clock that nobody trusted it says nothing.
            .alarmSaved(
                alarm, since: step.instant, isDoubtful: isDoubtful, savedAt: isDoubtful ? nil : savedAt ?? since,
                begins: begins)
        case (.step(let step), .alarmChanged(let alarm, let passed, let isSpent)):
            .alarmChanged(alarm, passed: passed.map(step.shifted), isSpent: isSpent)
        case (.step(let step), .alarmMoved(let id, let version, let since)):
            .alarmMoved(id, version: version, since: step.shifted(since))
        case (.step(let step), .settingsSaved(let settings, let since, let zoneSince)):
            .settingsSaved(settings, since: step.shifted(since), zoneSince: step.shifted(zoneSince))
        case (.step(let step), .calendarSaved(let name, let calendar, let since)):
            .calendarSaved(name, calendar, since: step.shifted(since))
        // Nothing else is asked for by its time.
        default: self
        }
    }
}
