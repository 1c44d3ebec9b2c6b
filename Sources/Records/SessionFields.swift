// The encoding of sessions and past rings in the journal.

import Agenda
import Alarms
import Engine
import JSON

extension Session: ObjectCoded {
    package var members: [JSON.Member] {
        var members: [JSON.Member] = occurrence.members
        members += [
            .init("label", terms.label), .init("layer", layer?.rawValue), .init("revision", revision),
            .init("fired_ms", firedMilliseconds), .init("seed", String(seed, radix: 16)), .init("ring", terms.ring),
            .init("snooze", terms.snooze), .init("snooze_min", terms.snoozeBounds.lowerBound),
            .init("snooze_max", terms.snoozeBounds.upperBound), .init("challenges", terms.challenges),
            .init("test", terms.isTest), .init("emergency", terms.hasEmergencyExit),
        ]
        if !terms.escalation.isEmpty { members.append(.init("escalate", terms.escalation)) }
        if let check = terms.wakeUpCheck { members.append(.init("check", check)) }
        return members + JSON.Member.texts(note: terms.note, category: terms.category) + progressMembers
    }

    /// The members of a session's progress that differ from a new session's.
    private var progressMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        if !doneMilliseconds.isEmpty { members.append(.init("done_ms", doneMilliseconds)) }
        if snoozeCount > 0 { members.append(.init("snoozes", snoozeCount)) }
        if !snoozedMilliseconds.isEmpty { members.append(.init("snoozed_ms", snoozedMilliseconds)) }
        if checkCount > 0 { members.append(.init("checks", checkCount)) }
        if failedCheckCount > 0 { members.append(.init("failed_checks", failedCheckCount)) }
        if restCount > 0 { members.append(.init("rests", restCount)) }
        if isHeard { members.append(.init("heard", true)) }
        if terms.lightSeconds > 0 { members.append(.init("light", terms.lightSeconds)) }
        if let inBedMilliseconds { members.append(.init("in_bed_ms", inBedMilliseconds)) }
        if isShaken { members.append(.init("shaken", true)) }
        if solvedSumCount > 0 { members.append(.init("solved", solvedSumCount)) }
        if lockedOutUntilMilliseconds > 0 {
            members.append(.init("locked_out_until_ms", lockedOutUntilMilliseconds))
        }
        if terms.allowsPostponing { members.append(.init("postpone", true)) }
        if let postponedTo { members.append(.init("postponed_to", postponedTo)) }
        if let endedWith { members.append(.init("with", endedWith)) }
        if let endedBy { members += endedBy.members }
        if !replacements.isEmpty {
            members.append(.init("replaced_by", doneMilliseconds.indices.map { replacements[$0] }))
        }
        return members
    }

    package init?(reading fields: inout Fields) {
        guard let occurrence = Occurrence(reading: &fields), let fired: Int = fields.value("fired_ms"),
            let least: Int = fields.value("snooze_min"), let most: Int = fields.value("snooze_max"), least <= most
        else { return nil }
        var terms = Terms(
            label: fields.value("label") ?? "", ring: fields.value("ring") ?? .init(),
            snooze: fields.value("snooze") ?? .init(), challenges: fields.value("challenges") ?? [],
            isTest: fields.value("test") ?? false, snoozeBounds: least...most,
            hasEmergencyExit: fields.value("emergency") ?? true)
        (terms.escalation, terms.allowsPostponing) = (
            fields.value("escalate") ?? [], fields.value("postpone") ?? false
        )
        terms.lightSeconds = fields.value("light") ?? 0
        terms.wakeUpCheck = fields.value("check")
        (terms.note, terms.category) = (fields.value("note") ?? "", fields.value("category") ?? "")
        self.init(
            occurrence: occurrence, terms: terms, layer: fields.choice("layer"), revision: fields.value("revision"),
            postponedTo: fields.value("postponed_to"), firedMilliseconds: fired,
            seed: (fields.value("seed") as String?).flatMap { UInt64($0, radix: 16) } ?? 0)
        doneMilliseconds = fields.value("done_ms") ?? []
        snoozeCount = fields.value("snoozes") ?? 0
        snoozedMilliseconds = fields.value("snoozed_ms") ?? []
        restCount = fields.value("rests") ?? 0
        checkCount = fields.value("checks") ?? 0
        failedCheckCount = fields.value("failed_checks") ?? 0
        isHeard = fields.value("heard") ?? false
        inBedMilliseconds = fields.value("in_bed_ms")
        isShaken = fields.value("shaken") ?? false
        endedWith = fields.value("with")
        endedBy = Sender(reading: &fields)
        for (index, challenge) in ((fields.value("replaced_by") ?? []) as [Challenge?]).enumerated() {
            replacements[index] = challenge
        }
        solvedSumCount = fields.value("solved") ?? 0
        lockedOutUntilMilliseconds = fields.value("locked_out_until_ms") ?? 0
    }
}

extension JSON.Member {
    /// Returns the members of the texts that are not empty.
    static func texts(note: String, category: String) -> [JSON.Member] {
        [("note", note), ("category", category)].filter { !$1.isEmpty }.map { JSON.Member($0, $1) }
    }
}

extension DoneMark: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let milliseconds: Int = fields.value("ms"), let sender = Sender(reading: &fields) else { return nil }
        self.init(milliseconds, by: sender)
    }

    package var members: [JSON.Member] { [.init("ms", milliseconds)] + sender.members }
}

extension PastRing: ObjectCoded {
    package var members: [JSON.Member] {
        (missed?.members ?? session?.members ?? occurrence.members) + (ahead.map { [.init("ahead", $0)] } ?? [])
            + [.init("ending", ending.rawValue), .init("ended_ms", endedMilliseconds)]
            + (done.map { [.init("done", $0)] } ?? [])
    }

    package init?(reading fields: inout Fields) {
        guard let ending: Ending = fields.choice("ending"), let ended: Int = fields.value("ended_ms") else {
            return nil
        }
        let done: DoneMark? = fields.value("done")
        if let done, let ahead: DoneAhead = fields.value("ahead") {
            guard let occurrence = Occurrence(reading: &fields) else { return nil }
            self.init(occurrence, ahead, done)
        } else if ending == .missed {
            guard let missed = MissedRings(reading: &fields) else { return nil }
            self.init(missed, endedMilliseconds: ended)
        } else {
            guard let session = Session(reading: &fields) else { return nil }
            self.init(session, ending, endedMilliseconds: ended)
        }
        self.done = done
    }
}
