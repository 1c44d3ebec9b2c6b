// Facts as the journal has them: JSON that a person can read, and that later versions must be able to read.

import Alarms
import CivilTime

extension Fact {
    /// What the journal keeps beside the kind.
    public var payload: [UInt8] { Array(JSON.object(members).description.utf8) }

    private var members: [JSON.Member] {
        switch self {
        case .alarmSaved(let alarm, let since, let isDoubtful, let savedAt, let begins):
            [.init("alarm", alarm.json), .init("since", .text(since))]
                + (isDoubtful ? [.init("doubtful", .bool(true))] : [])
                + (savedAt.map { [.init("saved", .text($0))] } ?? [])
                + (begins.map { [.init("begins", .text($0.day))] } ?? [])
                + (begins?.isDoubtful == true ? [.init("begins_doubtful", .bool(true))] : [])
        case .alarmChanged(let alarm, let passed, let isSpent):
            [.init("alarm", alarm.json)] + (passed.map { [.init("passed", .text($0))] } ?? [])
                + (isSpent ? [.init("spent", .bool(true))] : [])
        case .alarmCounted(let id, let version, let since, let isDoubtful, let begins):
            [.init("alarm", .string(id)), .init("version", .text(version)), .init("since", .text(since))]
                + (isDoubtful ? [.init("doubtful", .bool(true))] : [])
                + (begins.map { [.init("begins", .text($0))] } ?? [])
        case .alarmStarts(let id, let version, let date):
            [.init("alarm", .string(id)), .init("version", .text(version)), .init("start", .text(date))]
        case .alarmMoved(let id, let version, let since):
            [.init("alarm", .string(id)), .init("version", .text(version)), .init("since", .text(since))]
        case .baseOver(let id, let instant): [.init("alarm", .string(id)), .init("at", .text(instant))]
        case .alarmDeleted(let id): [.init("alarm", .string(id))]
        case .settingsSaved(let settings, let since, let zoneSince):
            [
                .init("settings", settings.json), .init("since", .text(since)), .init("zone_since", .text(zoneSince)),
            ]
        case .calendarSaved(let name, let calendar, let since):
            [.init("name", .string(name)), .init("calendar", calendar.json), .init("since", .text(since))]
        case .calendarDeleted(let name): [.init("name", .string(name))]
        case .codeEnrolled(let code):
            [
                .init("label", .string(code.label)), .init("kind", .string(code.kind.rawValue)),
                .init("digest", .string(code.digest.text)),
            ]
        case .codeForgotten(let label): [.init("label", .string(label))]
        case .planned(let occurrence, let layer): occurrence.members + [.init("layer", .string(layer.rawValue))]
        case .fired(let session): session.members
        case .audioStarted(let occurrence, let route, let latency):
            occurrence.members + [.init("route", .string(route))]
                + (latency.map { [.init("latency_ms", .number($0))] } ?? [])
        case .audioFailed(let occurrence, let route, let reason):
            occurrence.members + [.init("route", .string(route)), .init("reason", .string(reason))]
        case .scanRefused(let occurrence, let byteCount): occurrence.members + [.init("bytes", .number(byteCount))]
        case .challengeDone(let occurrence, let index): occurrence.members + [.init("index", .number(index))]
        case .snoozed(let occurrence, let count, let until), .rested(let occurrence, let count, let until):
            occurrence.members + [.init("count", .number(count)), .init("until_ms", .number(until))]
        case .stopRefused(let occurrence, let door): occurrence.members + [.init("by", .string(door.rawValue))]
        case .ended(let occurrence, _, let door, let version):
            occurrence.members + [.init("by", .text(door?.rawValue)), .init("switches_off", .text(version))]
        case .missed(let occurrence, let label, let window, let first, let version):
            occurrence.members + [.init("first", .text(first)), .init("switches_off", .text(version))]
                + (label.isEmpty ? [] : [.init("label", .string(label))])
                + (window.map { [.init("late", .number($0))] } ?? [])
        case .resumed(let occurrence), .lockBegan(let occurrence): occurrence.members
        case .clockStepped(let from, let to): [.init("from_ms", .number(from)), .init("to_ms", .number(to))]
        case .clockTrusted(let isTrusted): [.init("trusted", .bool(isTrusted))]
        case .zoneChanged(let name, let since), .zoneRulesChanged(let name, let since):
            [.init("zone", .string(name)), .init("since", .text(since))]
        case .healthChanged(let part, let health):
            [
                .init("part", .string(part.rawValue)), .init("grade", .string(health.grade.rawValue)),
                .init("words", .string(health.words)),
            ]
        case .sessionKept(let session): session.members + session.progressMembers
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
            case .alarmSaved, .alarmChanged, .alarmCounted, .alarmStarts, .alarmMoved, .baseOver, .alarmDeleted,
                .settingsSaved, .calendarSaved, .calendarDeleted, .codeEnrolled, .codeForgotten:
                Fact.kept(kind, &fields)
            case .clockStepped, .clockTrusted, .zoneChanged, .zoneRulesChanged, .healthChanged:
                Fact.noticed(kind, &fields)
            case .pastKept: PastRing(reading: &fields).map { .pastKept($0) }
            default: Occurrence(reading: &fields).flatMap { Fact.happened(kind, $0, &fields) }
            }
        guard let fact else { return nil }
        self = fact
    }

    /// What the owner keeps.
    private static func kept(_ kind: Kind, _ fields: inout Fields) -> Fact? {
        switch kind {
        case .alarmSaved:
            guard let since = fields.instant("since"), case .object(let members)? = fields.take("alarm") else {
                return nil
            }
            return .alarmSaved(
                Alarm.read(members).alarm, since: since, isDoubtful: fields.bool("doubtful") ?? false,
                savedAt: fields.instant("saved"), begins: Beginning(reading: &fields))
        case .alarmCounted:
            guard let id = fields.text("alarm"), let version = fields.instant("version"),
                let since = fields.instant("since")
            else { return nil }
            return .alarmCounted(
                id, version: version, since: since, isDoubtful: fields.bool("doubtful") ?? false,
                begins: fields.text("begins").flatMap(CivilDate.init))
        case .alarmMoved:
            guard let id = fields.text("alarm"), let version = fields.instant("version"),
                let since = fields.instant("since")
            else { return nil }
            return .alarmMoved(id, version: version, since: since)
        case .alarmChanged:
            guard case .object(let members)? = fields.take("alarm") else { return nil }
            return .alarmChanged(
                Alarm.read(members).alarm, passed: fields.instant("passed"), isSpent: fields.bool("spent") ?? false)
        case .alarmStarts:
            guard let id = fields.text("alarm"), let version = fields.instant("version"),
                let date = fields.text("start").flatMap(CivilDate.init)
            else { return nil }
            return .alarmStarts(id, version: version, date)
        case .baseOver:
            return fields.text("alarm").map { .baseOver($0, at: fields.instant("at")) }
        case .settingsSaved:
            guard let since = fields.instant("since"), let zoneSince = fields.instant("zone_since"),
                let settings = fields.object("settings", { Settings(reading: &$0) })
            else { return nil }
            return .settingsSaved(settings, since: since, zoneSince: zoneSince)
        case .alarmDeleted: return fields.text("alarm").map { .alarmDeleted($0) }
        case .calendarSaved:
            guard let name = fields.text("name"),
                let calendar = fields.object("calendar", { DayCalendar(reading: &$0) })
            else { return nil }
            // The first that were written down did not say since when.
            return .calendarSaved(name, calendar, since: fields.instant("since") ?? .earliest)
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
        case .zoneChanged, .zoneRulesChanged:
            guard let name = fields.text("zone"), let since = fields.instant("since") else { return nil }
            return kind == .zoneChanged
                ? .zoneChanged(name, since: since) : .zoneRulesChanged(name, since: since)
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
        case .sessionKept:
            guard var session = Session(occurrence, reading: &fields) else { return nil }
            session.readProgress(&fields)
            return .sessionKept(session)
        case .audioStarted:
            return .audioStarted(
                occurrence, route: fields.text("route") ?? "", latencyMilliseconds: fields.integer("latency_ms"))
        case .audioFailed:
            return .audioFailed(occurrence, route: fields.text("route") ?? "", reason: fields.text("reason") ?? "")
        case .scanRefused: return .scanRefused(occurrence, byteCount: fields.integer("bytes") ?? 0)
        case .challengeDone: return fields.integer("index").map { .challengeDone(occurrence, index: $0) }
        case .snoozed, .rested:
            guard let count = fields.integer("count"), let until = fields.integer("until_ms") else { return nil }
            return kind == .snoozed
                ? .snoozed(occurrence, count: count, untilMilliseconds: until)
                : .rested(occurrence, count: count, untilMilliseconds: until)
        case .stopRefused: return fields.text("by").flatMap(Door.init).map { .stopRefused(occurrence, by: $0) }
        case .missed:
            return .missed(
                occurrence, label: fields.text("label") ?? "", lateWindowSeconds: fields.integer("late"),
                first: fields.instant("first") ?? occurrence.at,
                switchesOff: fields.instant("switches_off"))
        case .resumed: return .resumed(occurrence)
        case .lockBegan: return .lockBegan(occurrence)
        default:
            return Ending(rawValue: kind.name).map {
                .ended(
                    occurrence, $0, by: fields.text("by").flatMap(Door.init),
                    switchesOff: fields.instant("switches_off"))
            }
        }
    }
}

extension Fields {
    mutating func instant(_ name: String) -> Instant? {
        text(name).flatMap { Instant($0, rounding: .down) }
    }
}

extension Occurrence {
    var members: [JSON.Member] { [.init("alarm", .string(alarm)), .init("at", .text(at))] }

    init?(reading fields: inout Fields) {
        guard let alarm = fields.text("alarm"), let at = fields.instant("at") else { return nil }
        self.init(alarm: alarm, at: at)
    }
}

extension Beginning {
    fileprivate init?(reading fields: inout Fields) {
        let isDoubtful = fields.bool("begins_doubtful") ?? false
        guard let day = fields.text("begins").flatMap(CivilDate.init) else { return nil }
        self.init(day, isDoubtful: isDoubtful)
    }
}
