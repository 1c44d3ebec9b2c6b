// Facts as the journal has them: JSON that a person can read, and that later versions must be able to read.

import Alarms
import CivilTime

extension Fact {
    /// What the journal keeps beside the kind.
    public var payload: [UInt8] { Array(JSON.object(members).description.utf8) }

    private var members: [JSON.Member] {
        switch self {
        case .alarmSaved(let alarm, let position): [.init("alarm", alarm.json)] + position.members
        case .planMoved(let id, let position): [.init("alarm", .string(id))] + position.members
        case .alarmKept(let alarm, let position, let rung):
            [.init("alarm", alarm.json)] + position.members + [.init("rung", .array(rung.map { .text($0) }))]
        case .alarmDeleted(let id): [.init("alarm", .string(id))]
        case .settingsSaved(let settings): [.init("settings", settings.json)]
        case .calendarSaved(let name, let calendar): [.init("name", .string(name)), .init("calendar", calendar.json)]
        case .calendarDeleted(let name): [.init("name", .string(name))]
        case .codeEnrolled(let code):
            [
                .init("label", .string(code.label)), .init("kind", .string(code.kind.rawValue)),
                .init("digest", .string(code.digest.text)),
            ]
        case .codeForgotten(let label): [.init("label", .string(label))]
        case .planned(let occurrence, let layer): occurrence.members + [.init("layer", .string(layer.rawValue))]
        case .fired(let session), .sessionKept(let session): session.members
        case .audioStarted(let occurrence, let route, let latency):
            occurrence.members + [.init("route", .string(route))]
                + (latency.map { [.init("latency_ms", .number($0))] } ?? [])
        case .audioFailed(let occurrence, let route, let reason):
            occurrence.members + [.init("route", .string(route)), .init("reason", .string(reason))]
        case .scanRefused(let occurrence, let byteCount): occurrence.members + [.init("bytes", .number(byteCount))]
        case .challengeDone(let occurrence, let index): occurrence.members + [.init("index", .number(index))]
        case .sumSolved(let occurrence, let index, let count):
            occurrence.members + [.init("index", .number(index)), .init("count", .number(count))]
        case .lockedOut(let occurrence, let until): occurrence.members + [.init("until_ms", .number(until))]
        case .snoozed(let occurrence, let count, let until), .rested(let occurrence, let count, let until):
            occurrence.members + [.init("count", .number(count)), .init("until_ms", .number(until))]
        case .stopRefused(let occurrence, let door): occurrence.members + [.init("by", .string(door.rawValue))]
        case .ended(let occurrence, _, let door, let other, let revision):
            occurrence.members + [.init("by", .text(door?.rawValue))]
                + (other.map { [.init("with", .object($0.members))] } ?? [])
                + (revision.map { [.init("switches_off", .number($0))] } ?? [])
        case .missed(let missed): missed.members
        case .resumed(let occurrence), .lockBegan(let occurrence): occurrence.members
        case .clockStepped(let from, let to): [.init("from_ms", .number(from)), .init("to_ms", .number(to))]
        case .clockTrusted(let isTrusted): [.init("trusted", .bool(isTrusted))]
        case .zoneChanged(let name): [.init("zone", .string(name))]
        case .healthChanged(let part, let health):
            [
                .init("part", .string(part.rawValue)), .init("grade", .string(health.grade.rawValue)),
                .init("words", .string(health.words)),
            ]
        case .pastKept(let past): past.members
        }
    }

    /// Reads what a journal has. Nothing comes of a kind that this Rooster does not know, and of a payload that does not
    /// say what it must.
    public init?(kind number: UInt16, payload: [UInt8]) {
        guard let kind = Kind(rawValue: number), let members = Fact.members(of: payload) else { return nil }
        var fields = Fields(members, at: "")
        guard let fact = Fact(kind, &fields), fields.isSound else { return nil }
        self = fact
    }

    private static func members(of payload: [UInt8]) -> [JSON.Member]? {
        do throws(JSONSyntaxError) {
            guard case .object(let members) = try JSON(parsing: payload) else { return nil }
            return members
        } catch {
            // Where in it the mistake is helps nobody: the record as a whole is no fact.
            return nil
        }
    }

    private init?(_ kind: Kind, _ fields: inout Fields) {
        let fact: Fact? =
            switch kind {
            case .alarmSaved, .planMoved, .alarmKept, .alarmDeleted, .settingsSaved, .calendarSaved, .calendarDeleted,
                .codeEnrolled, .codeForgotten:
                Fact.kept(kind, &fields)
            case .clockStepped, .clockTrusted, .zoneChanged, .healthChanged: Fact.noticed(kind, &fields)
            case .pastKept: PastRing(reading: &fields).map { .pastKept($0) }
            default: Occurrence(reading: &fields).flatMap { Fact.happened(kind, $0, &fields) }
            }
        guard let fact else { return nil }
        self = fact
    }

    /// What the owner keeps.
    private static func kept(_ kind: Kind, _ fields: inout Fields) -> Fact? {
        switch kind {
        case .alarmSaved, .alarmKept:
            guard case .object(let members)? = fields.take("alarm"), let position = PlanPosition(reading: &fields)
            else { return nil }
            let alarm = Alarm.read(members).alarm
            guard kind == .alarmKept else { return .alarmSaved(alarm, position) }
            return .alarmKept(alarm, position, rung: fields.instants("rung"))
        case .planMoved:
            guard let id = fields.text("alarm"), let position = PlanPosition(reading: &fields) else { return nil }
            return .planMoved(id, position)
        case .settingsSaved: return fields.object("settings") { Settings(reading: &$0) }.map { .settingsSaved($0) }
        case .alarmDeleted: return fields.text("alarm").map { .alarmDeleted($0) }
        case .calendarSaved:
            guard let name = fields.text("name"),
                let calendar = fields.object("calendar", { DayCalendar(reading: &$0) })
            else { return nil }
            return .calendarSaved(name, calendar)
        case .calendarDeleted: return fields.text("name").map { .calendarDeleted($0) }
        case .codeEnrolled:
            guard let label = fields.text("label"), let kind = fields.text("kind").flatMap(Challenge.Kind.init),
                let digest = fields.text("digest")
            else { return nil }
            return .codeEnrolled(EnrolledCode(label: label, kind: kind, digest: CodeDigest(digest)))
        default: return fields.text("label").map { .codeForgotten(label: $0) }
        }
    }

    /// What was noticed about the machine.
    private static func noticed(_ kind: Kind, _ fields: inout Fields) -> Fact? {
        switch kind {
        case .clockStepped:
            guard let from = fields.integer("from_ms"), let to = fields.integer("to_ms") else { return nil }
            return .clockStepped(from: from, to: to)
        case .clockTrusted: return fields.bool("trusted").map { .clockTrusted($0) }
        case .zoneChanged: return fields.text("zone").map { .zoneChanged($0) }
        default:
            guard let part = fields.text("part").flatMap(Part.init),
                let grade = fields.text("grade").flatMap(Health.Grade.init)
            else { return nil }
            return .healthChanged(part, Health(grade, fields.text("words") ?? ""))
        }
    }

    /// What happened to an occurrence.
    private static func happened(_ kind: Kind, _ occurrence: Occurrence, _ fields: inout Fields) -> Fact? {
        switch kind {
        case .planned: return fields.text("layer").flatMap(Layer.init).map { .planned(occurrence, $0) }
        case .fired: return Session(occurrence, reading: &fields).map { .fired($0) }
        case .sessionKept: return Session(occurrence, reading: &fields).map { .sessionKept($0) }
        case .audioStarted:
            return .audioStarted(
                occurrence, route: fields.text("route") ?? "", latencyMilliseconds: fields.integer("latency_ms"))
        case .audioFailed:
            return .audioFailed(occurrence, route: fields.text("route") ?? "", reason: fields.text("reason") ?? "")
        case .scanRefused: return .scanRefused(occurrence, byteCount: fields.integer("bytes") ?? 0)
        case .challengeDone: return fields.integer("index").map { .challengeDone(occurrence, index: $0) }
        case .sumSolved:
            guard let index = fields.integer("index"), let count = fields.integer("count") else { return nil }
            return .sumSolved(occurrence, index: index, count: count)
        case .lockedOut: return fields.integer("until_ms").map { .lockedOut(occurrence, untilMilliseconds: $0) }
        case .snoozed, .rested:
            guard let count = fields.integer("count"), let until = fields.integer("until_ms") else { return nil }
            return kind == .snoozed
                ? .snoozed(occurrence, count: count, untilMilliseconds: until)
                : .rested(occurrence, count: count, untilMilliseconds: until)
        case .stopRefused: return fields.text("by").flatMap(Door.init).map { .stopRefused(occurrence, by: $0) }
        case .missed: return MissedRings(occurrence, reading: &fields).map { .missed($0) }
        case .resumed: return .resumed(occurrence)
        case .lockBegan: return .lockBegan(occurrence)
        default:
            return Ending(rawValue: kind.name).map {
                .ended(
                    occurrence, $0, by: fields.text("by").flatMap(Door.init),
                    with: fields.object("with") { Occurrence(reading: &$0) } ?? nil,
                    switchesOff: fields.integer("switches_off"))
            }
        }
    }
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

extension PlanPosition {
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
            + (turn.map { [.init("turn", .text($0))] } ?? [])
    }

    fileprivate init?(reading fields: inout Fields) {
        guard let date = fields.text("date").flatMap(CivilDate.init), let at = fields.instant("at"),
            let source = fields.text("source").flatMap(Source.init)
        else { return nil }
        self.init(date, at: at, source: source, isSecondInFold: fields.bool("second") ?? false)
        turn = fields.instant("turn")
    }
}

extension MissedRings {
    var members: [JSON.Member] {
        occurrence.members + [
            .init("first", .text(first)), .init("label", .string(label)), .init("late", .number(lateWindowSeconds)),
            .init("revision", .number(revision)), .init("switches_off", .bool(switchesOff)),
        ]
    }

    init?(_ occurrence: Occurrence, reading fields: inout Fields) {
        guard let first = fields.instant("first"), let late = fields.integer("late"),
            let revision = fields.integer("revision")
        else { return nil }
        self.init(
            occurrence: occurrence, first: first, label: fields.text("label") ?? "", lateWindowSeconds: late,
            revision: revision, switchesOff: fields.bool("switches_off") ?? false)
    }
}
