// Alarms and what has become of them, as JSON.

import Alarms
import Engine
import JSON

extension Engine {
    /// An alarm, and what its owner wants to know of it; nothing where there is none.
    func json(ofAlarm id: Alarm.ID) -> JSON? {
        alarm(id).map { alarm, next in
            .object([
                .init("alarm", alarm.json), .init("next", next?.json(in: self) ?? .null),
                .init("days", .string(alarm.daysInWords)), .init("locked", .bool(isLocked(id))),
            ])
        }
    }

    /// An alarm's id, its next ring and its days, if it is there.
    func nextMembers(ofAlarm id: Alarm.ID) -> [JSON.Member] {
        let found = alarm(id)
        return [
            .init("id", .string(id)), .init("next", found?.next?.json(in: self) ?? .null),
            .init("days", .string(found?.alarm.daysInWords ?? "")),
        ]
    }

    /// What is over, of so many days at most.
    func historyMembers(days: Int?) -> [JSON.Member] {
        let since = days.map { status(nextCount: 0).nowMilliseconds - min(max($0, 0), 1000) * 86_400_000 } ?? .min
        let rings = history.filter { $0.endedMilliseconds >= since }
        return [
            .init("history", .array(rings.map { $0.json(in: self) })),
            .init("success", rings.successRate.map { .number($0) } ?? .null),
        ]
    }
}

extension PastRing {
    func json(in engine: Engine) -> JSON {
        let challenges = (session?.terms.challenges ?? []).enumerated().map { index, challenge in
            let done = session.flatMap { index < $0.doneMilliseconds.count ? $0.doneMilliseconds[index] : nil }
            return JSON.object([
                .init("kind", .text(challenge.kind?.rawValue)),
                .init("done", done.map { .instant(milliseconds: $0) } ?? .null),
            ])
        }
        return .object(
            occurrence.members(in: engine) + [
                .init("label", .string(label)),
                .init("ended", .string(ending.rawValue)),
                .init("end", .instant(milliseconds: endedMilliseconds)),
                .init("fired", session.map { .instant(milliseconds: $0.firedMilliseconds) } ?? .null),
                .init("lateSeconds", session.map { .number($0.lateSeconds) } ?? .null),
                .init("snoozes", .number(session?.snoozeCount ?? 0)),
                .init("challenges", .array(challenges)),
                .init("with", .text(session?.endedWith?.alarm)), .init("unheard", .bool(isUnheard)),
                .init("firstMissed", .text(missed?.first)),
            ])
    }
}
