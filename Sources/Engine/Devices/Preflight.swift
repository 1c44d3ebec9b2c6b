// Whether what ringing needs is in order, tried out while there is still time to mend it.

import Alarms
import CivilTime

extension Engine {
    /// The next time of the evening at which it is done.
    mutating func planPreflight(after instant: Instant) {
        guard case .at(let time) = ledger.settings.preflight else {
            preflightAt = nil
            return
        }
        var evening = Alarm(id: "preflight")
        evening.time = time
        evening.recurrence = Recurrence(.daily)
        preflightAt = Schedule(evening, in: zones.device(ledger.settings)).next(after: instant)?.occurrence.at
    }

    /// It is done after a start as well: its owner is told what does not work, and the evening may be over. A machine that was
    /// just switched on finds its cards only in a moment.
    mutating func planFirstLook() {
        guard preflightAt != nil else { return }
        // Nor is it begun before it is known whether something is about to ring.
        firstLookUptime = max(clock.uptime + Engine.readyMilliseconds, Engine.firstLookMilliseconds)
        toldBroken = Set(ledger.health.filter { $0.value.grade == .broken }.keys)
    }

    private static let firstLookMilliseconds = 60_000

    mutating func watchPreflight() {
        let isEvening = preflightAt.map { $0.milliseconds <= clock.now } ?? false
        // What rings, or is about to, tells by itself how it goes.
        if preflightAt == nil || !sessions.isEmpty || nearSound() != nil { firstLookUptime = nil }
        let isFirst = firstLookUptime.map { $0 <= clock.uptime } ?? false
        // What rings needs the speaker and the camera for itself.
        guard sessions.isEmpty, isEvening || isFirst else { return }
        effects.append(.preflight)
        firstLookUptime = nil
        guard isEvening else { return }
        toldBroken = []
        planPreflight(after: clock.instant)
    }

    /// A part was found to be in order, or not. Only what has changed is written down; what stays broken is told once each
    /// evening.
    mutating func found(_ part: Part, _ health: Health) {
        let isOther = ledger.health[part] != health
        if isOther { note(.healthChanged(part, health)) }
        guard health.grade == .broken else { return }
        let isNew = toldBroken.insert(part).inserted
        if isNew || isOther { effects.append(.notify(.broken(part, health))) }
    }

    /// Whether every alarm that is on can be stopped by the codes and tags that are enrolled.
    public var codesHealth: Health {
        var surroundings = surroundings
        // By the rule by which an alarm is taken or refused.
        let problems = alarms.filter(\.isEnabled).flatMap { $0.problems(among: &surroundings) }.filter {
            $0.weight == .unmet && ($0.place.hasSuffix(".codes") || $0.place.hasSuffix(".tags"))
        }
        guard !problems.isEmpty else { return .ok }
        return Health(.broken, Set(problems.map(\.reason)).sorted().prefix(5).joined(separator: "; "))
    }
}

/// Something that ringing needs, in the order in which it is told.
public enum Part: String, Hashable, Sendable, CaseIterable {
    case speaker, camera, codes, buttons, disk, clock
}

/// How a part is.
public struct Health: Hashable, Sendable {
    /// How bad it is.
    public enum Grade: String, Hashable, Sendable {
        case ok, warning, broken
    }

    /// How bad it is.
    public var grade: Grade
    /// What is wrong and what to do about it, in words; empty where nothing is.
    public var words: String

    /// In order, or not.
    public init(_ grade: Grade, _ words: String = "") {
        self.grade = grade
        self.words = words
    }

    /// In order.
    public static let ok = Health(.ok)
}
