// Sessions and past rings as the journal has them.

import Alarms
import CivilTime

extension Session {
    /// What is known of it when it begins.
    var members: [JSON.Member] {
        occurrence.members + [
            .init("label", .string(terms.label)), .init("layer", .text(layer?.rawValue)),
            .init("alarm_since", .text(alarmSince)),
            .init("fired_ms", .number(firedMilliseconds)), .init("seed", .string(String(seed, radix: 16))),
            .init("ring", terms.ring.json), .init("snooze", terms.snooze.json),
            .init("challenges", .array(terms.challenges.map(\.json))), .init("test", .bool(terms.isTest)),
        ] + terms.memberOfSettings
    }

    init?(_ occurrence: Occurrence, reading fields: inout Fields) {
        guard let fired = fields.integer("fired_ms") else { return nil }
        let terms = Terms(
            label: fields.text("label") ?? "", ring: fields.object("ring") { RingSettings(reading: &$0) } ?? .init(),
            snooze: fields.object("snooze") { SnoozeSettings(reading: &$0) } ?? .init(),
            challenges: fields.challenges("challenges"), isTest: fields.bool("test") ?? false,
            snoozeBounds: fields.object("bounds") { Terms.bounds(reading: &$0) } ?? Settings().snoozeBounds,
            hasEmergencyExit: fields.bool("emergency") ?? true)
        self.init(
            occurrence, terms: terms, layer: fields.text("layer").flatMap(Layer.init),
            alarmSince: fields.instant("alarm_since"), firedMilliseconds: fired,
            seed: fields.text("seed").flatMap { UInt64($0, radix: 16) } ?? 0)
    }

    /// What has become of it since.
    var progressMembers: [JSON.Member] {
        var members: [JSON.Member] = [
            .init("done_ms", .array(doneMilliseconds.map { .number($0) })), .init("snoozes", .number(snoozeCount)),
            .init("rests", .number(restCount)),
        ]
        if let pause {
            members += [
                .init("pause", .string(pause.reason.rawValue)), .init("until_ms", .number(pause.untilMilliseconds)),
            ]
            if let milliseconds = pause.milliseconds { members.append(.init("pause_ms", .number(milliseconds))) }
        }
        return members
    }

    mutating func readProgress(_ fields: inout Fields) {
        doneMilliseconds = (fields.list("done_ms") ?? []).compactMap { json in
            if case .number(let digits) = json { Int(digits) } else { nil }
        }
        snoozeCount = fields.integer("snoozes") ?? 0
        restCount = fields.integer("rests") ?? 0
        if let reason = fields.text("pause").flatMap(Pause.Reason.init), let until = fields.integer("until_ms") {
            pause = Pause(reason: reason, untilMilliseconds: until, milliseconds: fields.integer("pause_ms"))
        }
    }
}

extension Terms {
    /// What differs from the settings that a device has at first.
    fileprivate var memberOfSettings: [JSON.Member] {
        var members: [JSON.Member] = []
        if snoozeBounds != Settings().snoozeBounds {
            members.append(
                .init(
                    "bounds",
                    .object([
                        .init("min", .number(snoozeBounds.lowerBound)), .init("max", .number(snoozeBounds.upperBound)),
                    ])))
        }
        if !hasEmergencyExit { members.append(.init("emergency", .bool(false))) }
        return members
    }

    fileprivate static func bounds(reading fields: inout Fields) -> ClosedRange<Int> {
        var settings = Settings()
        fields.integer("min").map { settings.snoozeSecondsMin = $0 }
        fields.integer("max").map { settings.snoozeSecondsMax = $0 }
        return settings.snoozeBounds
    }
}

extension PastRing {
    var members: [JSON.Member] {
        var members: [JSON.Member] = occurrence.members + [.init("label", .string(label))]
        if let session { members = session.members + session.progressMembers }
        members += [
            .init("ending", .string(ending.rawValue)), .init("ended_ms", .number(endedMilliseconds)),
            .init("first", .text(firstMissed)),
        ]
        if let lateWindowSeconds { members.append(.init("late", .number(lateWindowSeconds))) }
        if let switchedOff { members.append(.init("switches_off", .text(switchedOff))) }
        if isOrphan { members.append(.init("orphan", .bool(true))) }
        return members
    }

    init?(reading fields: inout Fields) {
        guard let occurrence = Occurrence(reading: &fields), let ending = fields.text("ending").flatMap(Ending.init),
            let ended = fields.integer("ended_ms")
        else { return nil }
        let first = fields.instant("first")
        if ending == .missed {
            self.init(
                occurrence: occurrence, label: fields.text("label") ?? "", ending: ending, endedMilliseconds: ended,
                session: nil, firstMissed: first, lateWindowSeconds: fields.integer("late"),
                switchedOff: fields.instant("switches_off"))
        } else {
            guard var session = Session(occurrence, reading: &fields) else { return nil }
            session.readProgress(&fields)
            self.init(
                occurrence: occurrence, label: session.terms.label, ending: ending, endedMilliseconds: ended,
                session: session)
        }
        isOrphan = fields.bool("orphan") ?? false
    }
}
