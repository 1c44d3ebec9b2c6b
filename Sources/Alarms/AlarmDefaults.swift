// The defaults of the house for new alarms: how they ring, escalate, snooze, end and light the room.

import CivilTime
import JSON
import Text

/// The members that a new alarm gets if its request lacks them. Alarms that exist keep their own.
public struct AlarmDefaults: Hashable, Sendable {
    package var ring = RingSettings()
    package var escalation: [EscalationStep]?
    package var snooze = SnoozeSettings()
    package var challenges: [Challenge] = []
    /// Only an alarm with challenges takes it.
    package var wakeUpCheck: WakeUpCheck?
    package var lightSeconds = 0
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    /// An alarm that has only these members.
    package var alarm: Alarm {
        var alarm = Alarm(id: "new")
        alarm.time = .midnight
        (alarm.ring, alarm.snooze, alarm.challenges) = (ring, snooze, challenges)
        (alarm.escalation, alarm.wakeUpCheck, alarm.lightSeconds) = (escalation, wakeUpCheck, lightSeconds)
        return alarm
    }

    /// Every problem of that alarm, with its path in the settings. The warning of a check without challenges
    /// is left out.
    package func problems(among validationContext: inout ValidationContext) -> [Problem] {
        alarm.problems(among: &validationContext).filter { $0.path != "check" }.map { $0.within("defaults") }
    }
}

extension AlarmDefaults: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("ring", &ring)
        table.member("escalate", &escalation, isOmitted: escalation == nil)
        table.member("snooze", &snooze)
        table.member("challenges", &challenges)
        table.member("check", &wakeUpCheck, isOmitted: wakeUpCheck == nil)
        table.member("light", &lightSeconds, isOmitted: lightSeconds == 0)
    }
}

extension AlarmPatch {
    /// Returns the patch of a new alarm, with these defaults for the members that it lacks. A null stays:
    /// it stands for Rooster's own default. A list is taken as a whole. An alarm without challenges takes no
    /// check, which would have no effect.
    package func completed(by defaults: AlarmDefaults) -> AlarmPatch {
        guard defaults != AlarmDefaults() else { return self }
        var known = defaults
        known.unknown = []
        let patch = AlarmPatch(known.json.patched(with: json).members)
        let hasNoUse = patch.value.challenges.isEmpty && json.member("check") == nil
        return hasNoUse ? patch.with([.init("check", .null)]) : patch
    }
}
