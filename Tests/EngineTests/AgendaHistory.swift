// The random histories of clocks, zones, power cuts and an owner's changes, run through engine and oracle.

import Agenda
import Alarms
import CivilTime
import JSON

@testable import Engine

/// An event of a history.
enum Happening {
    /// Time passes. A ring is stopped after this many seconds, or keeps ringing if nil.
    case pass(seconds: Int, stopsAfter: Int?)
    /// The clock is set by this many seconds or to the true time, or the machine gains or loses trust in it.
    case step(seconds: Int)
    case setRight
    case trust(Bool)
    case setRightAndTrusted
    case zone(String)
    case settingsZone(String?)
    case master(Bool)
    case calendar(String, json: String)
    /// A new alarm, or changes to one, by the fields of the alarms file.
    case save(String, [String: String])
    case edit(String, [String: String])
    case turn(String, on: Bool)
    case delete(String)
    case postpone(String, Postponement)
    /// The next ring is done ahead of time, if it is the one that is meant.
    case done(String)
    /// The power is off for this long. If the clock does not run meanwhile, it continues from the time at
    /// which it stopped.
    case powerOff(seconds: Int, clockRuns: Bool, isTrusted: Bool)
    case compact
    /// Somebody moves.
    case move
}

struct AgendaHistory {
    var beginsAt: Instant
    var zoneName: String
    var isTrusted: Bool
    var happenings: [Happening]
}

/// One event in the oracle's input, and the engine's answer to it.
struct AgendaLine {
    var happening: Int
    var event: String
    var answer: String
    var clock: String
}

struct AgendaRun {
    private(set) var lines: [AgendaLine] = []
    private(set) var refusals: [String] = []
    private var fixture: EngineFixture
    private var trueMilliseconds: Int
    private var index = -1

    static let zoneNames = [
        "UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe",
    ]
    private static let zones: [String: Zone] = {
        var catalogue = ZoneCatalogue()
        return Dictionary(uniqueKeysWithValues: zoneNames.map { ($0, (try? catalogue.zone(named: $0)) ?? .utc) })
    }()

    static func zone(_ name: String) -> Zone { zones[name] ?? .utc }

    init(_ history: AgendaHistory) throws {
        trueMilliseconds = history.beginsAt.milliseconds
        fixture = EngineFixture(
            wallMilliseconds: trueMilliseconds, zone: Self.zone(history.zoneName), isTrusted: history.isTrusted)
        start()
        fixture.ask(.configure(SettingsPatch([.init("preflight", .string("off"))])))
        for happening in history.happenings {
            index += 1
            try carryOut(happening)
        }
    }

    // MARK: events

    private mutating func carryOut(_ happening: Happening) throws {
        switch happening {
        case .pass(let seconds, let stopsAfter): pass(seconds, stopsAfter: stopsAfter)
        case .step(let seconds):
            fixture.wallMilliseconds += seconds * 1000
            tell("step") { $0.give(.timer) }
        case .setRight:
            fixture.wallMilliseconds = trueMilliseconds
            tell("step") { $0.give(.timer) }
        case .trust(let isTrusted): trust(isTrusted)
        case .setRightAndTrusted:
            fixture.wallMilliseconds = trueMilliseconds
            trust(true)
        case .zone(let name):
            fixture.zone = Self.zone(name)
            tell("zone", #""zone": "\#(name)""#) { $0.give(.zoneChanged($0.zone)) }
        case .settingsZone(let name):
            tell("settings", #""zone": \#(name.map { "\"\($0)\"" } ?? "null")"#) {
                $0.ask(.configure(SettingsPatch([.init("zone", name.map { .string($0) } ?? .null)])))
            }
        case .master(let isOn):
            tell("master", #""on": \#(isOn)"#) { $0.ask(.configure(SettingsPatch([.init("enabled", .bool(isOn))]))) }
        case .calendar(let name, let json):
            guard case .object(let members) = try JSON(parsing: Array(json.utf8)) else { return }
            let calendar = DayCalendar.read(members).value
            tell("calendar", #""name": "\#(name)", "calendar": \#(json)"#) { $0.ask(.saveCalendar(name, calendar)) }
        case .save(let id, let fields): try save(id, fields)
        case .edit(let id, let fields): if fixture.engine.alarm(id) != nil { try save(id, fields) }
        case .turn(let id, let isOn):
            tell("switch", #""id": "\#(id)", "on": \#(isOn)"#) { $0.ask(.enable(id, isOn)) }
        case .postpone(let id, let length):
            let more =
                switch length {
                case .seconds(let seconds): #""seconds": \#(seconds)"#
                case .days(let days): #""days": \#(days)"#
                }
            // Of several open sessions the one that rings is put off.
            guard fixture.engine.sessions.all.count(where: { $0.occurrence.alarm == id }) < 2 else { return }
            tell("postpone", #""id": "\#(id)", \#(more)"#) { $0.ask(.postpone(id, length)) }
        case .done(let id):
            let engine = fixture.engine
            guard let next = engine.agenda.due[id], engine.sessions[alarm: id] == nil,
                case .done(.ringDone(let done, _)) = engine.validate(.done(id), RequestHeader("v", by: .page)),
                done.occurrence == next.occurrence
            else { return }
            tell("done", #""id": "\#(id)", "ring": \#(next.occurrence.at.secondsSince1970)"#) { $0.ask(.done(id)) }
        case .delete(let id): tell("delete", #""id": "\#(id)""#) { $0.ask(.delete(id)) }
        case .powerOff(let seconds, let clockRuns, let isTrusted):
            // A session that is still open after a long power cut ends by itself, so it is stopped here.
            if seconds > 3 * 3600 { stopAll() }
            trueMilliseconds += seconds * 1000
            fixture.wallMilliseconds = clockRuns ? fixture.wallMilliseconds + seconds * 1000 : fixture.wallMilliseconds
            fixture.uptimeMilliseconds = 5000
            fixture.isTrusted = isTrusted
            start()
        case .move: tell("move") { $0.give(.step()) }
        case .compact: if fixture.engine.canCompact { fixture.compact() }
        }
    }

    private mutating func start() {
        tell("start", #""trusted": \#(fixture.isTrusted), "zone": "\#(fixture.zone.name)""#) { $0.start() }
        fixture.give(.zonesRead(Array(Self.zones.values)))
    }

    private mutating func trust(_ isTrusted: Bool) {
        fixture.isTrusted = isTrusted
        tell("trust", #""trusted": \#(isTrusted)"#) { $0.give(.clockTrusted(isTrusted)) }
    }

    private mutating func save(_ id: String, _ fields: [String: String]) throws {
        let isNew = fixture.engine.alarm(id) == nil
        let text =
            "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
        let changes = try JSON(parsing: Array(text.utf8))
        guard case .object(let members) = changes else { return }
        let command =
            isNew
            ? Command.save(Alarm.read([.init("id", .string(id))] + members).value) : .edit(id, AlarmPatch(members))
        tell("save", #""id": "\#(id)", "alarm": \#(text)"#) { $0.ask(command) }
    }

    private mutating func pass(_ seconds: Int, stopsAfter: Int?) {
        var left = seconds
        while left > 0 {
            var stretch = left
            if let stopsAfter {
                let now = fixture.engine.clock.instant
                let next = fixture.engine.agenda.alarms.all.compactMap {
                    fixture.engine.agenda.due[$0.id]?.at
                }
                .min()
                let wait = fixture.engine.sessions.all.isEmpty ? next.map { max($0.seconds(since: now), 0) } : 0
                stretch = max(min(left, wait.map { $0 + stopsAfter } ?? left), 1)
            }
            left -= stretch
            trueMilliseconds += stretch * 1000
            tell("pass") { $0.pass(milliseconds: stretch * 1000) }
            if stopsAfter != nil { stopAll() }
        }
    }

    private mutating func stopAll() {
        guard !fixture.engine.sessions.all.isEmpty else { return }
        tell("stop") { fixture in
            for session in fixture.engine.sessions.all { fixture.ask(.stop, meaning: session.occurrence.alarm) }
        }
    }

    // MARK: the oracle's input

    private mutating func tell(_ kind: String, _ more: String = "", _ step: (inout EngineFixture) -> Void) {
        let newest = Instant(milliseconds: fixture.engine.agenda.newestMilliseconds).secondsSince1970
        let (journalCount, replyCount) = (fixture.journal.count, fixture.replies.count)
        step(&fixture)
        var kind = (name: kind, more: more)
        if fixture.replies.count > replyCount, case .refused(let refusal)? = fixture.replies.last, kind.name != "stop" {
            if refusal.code != .noSuchAlarm { refusals.append("\(refusal)") }
            kind = ("refused", "")
        }
        var (rang, missed, ended): ([Occurrence], [MissedRings], [String]) = ([], [], [])
        var noticed: [(ring: Occurrence, seconds: Int)] = []
        for line in fixture.journal[journalCount...] {
            switch Fact(kind: line.kind, payload: line.payload) {
            case .fired(let session): rang.append(session.occurrence)
            case .missed(let rings): missed.append(rings)
            case .noticeGiven(let ring, let seconds): noticed.append((ring, seconds))
            case .ended(let occurrence, _, _, _, _):
                ended.append("[\"\(occurrence.alarm)\", \(occurrence.at.secondsSince1970)]")
            default: break
            }
        }
        let (wall, uptime) = (fixture.wallMilliseconds / 1000, fixture.uptimeMilliseconds / 1000)
        var event = #"{"event": "\#(kind.name)", "wall": \#(wall), "up": \#(uptime), "newest": \#(newest)"#
        if !kind.more.isEmpty { event += ", " + kind.more }
        if !ended.isEmpty { event += #", "ended": [\#(ended.joined(separator: ", "))]"# }
        lines.append(
            AgendaLine(
                happening: index, event: event + "}", answer: answer(rang, missed, noticed),
                clock: "\(Instant(secondsSince1970: wall))"))
    }

    private func answer(
        _ rang: [Occurrence], _ missed: [MissedRings], _ noticed: [(ring: Occurrence, seconds: Int)]
    ) -> String {
        var changes = rang.sorted { ($0.at, $0.alarm) < ($1.at, $1.alarm) }.map { "rang \($0.alarm) \($0.at)" }
        changes += missed.sorted { ($0.occurrence.alarm, $0.first) < ($1.occurrence.alarm, $1.first) }.map {
            "missed \($0.occurrence.alarm) \($0.first) to \($0.occurrence.at)"
        }
        changes += noticed.sorted {
            ($0.ring.at, $0.ring.alarm, -$0.seconds) < ($1.ring.at, $1.ring.alarm, -$1.seconds)
        }
        .map { "noticed \($0.ring.alarm) \($0.ring.at) by \($0.seconds)" }
        for entry in fixture.engine.agenda.alarms.all.sorted(by: { $0.id < $1.id }) {
            guard entry.alarm.isEnabled else {
                changes.append("\(entry.id) off")
                continue
            }
            let next = fixture.engine.agenda.due[entry.id].map { "\($0.at)" } ?? "never"
            let anchor = entry.alarm.needsAnchor ? entry.position.anchor.map { " from \($0.date)" } ?? "" : ""
            changes.append("\(entry.id) next \(next)\(anchor)")
        }
        return changes.isEmpty ? "nothing" : changes.joined(separator: "; ")
    }
}
