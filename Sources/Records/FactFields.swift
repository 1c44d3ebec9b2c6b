// The encoding of facts in the journal: JSON that a person can read, and that every later version must
// decode.

import Agenda
import Alarms
import CivilTime
import Engine
import JSON
import Journal

extension Fact {
    package var kind: FactKind { fields.kind }

    package var payload: [UInt8] { encoded.payload }

    /// The fact's kind and its payload, encoded once.
    package var encoded: (kind: FactKind, payload: [UInt8]) {
        let (kind, members) = fields
        return (kind, JSON.object(members).utf8)
    }

    var fields: (kind: FactKind, members: [JSON.Member]) {
        switch self {
        case .alarmSaved(let alarm, let position): (.alarmSaved, [.init("alarm", alarm)] + position.members)
        case .planMoved(let id, let position): (.planMoved, [.init("alarm", id)] + position.members)
        case .alarmKept(let alarm, let position, let rung):
            (.alarmKept, [.init("alarm", alarm)] + position.members + [.init("rung", rung)])
        case .alarmDeleted(let id, let label):
            (.alarmDeleted, [.init("alarm", id)] + (label.isEmpty ? [] : [.init("label", label)]))
        case .settingsSaved(let settings): (.settingsSaved, [.init("settings", settings)])
        case .calendarSaved(let name, let calendar):
            (.calendarSaved, [.init("name", name), .init("calendar", calendar)])
        case .calendarDeleted(let name): (.calendarDeleted, [.init("name", name)])
        case .codeEnrolled(let code): (.codeEnrolled, code.members)
        case .codeForgotten(let label): (.codeForgotten, [.init("label", label)])
        case .codeKeyAdded(let key): (.codeKeyAdded, [.init("key", key.text)])
        case .planned(let occurrence, let layer): (.planned, occurrence.members + [.init("layer", layer.rawValue)])
        case .fired(let session): (.fired, session.members)
        case .audioStarted(let occurrence, let route, let latency):
            (
                .audioStarted,
                occurrence.members + [.init("route", route)] + (latency.map { [.init("latency_ms", $0)] } ?? [])
            )
        case .audioFailed(let occurrence, let route, let reason):
            (.audioFailed, occurrence.members + [.init("route", route), .init("reason", reason)])
        case .shakerStarted(let occurrence): (.shakerStarted, occurrence.members)
        case .scanRefused(let occurrence, let byteCount):
            (.scanRefused, occurrence.members + [.init("bytes", byteCount)])
        case .challengeDone(let occurrence, let index, let replacement):
            (
                .challengeDone,
                occurrence.members + [.init("index", index)] + (replacement.map { [.init("replaced_by", $0)] } ?? [])
            )
        case .sumSolved(let occurrence, let index, let count):
            (.sumSolved, occurrence.members + [.init("index", index), .init("count", count)])
        case .lockedOut(let occurrence, let until): (.lockedOut, occurrence.members + [.init("until_ms", until)])
        case .snoozed(let occurrence, let count, let until):
            (.snoozed, occurrence.members + [.init("count", count), .init("until_ms", until)])
        case .rested(let occurrence, let count, let until):
            (.rested, occurrence.members + [.init("count", count), .init("until_ms", until)])
        case .checkBegan(let occurrence, let count, let until):
            (.checkBegan, occurrence.members + [.init("count", count), .init("until_ms", until)])
        case .checkFailed(let occurrence): (.checkFailed, occurrence.members)
        case .stopRefused(let occurrence, let sender): (.stopRefused, occurrence.members + sender.members)
        case .ended(let occurrence, let ending, let sender, let other, let revision):
            (
                ending.kind,
                occurrence.members + (sender?.members ?? [.init("by", JSON.null)])
                    + (other.map { [.init("with", $0)] } ?? [])
                    + (revision.map { [.init("switches_off", $0)] } ?? [])
            )
        case .missed(let missed): (.missed, missed.members)
        case .resumed(let occurrence): (.resumed, occurrence.members)
        case .snoozeTakenBack(let occurrence): (.snoozeTakenBack, occurrence.members)
        case .postponed(let id, let postponed, let endsSession, let sender):
            (
                .postponed,
                [.init("alarm", id)] + postponed.members
                    + (endsSession ? [.init("ends_session", true)] : [])
                    + (sender?.members ?? [])
            )
        case .postponementEnded(let occurrence): (.postponementEnded, occurrence.members)
        case .done(let occurrence, let ahead, let sender):
            (.done, occurrence.members + (ahead.map { [.init("ahead", $0)] } ?? []) + sender.members)
        case .noticeGiven(let ring, let seconds): (.noticeGiven, ring.members + [.init("seconds", seconds)])
        case .bedtimeGiven(let at): (.bedtimeGiven, [.init("at", at)])
        case .inBed(let milliseconds, let sender): (.inBed, [.init("at_ms", milliseconds)] + sender.members)
        case .clientAdded(let client): (.clientAdded, client.members)
        case .clientForgotten(let id, let name): (.clientForgotten, [.init("id", id), .init("name", name)])
        case .clientSeen(let id, let day): (.clientSeen, [.init("id", id), .init("day", day)])
        case .lockBegan(let occurrence): (.lockBegan, occurrence.members)
        case .clockStepped(let from, let to): (.clockStepped, [.init("from_ms", from), .init("to_ms", to)])
        case .clockTrusted(let isTrusted): (.clockTrusted, [.init("trusted", isTrusted)])
        case .zoneChanged(let name): (.zoneChanged, [.init("zone", name)])
        case .healthChanged(let part, let health):
            (.healthChanged, [.init("part", part.rawValue)] + health.members)
        case .noted(let occurrence, let note, let sender):
            (.noted, occurrence.members + note.members + (sender?.members ?? []))
        case .historyCleared(let before, let sender):
            (.historyCleared, [.init("before_ms", before)] + sender.members)
        case .partRemoved(let part): (.partRemoved, [.init("part", part.rawValue)])
        case .pastKept(let past): (.pastKept, past.members)
        case .eventKept(let event): (.eventKept, event.members)
        }
    }

    /// Decodes a record; nil if the kind is unknown, or the payload lacks a required member.
    package init?(kind number: UInt16, payload: [UInt8]) {
        do {
            guard case .object(let members) = try JSON(parsing: payload) else { return nil }
            self.init(kind: number, members)
        } catch {
            // The path of the mistake does not matter, because the record does not become a fact.
            return nil
        }
    }

    init?(kind number: UInt16, _ members: [JSON.Member]) {
        guard let kind = FactKind(rawValue: number) else { return nil }
        do {
            var fields = Fields(members)
            self = try Fact.read(kind, &fields)
            guard fields.isSound else { return nil }
        } catch {
            return nil
        }
    }

    private static func read(_ kind: FactKind, _ fields: inout Fields) throws(Incomplete) -> Fact {
        func value<Value: JSONCoded>(_ name: String) throws(Incomplete) -> Value { try needed(fields.value(name)) }
        func choice<Value: RawRepresentable<String>>(_ name: String) throws(Incomplete) -> Value {
            try needed(fields.choice(name))
        }
        func all<Value: ObjectCoded>() throws(Incomplete) -> Value { try needed(Value(reading: &fields)) }
        // An alarm's problems do not matter, because the alarm was accepted when it was saved.
        func alarm() throws(Incomplete) -> Alarm {
            guard case .object(let members)? = fields.value("alarm") as JSON? else { throw Incomplete() }
            return Alarm.read(members).value
        }
        return switch kind {
        case .alarmSaved: try .alarmSaved(alarm(), all())
        case .planMoved: try .planMoved(value("alarm"), all())
        case .alarmKept: try .alarmKept(alarm(), all(), rung: fields.value("rung") ?? [])
        case .alarmDeleted: try .alarmDeleted(value("alarm"), label: fields.value("label") ?? "")
        case .settingsSaved: try .settingsSaved(value("settings"))
        case .calendarSaved: try .calendarSaved(value("name"), value("calendar"))
        case .calendarDeleted: try .calendarDeleted(value("name"))
        case .codeEnrolled:
            try .codeEnrolled(
                EnrolledCode(
                    label: value("label"), kind: choice("kind"), digest: CodeDigest(value("digest")),
                    symbology: fields.value("symbology") ?? EnrolledCode.usualSymbology))
        case .codeForgotten: try .codeForgotten(label: value("label"))
        case .codeKeyAdded: try .codeKeyAdded(CodeKey(value("key")))
        case .planned: try .planned(all(), choice("layer"))
        case .fired: try .fired(all())
        case .audioStarted:
            try .audioStarted(
                all(), route: fields.value("route") ?? "", latencyMilliseconds: fields.value("latency_ms"))
        case .audioFailed:
            try .audioFailed(all(), route: fields.value("route") ?? "", reason: fields.value("reason") ?? "")
        case .shakerStarted: try .shakerStarted(all())
        case .scanRefused: try .scanRefused(all(), byteCount: fields.value("bytes") ?? 0)
        case .challengeDone:
            try .challengeDone(all(), index: value("index"), replacedBy: fields.value("replaced_by"))
        case .sumSolved: try .sumSolved(all(), index: value("index"), count: value("count"))
        case .lockedOut: try .lockedOut(all(), untilMilliseconds: value("until_ms"))
        case .snoozed: try .snoozed(all(), count: value("count"), untilMilliseconds: value("until_ms"))
        case .rested: try .rested(all(), count: value("count"), untilMilliseconds: value("until_ms"))
        case .checkBegan: try .checkBegan(all(), count: value("count"), untilMilliseconds: value("until_ms"))
        case .checkFailed: try .checkFailed(all())
        case .stopRefused: try .stopRefused(all(), by: all())
        case .dismissed, .unanswered, .emergency, .cancelled:
            try .ended(
                all(), needed(Ending(rawValue: kind.name)), by: Sender(reading: &fields), with: fields.value("with"),
                switchesOff: fields.value("switches_off"))
        case .missed: try .missed(all())
        case .resumed: try .resumed(all())
        case .snoozeTakenBack: try .snoozeTakenBack(all())
        case .postponed:
            try .postponed(
                value("alarm"), all(), endsSession: fields.value("ends_session") ?? false, by: Sender(reading: &fields))
        case .postponementEnded: try .postponementEnded(all())
        case .done: try .done(all(), fields.value("ahead"), by: all())
        case .noticeGiven: try .noticeGiven(all(), seconds: value("seconds"))
        case .bedtimeGiven: try .bedtimeGiven(value("at"))
        case .inBed: try .inBed(atMilliseconds: value("at_ms"), by: all())
        case .clientAdded: try .clientAdded(all())
        case .clientForgotten: try .clientForgotten(value("id"), name: value("name"))
        case .clientSeen: try .clientSeen(value("id"), value("day"))
        case .lockBegan: try .lockBegan(all())
        case .clockStepped: try .clockStepped(from: value("from_ms"), to: value("to_ms"))
        case .clockTrusted: try .clockTrusted(value("trusted"))
        case .zoneChanged: try .zoneChanged(value("zone"))
        case .healthChanged: try .healthChanged(choice("part"), all())
        case .noted: try .noted(all(), all(), by: Sender(reading: &fields))
        case .historyCleared: try .historyCleared(before: value("before_ms"), by: all())
        case .partRemoved: try .partRemoved(choice("part"))
        case .pastKept: try .pastKept(all())
        case .eventKept: try .eventKept(all())
        }
    }
}

private struct Incomplete: Error {}

private func needed<Value>(_ value: Value?) throws(Incomplete) -> Value {
    guard let value else { throw Incomplete() }
    return value
}

extension Occurrence: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let alarm: String = fields.value("alarm"), let at: Instant = fields.value("at") else { return nil }
        self.init(alarm: alarm, at: at)
    }

    package var members: [JSON.Member] { [.init("alarm", alarm), .init("at", at)] }
}

extension ScheduleState: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let revision: Int = fields.value("revision"), let cursor: Instant = fields.value("cursor") else {
            return nil
        }
        self.init(
            revision: revision, cursor: cursor, anchor: fields.value("anchor"),
            isProvisional: fields.value("provisional") ?? false)
    }

    package var members: [JSON.Member] {
        [.init("revision", revision), .init("cursor", cursor)]
            + (isProvisional ? [.init("provisional", true)] : []) + (anchor.map { [.init("anchor", $0)] } ?? [])
    }
}

extension Anchor: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let date: CivilDate = fields.value("date"), let at: Instant = fields.value("at"),
            let source: Source = fields.choice("source")
        else { return nil }
        self.init(date, at: at, source: source, isSecondInFold: fields.value("second") ?? false)
        handledAt = fields.value("handled_at")
    }

    package var members: [JSON.Member] {
        [.init("date", date), .init("at", at), .init("source", source.rawValue)]
            + (isSecondInFold ? [.init("second", true)] : []) + (handledAt.map { [.init("handled_at", $0)] } ?? [])
    }
}

extension DoneAhead: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let revision: Int = fields.value("revision") else { return nil }
        self.init(
            label: fields.value("label") ?? "", note: fields.value("note") ?? "",
            category: fields.value("category") ?? "", revision: revision,
            switchesOff: fields.value("switches_off") ?? false)
    }

    package var members: [JSON.Member] {
        [.init("label", label), .init("revision", revision), .init("switches_off", switchesOff)]
            + JSON.Member.texts(note: note, category: category)
    }
}

extension PostponedRing: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let ring: Instant = fields.value("at"), let until: Instant = fields.value("until"),
            let layer: Layer = fields.choice("layer")
        else { return nil }
        self.init(ring: ring, until: until, layer: layer)
    }

    package var members: [JSON.Member] {
        [.init("at", ring), .init("until", until), .init("layer", layer.rawValue)]
    }
}

extension MissedRings: ObjectCoded {
    package init?(reading fields: inout Fields) {
        guard let occurrence = Occurrence(reading: &fields), let first: Instant = fields.value("first"),
            let late: Int = fields.value("late"), let revision: Int = fields.value("revision")
        else { return nil }
        self.init(
            occurrence: occurrence, first: first, label: fields.value("label") ?? "", lateWindowSeconds: late,
            revision: revision, switchesOff: fields.value("switches_off") ?? false)
        if let reason: Reason = fields.choice("reason") { self.reason = reason }
        (note, category) = (fields.value("note") ?? "", fields.value("category") ?? "")
        postponedLayer = fields.choice("postponed_layer")
    }

    package var members: [JSON.Member] {
        occurrence.members + [
            .init("first", first), .init("label", label), .init("late", lateWindowSeconds),
            .init("revision", revision), .init("switches_off", switchesOff),
        ] + (reason == .tooLate ? [] : [.init("reason", reason.rawValue)])
            + JSON.Member.texts(note: note, category: category)
            + (postponedLayer.map { [.init("postponed_layer", $0.rawValue)] } ?? [])
    }
}

extension Entry {
    /// Decodes a record; nil if this version does not support it.
    package init?(_ record: Record) {
        guard let fact = Fact(kind: record.kind.rawValue, payload: record.payload) else { return nil }
        self.init(millisecondsSince1970: Int(record.millisecondsSince1970), fact)
    }
}

extension NewRecord {
    /// Copies a record unchanged, to be written again.
    package init(_ record: Record) {
        self.init(record.kind, millisecondsSince1970: record.millisecondsSince1970, payload: record.payload)
    }

    package init(_ entry: Entry) {
        let (kind, payload) = entry.fact.encoded
        self.init(
            RecordKind(rawValue: kind.rawValue), millisecondsSince1970: Int64(entry.millisecondsSince1970),
            payload: payload)
    }
}
