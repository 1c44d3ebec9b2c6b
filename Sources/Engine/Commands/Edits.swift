// Changes to some of what is there, whatever the rest of it has come to be.

import Alarms

extension Engine {
    /// An alarm with some members changed, and what its owner should know of them. It is read when that is decided, not when
    /// it was asked for: two who change an alarm at once undo nothing of each other.
    func edited(_ id: Alarm.ID, _ changes: JSON) throws(Refusal) -> (alarm: Alarm, warnings: [Problem]) {
        guard let old = ledger.alarms[id].map({ today($0.alarm) }) else { throw .noSuchAlarm(id) }
        // Whatever is changed, it goes on being this alarm.
        let fixed = JSON.object([.init("id", .string(id))])
        guard case .object = changes, case .object(let members) = old.json.patched(with: changes).patched(with: fixed)
        else { throw .problems([Problem("changes", "are an object { … }")]) }
        let (alarm, misread) = Alarm.read(members)
        guard !misread.contains(where: { $0.weight == .refused }) else {
            // Whatever else is wrong with it is said as well.
            var surroundings = surroundings
            let problems = misread + alarm.problems(among: &surroundings, besides: misread)
            throw .problems(problems.filter { $0.weight != .warning })
        }
        return (alarm, misread)
    }

    /// The settings with some members changed.
    func configured(_ changes: JSON) throws(Refusal) -> Settings {
        guard case .object = changes, case .object(let members) = ledger.settings.json.patched(with: changes) else {
            throw .problems([Problem("changes", "are an object { … }")])
        }
        var fields = Fields(members, at: "")
        let settings = Settings(reading: &fields)
        guard fields.isSound else { throw .problems(fields.problems.filter { $0.weight != .warning }) }
        return settings
    }
}
