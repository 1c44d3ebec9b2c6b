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
    /// The machine's zone.
    private(set) var zoneName: String?
    /// When the newest fact became one.
    private(set) var newestMilliseconds = 0
    /// When the clock was last set back. Rings up to what it had shown had their turn, or were told missed.
    private(set) var setBack: Clock.Step?

    /// `misses` are taken back by it.
    mutating func apply(_ entry: Entry, takingBack misses: [MissedRings]) {
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
        case .fired(let session): alarms.ring(session.occurrence, revision: session.revision)
        case .ended(let occurrence, _, _, _, let revision?): alarms.switchOff(occurrence.alarm, revision: revision)
        case .missed(let missed): alarms.miss(missed)
        case .zoneChanged(let name): zoneName = name
        case .clockTrusted(let isTrusted): if isTrusted { alarms.trust() }
        case .clockStepped(let from, let to): step(Clock.Step(from: from, to: to), takingBack: misses)
        default: break
        }
    }

    /// The clock was set.
    private mutating func step(_ step: Clock.Step, takingBack misses: [MissedRings]) {
        newestMilliseconds = step.to
        guard step.to < step.from else { return }
        setBack = Clock.Step(from: max(step.from, setBack?.from ?? .min), to: step.to)
        alarms.setBack(by: step, takingBack: misses)
    }
}

extension Engine {
    /// Whether this is a good time to put a snapshot in the place of all that the journal has: nothing rings, and nothing is
    /// on its way to the disk.
    public var canCompact: Bool { sessions.isEmpty && commit.isEmpty }

    /// Facts that come to the same as all that there ever were.
    public var snapshot: [Entry] {
        // Also what came to be by a clock that was ahead: nothing must look newer than what is newest.
        (ledger.snapshot + sessions.past.rings.map(Fact.pastKept) + preflight.knownHealth.map(Fact.healthChanged)).map {
            Entry(millisecondsSince1970: ledger.newestMilliseconds, $0)
        }
    }
}

extension Ledger {
    fileprivate var snapshot: [Fact] {
        (setBack.map { [.clockStepped(from: $0.from, to: $0.to)] } ?? []) + (zoneName.map { [.zoneChanged($0)] } ?? [])
            + [.settingsSaved(settings)]
            + calendars.sorted { $0.key < $1.key }.map { .calendarSaved($0.key, $0.value) }
            + codes.map { .codeEnrolled($0) }
            + alarms.all.map { .alarmKept($0.alarm, $0.position, rung: $0.rung) }
    }
}
