// The defaults of the house: the sound, the snooze and the challenges of new alarms.

import CivilTime
import JSON
import Text

/// The members that a new alarm gets if its request lacks them. Alarms that exist keep their own.
public struct AlarmDefaults: Hashable, Sendable {
    package var ring = RingSettings()
    package var snooze = SnoozeSettings()
    package var challenges: [Challenge] = []
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    /// Every problem of an alarm that has only these members, with its path in the settings.
    package func problems(among validationContext: inout ValidationContext) -> [Problem] {
        var alarm = Alarm(id: "new")
        alarm.time = .midnight
        (alarm.ring, alarm.snooze, alarm.challenges) = (ring, snooze, challenges)
        return alarm.problems(among: &validationContext).map { $0.within("defaults") }
    }
}

extension AlarmDefaults: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("ring", &ring)
        table.member("snooze", &snooze)
        table.member("challenges", &challenges)
    }
}

extension AlarmPatch {
    /// Returns the patch of a new alarm, with these defaults for the members that it lacks. A null stays:
    /// it stands for Rooster's own default. A list of challenges is taken as a whole.
    package func completed(by defaults: AlarmDefaults) -> AlarmPatch {
        guard defaults != AlarmDefaults() else { return self }
        let members = JSON.object([
            .init("ring", defaults.ring), .init("snooze", defaults.snooze), .init("challenges", defaults.challenges),
        ])
        return AlarmPatch(members.patched(with: json).members)
    }
}
