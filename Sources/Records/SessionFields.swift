// Sessions and past rings as the journal has them.

import Alarms
import Engine
import JSON

extension Session {
    var members: [JSON.Member] {
        occurrence.members + [
            .init("label", .string(terms.label)), .init("layer", .text(layer?.rawValue)),
            .init("revision", revision.map { .number($0) } ?? .null),
            .init("fired_ms", .number(firedMilliseconds)), .init("seed", .string(String(seed, radix: 16))),
            .init("ring", terms.ring.json), .init("snooze", terms.snooze.json),
            .init("snooze_min", .number(terms.snoozeBounds.lowerBound)),
            .init("snooze_max", .number(terms.snoozeBounds.upperBound)),
            .init("challenges", .array(terms.challenges.map(\.json))), .init("test", .bool(terms.isTest)),
            .init("emergency", .bool(terms.hasEmergencyExit)),
        ] + progressMembers
    }

    /// The members of a session's progress that differ from a new session's.
    private var progressMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        func add(_ name: String, _ value: JSON, if isThere: Bool) {
            if isThere { members.append(.init(name, value)) }
        }
        add("done_ms", .array(doneMilliseconds.map { .number($0) }), if: !doneMilliseconds.isEmpty)
        add("snoozes", .number(snoozeCount), if: snoozeCount > 0)
        add("rests", .number(restCount), if: restCount > 0)
        add("heard", .bool(true), if: isHeard)
        add("solved", .number(solvedSumCount), if: solvedSumCount > 0)
        add("locked_out_until_ms", .number(lockedOutUntilMilliseconds), if: lockedOutUntilMilliseconds > 0)
        if let endedWith { members.append(.init("with", .object(endedWith.members))) }
        return members
    }

    init?(reading fields: inout Fields) {
        guard let occurrence = Occurrence(reading: &fields), let fired = fields.integer("fired_ms"),
            let least = fields.integer("snooze_min"), let most = fields.integer("snooze_max"), least <= most
        else { return nil }
        let terms = Terms(
            label: fields.text("label") ?? "", ring: fields.object("ring") { RingSettings(reading: &$0) } ?? .init(),
            snooze: fields.object("snooze") { SnoozeSettings(reading: &$0) } ?? .init(),
            challenges: fields.challenges("challenges"), isTest: fields.bool("test") ?? false,
            snoozeBounds: least...most, hasEmergencyExit: fields.bool("emergency") ?? true)
        self.init(
            occurrence: occurrence, terms: terms, layer: fields.text("layer").flatMap(Layer.init),
            revision: fields.integer("revision"), firedMilliseconds: fired,
            seed: fields.text("seed").flatMap { UInt64($0, radix: 16) } ?? 0)
        doneMilliseconds = (fields.list("done_ms") ?? []).compactMap { json in
            if case .number(let digits) = json { Int(digits) } else { nil }
        }
        snoozeCount = fields.integer("snoozes") ?? 0
        restCount = fields.integer("rests") ?? 0
        isHeard = fields.bool("heard") ?? false
        endedWith = fields.object("with") { Occurrence(reading: &$0) } ?? nil
        solvedSumCount = fields.integer("solved") ?? 0
        lockedOutUntilMilliseconds = fields.integer("locked_out_until_ms") ?? 0
    }
}

extension PastRing {
    var members: [JSON.Member] {
        (missed?.members ?? session?.members ?? []) + [
            .init("ending", .string(ending.rawValue)), .init("ended_ms", .number(endedMilliseconds)),
        ]
    }

    init?(reading fields: inout Fields) {
        guard let ending = fields.text("ending").flatMap(Ending.init), let ended = fields.integer("ended_ms")
        else { return nil }
        if ending == .missed {
            guard let missed = MissedRings(reading: &fields) else { return nil }
            self.init(missed, endedMilliseconds: ended)
        } else {
            guard let session = Session(reading: &fields) else { return nil }
            self.init(session, ending, endedMilliseconds: ended)
        }
    }
}
