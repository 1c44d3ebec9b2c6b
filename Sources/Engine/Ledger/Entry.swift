// What lasts: something that is true from then on, and when it became so.

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
        switch turn {
        case .step(let step): after(step)
        case .trust: trusted
        }
    }

    private var trusted: Entry {
        guard case .alarmSaved(let alarm, let since, _) = fact else { return self }
        return Entry(millisecondsSince1970: millisecondsSince1970, .alarmSaved(alarm, since: since))
    }

    private func after(_ step: Clock.Step) -> Entry {
        let now = step.instant
        var entry = self
        entry.millisecondsSince1970 = min(millisecondsSince1970, step.to)
        switch fact {
        case .alarmSaved(let alarm, let since, let isDoubtful):
            entry.fact = .alarmSaved(alarm, since: min(since, now), isDoubtful: isDoubtful)
        case .settingsSaved(let settings, let since, let zoneSince):
            entry.fact = .settingsSaved(settings, since: min(since, now), zoneSince: min(zoneSince, now))
        case .calendarSaved(let name, let calendar, let since):
            entry.fact = .calendarSaved(name, calendar, since: min(since, now))
        // Nothing else is asked for by its time.
        default: break
        }
        return entry
    }
}
