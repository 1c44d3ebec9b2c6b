// Changes to single members of an alarm or of the settings; members that a patch does not name stay as they are.

import JSON

/// New values for some members of an alarm.
public struct AlarmPatch: Hashable, Sendable {
    private let changes: JSON

    package init(_ members: [JSON.Member]) { changes = .object(members) }

    package var zoneName: String? { changes.zoneName }

    /// The alarm with the patch applied, and the problems found while reading it. An `id` in the patch is ignored.
    package func applied(to alarm: Alarm) -> (alarm: Alarm, problems: [Problem]) {
        let fixed = JSON.object([.init("id", .string(alarm.id))])
        return Alarm.read(alarm.json.patched(with: changes).patched(with: fixed).members)
    }
}

/// New values for some members of the settings.
public struct SettingsPatch: Hashable, Sendable {
    private let changes: JSON

    package init(_ members: [JSON.Member]) { changes = .object(members) }

    package var zoneName: String? { changes.zoneName }

    /// What its sender should know of it that is no reason to refuse it.
    package var warnings: [Problem] { SettingsPatch.read(changes).problems.filter { $0.weight == .warning } }

    /// The settings with these members changed, and what is wrong with that.
    package func applied(to settings: Settings) -> (settings: Settings, problems: [Problem]) {
        let (settings, problems) = SettingsPatch.read(settings.json.patched(with: changes))
        return (settings, problems.filter { $0.weight != .warning })
    }

    private static func read(_ json: JSON) -> (settings: Settings, problems: [Problem]) {
        var fields = Fields(json.members, at: "")
        let settings = Settings(reading: &fields)
        return (settings, fields.problems)
    }
}

extension JSON {
    /// The zone that an alarm or the settings have by it.
    fileprivate var zoneName: String? {
        if case .string(let name)? = members.first(where: { $0.name == "zone" })?.value { name } else { nil }
    }
}
