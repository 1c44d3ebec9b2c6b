// What was refused, and became true after all, is undone.

import Alarms

extension Ledger {
    /// Facts that make all that its owner keeps as it is now, once these have become true.
    func undoing(_ facts: [Fact]) -> [Fact] {
        var undone: Set<Subject> = []
        let deleted = Set(facts.compactMap { fact in if case .alarmDeleted(let id) = fact { id } else { nil } })
        return facts.flatMap { fact -> [Fact] in
            guard let subject = Subject(of: fact), undone.insert(subject).inserted else { return [] }
            return again(subject, deleted)
        }
    }

    private func again(_ subject: Subject, _ deleted: Set<Alarm.ID>) -> [Fact] {
        switch subject {
        case .alarm(let id):
            guard let kept = alarms[id] else { return [.alarmDeleted(id)] }
            guard deleted.contains(id) else { return kept.facts }
            // What has had its turn is forgotten with an alarm that is deleted.
            return kept.facts + past.rings.filter { $0.occurrence.alarm == id && !$0.isOrphan }.map { .pastKept($0) }
                + sessions.filter { $0.occurrence.alarm == id }.map { .sessionKept($0) }
        case .settings:
            return [.settingsSaved(settings, since: enabledSince.instant, zoneSince: settingsZoneSince.instant)]
        case .calendar(let name):
            guard let calendar = calendars[name] else { return [.calendarDeleted(name)] }
            return [.calendarSaved(name, calendar, since: calendarsSince[name]?.instant ?? .earliest)]
        case .code(let label):
            return [codes.first { $0.label == label }.map { .codeEnrolled($0) } ?? .codeForgotten(label: label)]
        }
    }
}

/// What a fact is about that its owner keeps.
private enum Subject: Hashable {
    case alarm(Alarm.ID)
    case settings
    case calendar(String)
    case code(String)

    init?(of fact: Fact) {
        switch fact {
        case .alarmSaved(let alarm, _, _, _, _), .alarmChanged(let alarm, _, _): self = .alarm(alarm.id)
        case .alarmDeleted(let id), .baseOver(let id, _), .alarmMoved(let id, _, _): self = .alarm(id)
        case .settingsSaved: self = .settings
        case .calendarSaved(let name, _, _), .calendarDeleted(let name): self = .calendar(name)
        case .codeEnrolled(let code): self = .code(code.label)
        case .codeForgotten(let label): self = .code(label)
        default: return nil
        }
    }
}
