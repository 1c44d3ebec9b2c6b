// What the records say: the state that a restart finds again, and as few facts as will make it again.

import Alarms
import CivilTime

/// The fold of all facts. It is told nothing else, so replaying the facts in the journal's order makes it again.
///
/// What an owner asks for becomes a fact when it is durable, everything else at once: so the two may come here in another
/// order than they stand in the journal. They must come to the same.
struct Ledger: Sendable {
    private(set) var settings = Settings()
    private(set) var calendars: [String: DayCalendar] = [:]
    private(set) var alarms = AlarmBook()
    /// By label.
    private(set) var codes: [EnrolledCode] = []
    /// The sessions that have not ended, in the order in which they began.
    private(set) var sessions: [Session] = []
    private(set) var past = PastRings()
    private(set) var health: [Part: Health] = [:]
    /// The machine's zone.
    private(set) var zoneName: String?
    /// When the newest fact became one.
    private(set) var newestMilliseconds = 0
    /// When the clock was last set back. Rings up to what it had shown had their turn, or were told missed.
    private(set) var setBack: Clock.Step?

    /// More sessions than this at once, nobody can answer.
    static let sessionsMax = 1000

    /// How the parts are that were ever looked at, in the order in which they are told.
    var knownHealth: [(Part, Health)] { Part.allCases.compactMap { part in health[part].map { (part, $0) } } }

    func session(_ occurrence: Occurrence) -> Session? { sessions.first { $0.occurrence == occurrence } }

    mutating func apply(_ entry: Entry) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let position): alarms.save(alarm, position)
        case .planMoved(let id, let position): alarms.move(id, to: position)
        case .alarmKept(let alarm, let position, let rung): alarms.insert(alarm, position, rung: rung)
        case .alarmDeleted(let id): alarms.delete(id)
        case .settingsSaved(let settings): self.settings = settings
        case .calendarSaved(let name, let calendar): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .codeEnrolled(let code):
            codes.removeAll { $0.label == code.label }
            codes.append(code)
            codes.sort { $0.label < $1.label }
        case .codeForgotten(let label): codes.removeAll { $0.label == label }
        case .fired(let session), .sessionKept(let session): begin(session)
        case .challengeDone(let occurrence, let index):
            change(occurrence) { $0.complete(index, at: entry.millisecondsSince1970) }
        case .sumSolved(let occurrence, let index, let count):
            change(occurrence) { $0.solve(count, of: index) }
        case .lockedOut(let occurrence, let until): change(occurrence) { $0.lockedOutUntilMilliseconds = until }
        case .snoozed(let occurrence, let count, let until):
            change(occurrence) { $0.pause(.snooze, count: count, at: entry.millisecondsSince1970, until: until) }
        case .rested(let occurrence, let count, let until):
            change(occurrence) { $0.pause(.rest, count: count, at: entry.millisecondsSince1970, until: until) }
        case .audioStarted(let occurrence, _, _): change(occurrence) { $0.isHeard = true }
        case .ended(let occurrence, let ending, _, let other, let revision):
            end(occurrence, ending, with: other, at: entry.millisecondsSince1970)
            if let revision { alarms.switchOff(occurrence.alarm, revision: revision) }
        case .missed(let missed):
            past.add(PastRing(missed, endedMilliseconds: entry.millisecondsSince1970))
            alarms.miss(missed)
        case .pastKept(let ring): past.add(ring)
        case .resumed(let occurrence): change(occurrence) { $0.resume() }
        case .zoneChanged(let name): zoneName = name
        case .healthChanged(let part, let health): self.health[part] = health
        case .clockTrusted(let isTrusted): if isTrusted { alarms.trust() }
        case .clockStepped(let from, let to):
            step(Clock.Step(from: from, to: to))
        case .planned, .lockBegan, .audioFailed, .scanRefused, .stopRefused: break
        }
    }

    /// The clock was set.
    private mutating func step(_ step: Clock.Step) {
        newestMilliseconds = step.to
        guard step.to < step.from else { return }
        setBack = Clock.Step(from: max(step.from, setBack?.from ?? .min), to: step.to)
        alarms.setBack(by: step, takingBack: past.takeBackMissed(at: step.instant))
    }

    private mutating func begin(_ session: Session) {
        alarms.ring(session.occurrence, revision: session.revision)
        guard self.session(session.occurrence) == nil else { return }
        sessions.append(session)
    }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        if let index = sessions.firstIndex(where: { $0.occurrence == occurrence }) {
            change(&sessions[index])
        } else {
            past.change(occurrence, change)
        }
    }

    private mutating func end(
        _ occurrence: Occurrence, _ ending: Ending, with other: Occurrence?, at milliseconds: Int
    ) {
        guard let index = sessions.firstIndex(where: { $0.occurrence == occurrence }) else { return }
        var session = sessions.remove(at: index)
        session.pause = nil
        session.endedWith = other
        guard !session.terms.isTest else { return }
        past.add(PastRing(session, ending, endedMilliseconds: milliseconds))
    }
}

extension Engine {
    /// Whether this is a good time to put a snapshot in the place of all that the journal has: nothing rings, and nothing is
    /// on its way to the disk.
    public var canCompact: Bool { ledger.sessions.isEmpty && outbox.isEmpty }

    /// Facts that come to the same as all that there ever were.
    public var snapshot: [Entry] { ledger.snapshot }
}

extension Ledger {
    var snapshot: [Entry] {
        // Also what came to be by a clock that was ahead: nothing must look newer than what is newest.
        func entry(_ fact: Fact) -> Entry { Entry(millisecondsSince1970: newestMilliseconds, fact) }
        var entries: [Entry] = []
        if let setBack { entries.append(entry(.clockStepped(from: setBack.from, to: setBack.to))) }
        if let zoneName { entries.append(entry(.zoneChanged(zoneName))) }
        entries.append(entry(.settingsSaved(settings)))
        entries += calendars.sorted { $0.key < $1.key }.map { entry(.calendarSaved($0.key, $0.value)) }
        entries += codes.map { entry(.codeEnrolled($0)) }
        entries += alarms.all.map { entry(.alarmKept($0.alarm, $0.position, rung: $0.rung)) }
        entries += past.rings.map { entry(.pastKept($0)) }
        entries += sessions.map { entry(.sessionKept($0)) }
        entries += knownHealth.map { entry(.healthChanged($0, $1)) }
        return entries
    }
}
