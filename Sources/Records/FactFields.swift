// The facts as the journal has them: JSON that a person can read, and that later versions must be able to read.

import Alarms
import CivilTime
import Engine
import JSON
import Journal

extension Fact {
    package var kind: FactKind { fields.kind }

    package var payload: [UInt8] { encoded.payload }

    /// Its kind and its payload, encoded once.
    package var encoded: (kind: FactKind, payload: [UInt8]) {
        let (kind, members) = fields
        return (kind, JSON.object(members).utf8)
    }

    private var fields: (kind: FactKind, members: [JSON.Member]) {
        switch self {
        case .alarmSaved(let alarm, let position): (.alarmSaved, [.init("alarm", alarm.json)] + position.members)
        case .planMoved(let id, let position): (.planMoved, [.init("alarm", .string(id))] + position.members)
        case .alarmKept(let alarm, let position, let rung):
            (
                .alarmKept,
                [.init("alarm", alarm.json)] + position.members + [.init("rung", .array(rung.map { .text($0) }))]
            )
        case .alarmDeleted(let id): (.alarmDeleted, [.init("alarm", .string(id))])
        case .settingsSaved(let settings): (.settingsSaved, [.init("settings", settings.json)])
        case .calendarSaved(let name, let calendar):
            (.calendarSaved, [.init("name", .string(name)), .init("calendar", calendar.json)])
        case .calendarDeleted(let name): (.calendarDeleted, [.init("name", .string(name))])
        case .codeEnrolled(let code): (.codeEnrolled, code.members)
        case .codeForgotten(let label): (.codeForgotten, [.init("label", .string(label))])
        case .codeKeyAdded(let key): (.codeKeyAdded, [.init("key", .string(key.text))])
        case .planned(let occurrence, let layer):
            (.planned, occurrence.members + [.init("layer", .string(layer.rawValue))])
        case .fired(let session): (.fired, session.members)
        case .audioStarted(let occurrence, let route, let latency):
            (
                .audioStarted,
                occurrence.members + [.init("route", .string(route))]
                    + (latency.map { [.init("latency_ms", .number($0))] } ?? [])
            )
        case .audioFailed(let occurrence, let route, let reason):
            (.audioFailed, occurrence.members + [.init("route", .string(route)), .init("reason", .string(reason))])
        case .scanRefused(let occurrence, let byteCount):
            (.scanRefused, occurrence.members + [.init("bytes", .number(byteCount))])
        case .challengeDone(let occurrence, let index):
            (.challengeDone, occurrence.members + [.init("index", .number(index))])
        case .sumSolved(let occurrence, let index, let count):
            (.sumSolved, occurrence.members + [.init("index", .number(index)), .init("count", .number(count))])
        case .lockedOut(let occurrence, let until):
            (.lockedOut, occurrence.members + [.init("until_ms", .number(until))])
        case .snoozed(let occurrence, let count, let until):
            (.snoozed, occurrence.members + [.init("count", .number(count)), .init("until_ms", .number(until))])
        case .rested(let occurrence, let count, let until):
            (.rested, occurrence.members + [.init("count", .number(count)), .init("until_ms", .number(until))])
        case .stopRefused(let occurrence, let origin):
            (.stopRefused, occurrence.members + [.init("by", .string(origin.rawValue))])
        case .ended(let occurrence, let ending, let origin, let other, let revision):
            (
                ending.kind,
                occurrence.members + [.init("by", .text(origin?.rawValue))]
                    + (other.map { [.init("with", .object($0.members))] } ?? [])
                    + (revision.map { [.init("switches_off", .number($0))] } ?? [])
            )
        case .missed(let missed): (.missed, missed.members)
        case .resumed(let occurrence): (.resumed, occurrence.members)
        case .lockBegan(let occurrence): (.lockBegan, occurrence.members)
        case .clockStepped(let from, let to):
            (.clockStepped, [.init("from_ms", .number(from)), .init("to_ms", .number(to))])
        case .clockTrusted(let isTrusted): (.clockTrusted, [.init("trusted", .bool(isTrusted))])
        case .zoneChanged(let name): (.zoneChanged, [.init("zone", .string(name))])
        case .healthChanged(let part, let health):
            (.healthChanged, [.init("part", .string(part.rawValue))] + health.members)
        case .pastKept(let past): (.pastKept, past.members)
        }
    }

    /// Decodes a record; nil for an unknown kind, and for a payload without a member that it needs.
    package init?(kind number: UInt16, payload: [UInt8]) {
        guard let kind = FactKind(rawValue: number) else { return nil }
        do {
            guard case .object(let members) = try JSON(parsing: payload) else { return nil }
            var fields = Fields(members, at: "")
            self = try Fact.read(kind, &fields)
            guard fields.isSound else { return nil }
        } catch {
            // Where the mistake is does not matter: the record is no fact.
            return nil
        }
    }

    private static func read(_ kind: FactKind, _ fields: inout Fields) throws(Incomplete) -> Fact {
        func text(_ name: String) throws(Incomplete) -> String { try needed(fields.text(name)) }
        func integer(_ name: String) throws(Incomplete) -> Int { try needed(fields.integer(name)) }
        func alarm() throws(Incomplete) -> Alarm {
            try Alarm.read(needed(fields.object("alarm") { $0.takeAll() })).alarm
        }
        func position() throws(Incomplete) -> ScheduleState { try needed(ScheduleState(reading: &fields)) }
        func occurrence() throws(Incomplete) -> Occurrence { try needed(Occurrence(reading: &fields)) }
        return switch kind {
        case .alarmSaved: try .alarmSaved(alarm(), position())
        case .planMoved: try .planMoved(text("alarm"), position())
        case .alarmKept: try .alarmKept(alarm(), position(), rung: fields.instants("rung"))
        case .alarmDeleted: try .alarmDeleted(text("alarm"))
        case .settingsSaved: try .settingsSaved(needed(fields.object("settings") { Settings(reading: &$0) }))
        case .calendarSaved:
            try .calendarSaved(text("name"), needed(fields.object("calendar") { DayCalendar(reading: &$0) }))
        case .calendarDeleted: try .calendarDeleted(text("name"))
        case .codeEnrolled:
            try .codeEnrolled(
                EnrolledCode(
                    label: text("label"), kind: needed(Challenge.Kind(rawValue: text("kind"))),
                    digest: CodeDigest(text("digest")),
                    symbology: fields.text("symbology") ?? EnrolledCode.usualSymbology))
        case .codeForgotten: try .codeForgotten(label: text("label"))
        case .codeKeyAdded: try .codeKeyAdded(CodeKey(text("key")))
        case .planned: try .planned(occurrence(), needed(Layer(rawValue: text("layer"))))
        case .fired: try .fired(needed(Session(reading: &fields)))
        case .audioStarted:
            try .audioStarted(
                occurrence(), route: fields.text("route") ?? "", latencyMilliseconds: fields.integer("latency_ms"))
        case .audioFailed:
            try .audioFailed(occurrence(), route: fields.text("route") ?? "", reason: fields.text("reason") ?? "")
        case .scanRefused: try .scanRefused(occurrence(), byteCount: fields.integer("bytes") ?? 0)
        case .challengeDone: try .challengeDone(occurrence(), index: integer("index"))
        case .sumSolved: try .sumSolved(occurrence(), index: integer("index"), count: integer("count"))
        case .lockedOut: try .lockedOut(occurrence(), untilMilliseconds: integer("until_ms"))
        case .snoozed: try .snoozed(occurrence(), count: integer("count"), untilMilliseconds: integer("until_ms"))
        case .rested: try .rested(occurrence(), count: integer("count"), untilMilliseconds: integer("until_ms"))
        case .stopRefused: try .stopRefused(occurrence(), by: needed(Origin(rawValue: text("by"))))
        case .dismissed, .unanswered, .emergency, .cancelled:
            try .ended(
                occurrence(), needed(Ending(rawValue: kind.name)), by: fields.text("by").flatMap(Origin.init),
                with: fields.object("with") { Occurrence(reading: &$0) } ?? nil,
                switchesOff: fields.integer("switches_off"))
        case .missed: try .missed(needed(MissedRings(reading: &fields)))
        case .resumed: try .resumed(occurrence())
        case .lockBegan: try .lockBegan(occurrence())
        case .clockStepped: try .clockStepped(from: integer("from_ms"), to: integer("to_ms"))
        case .clockTrusted: try .clockTrusted(needed(fields.bool("trusted")))
        case .zoneChanged: try .zoneChanged(text("zone"))
        case .healthChanged:
            try .healthChanged(
                needed(Part(rawValue: text("part"))), needed(Health(reading: &fields)))
        case .pastKept: try .pastKept(needed(PastRing(reading: &fields)))
        }
    }
}

private struct Incomplete: Error {}

private func needed<Value>(_ value: Value?) throws(Incomplete) -> Value {
    guard let value else { throw Incomplete() }
    return value
}

extension Fields {
    mutating func instant(_ name: String) -> Instant? {
        text(name).flatMap { Instant($0, rounding: .down) }
    }

    fileprivate mutating func instants(_ name: String) -> [Instant] {
        (list(name) ?? []).compactMap { json in
            if case .string(let text) = json { Instant(text, rounding: .down) } else { nil }
        }
    }
}

extension Occurrence {
    var members: [JSON.Member] { [.init("alarm", .string(alarm)), .init("at", .text(at))] }

    init?(reading fields: inout Fields) {
        guard let alarm = fields.text("alarm"), let at = fields.instant("at") else { return nil }
        self.init(alarm: alarm, at: at)
    }
}

extension ScheduleState {
    fileprivate var members: [JSON.Member] {
        [.init("revision", .number(revision)), .init("cursor", .text(cursor))]
            + (isProvisional ? [.init("provisional", .bool(true))] : [])
            + (anchor.map { [.init("anchor", .object($0.members))] } ?? [])
    }

    fileprivate init?(reading fields: inout Fields) {
        guard let revision = fields.integer("revision"), let cursor = fields.instant("cursor") else { return nil }
        self.init(
            revision: revision, cursor: cursor, anchor: fields.object("anchor") { Anchor(reading: &$0) } ?? nil,
            isProvisional: fields.bool("provisional") ?? false)
    }
}

extension Anchor {
    fileprivate var members: [JSON.Member] {
        [.init("date", .text(date)), .init("at", .text(at)), .init("source", .string(source.rawValue))]
            + (isSecondInFold ? [.init("second", .bool(true))] : [])
            + (handledAt.map { [.init("turn", .text($0))] } ?? [])
    }

    fileprivate init?(reading fields: inout Fields) {
        guard let date = fields.text("date").flatMap(CivilDate.init), let at = fields.instant("at"),
            let source = fields.text("source").flatMap(Source.init)
        else { return nil }
        self.init(date, at: at, source: source, isSecondInFold: fields.bool("second") ?? false)
        handledAt = fields.instant("turn")
    }
}

extension MissedRings {
    var members: [JSON.Member] {
        occurrence.members + [
            .init("first", .text(first)), .init("label", .string(label)), .init("late", .number(lateWindowSeconds)),
            .init("revision", .number(revision)), .init("switches_off", .bool(switchesOff)),
        ]
    }

    init?(reading fields: inout Fields) {
        guard let occurrence = Occurrence(reading: &fields), let first = fields.instant("first"),
            let late = fields.integer("late"), let revision = fields.integer("revision")
        else { return nil }
        self.init(
            occurrence: occurrence, first: first, label: fields.text("label") ?? "", lateWindowSeconds: late,
            revision: revision, switchesOff: fields.bool("switches_off") ?? false)
    }
}

extension Entry {
    /// Decodes a record; nil where this version does not understand it.
    package init?(_ record: Record) {
        guard let fact = Fact(kind: record.kind.rawValue, payload: record.payload) else { return nil }
        self.init(millisecondsSince1970: Int(record.millisecondsSince1970), fact)
    }
}

extension NewRecord {
    /// A record that is written again as it is.
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
