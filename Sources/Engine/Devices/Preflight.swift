// The preflight, which tests all parts that ringing needs while there is still time to repair them.

import Alarms
import Challenges
import CivilTime
import Health

/// The health of each part, and the time of the next preflight: every evening, and once or twice after a start.
package struct Preflight: Sendable {
    private(set) var health: [Part: Health] = [:] {
        didSet {
            isBroken = health.values.contains { $0.grade == .broken }
            pulledOutUntil = health.values.compactMap(\.pulledOutUntil).min()
            if let kinds { devices = ChallengeDevices(kinds: kinds, health) }
        }
    }
    private(set) var isBroken = false
    /// The first end of a day for which a device counts as pulled out; nil if none does.
    private(set) var pulledOutUntil: Instant?
    /// The kinds of challenge whose devices are configured; nil before the start.
    private var kinds: Set<Challenge.Kind>?
    private(set) var devices = ChallengeDevices()
    /// The next evening's preflight; nil if it is switched off.
    private(set) var evening: Instant?
    /// The uptime of the next check after a start; nil if none is planned.
    private(set) var firstCheckUptime: Int?
    /// True if that check comes only because the one before it found a broken part.
    private var isRepeated = false
    /// The uptime at which each part was last tested or reported.
    private(set) var testedUptimes: [Part: Int] = [:]
    /// The broken parts of which the owner was notified since the last evening.
    private var notifiedBroken: Set<Part> = []

    private static let firstCheckMilliseconds = 60_000
    /// A slow machine may not have set up all its devices at the first check.
    private static let repeatMilliseconds = 60_000

    package var knownHealth: [(part: Part, health: Health)] {
        Part.allCases.compactMap { part in health[part].map { (part, $0) } }
    }

    mutating func apply(_ fact: Fact) {
        switch fact {
        case .healthChanged(let part, let health): self.health[part] = health
        case .partRemoved(let part): health[part] = nil
        default: break
        }
    }

    mutating func tested(_ part: Part, at uptime: Int) { testedUptimes[part] = uptime }

    mutating func configure(_ kinds: Set<Challenge.Kind>) {
        self.kinds = kinds
        devices = ChallengeDevices(kinds: kinds, health)
    }

    mutating func plan(_ setting: DayRule, in zone: Zone, after instant: Instant) {
        guard case .at(let time) = setting else { return evening = nil }
        var alarm = Alarm(id: "preflight")
        alarm.time = time
        alarm.recurrence = Recurrence(.daily)
        evening = Schedule(alarm, in: zone).next(after: instant)?.occurrence.at
    }

    /// Plans the preflight after a start, because the evening may be over. The preflight waits until a
    /// machine that was just switched on has found its cards, and until a near ring would be known.
    mutating func start(at uptime: Int) {
        guard evening != nil else { return }
        firstCheckUptime = max(uptime + Engine.readyMilliseconds, Preflight.firstCheckMilliseconds)
        isRepeated = false
        notifiedBroken = Set(health.filter { $0.value.grade == .broken }.keys)
    }

    private func isEvening(_ now: Instant) -> Bool { evening.map { $0 <= now } ?? false }

    /// Returns whether to run the preflight now. A session or a near ring tests speaker and camera itself.
    mutating func isDue(now: Instant, uptime: Int, rings: Bool, isNear: Bool) -> Bool {
        if evening == nil || rings || isNear { firstCheckUptime = nil }
        let isEvening = isEvening(now)
        let isFirst = firstCheckUptime.map { $0 <= uptime } ?? false
        guard !rings, isEvening || isFirst else { return false }
        firstCheckUptime = isFirst && !isRepeated ? uptime + Preflight.repeatMilliseconds : nil
        guard isEvening || !isRepeated || isBroken else { return false }
        isRepeated = true
        if isEvening { notifiedBroken = [] }
        return true
    }

    /// Compares a part's new health with the known one. The owner is notified of a broken part once each
    /// evening.
    mutating func observe(_ part: Part, _ new: Health) -> (hasChanged: Bool, notifies: Bool) {
        let hasChanged = health[part] != new
        guard new.grade == .broken else { return (hasChanged, false) }
        return (hasChanged, notifiedBroken.insert(part).inserted || hasChanged)
    }
}

extension Engine {
    /// Plans the next preflight, unless one is due and waits for a session to end.
    mutating func planPreflightUnlessWaiting() {
        if preflight.evening.map({ $0 > clock.instant }) ?? true { planPreflight() }
    }

    private mutating func planPreflight() {
        preflight.plan(agenda.settings.preflight, in: agenda.zones.device(agenda.settings), after: clock.instant)
    }

    var preflightDeadline: Deadline {
        let evening = Deadline.wall(sessions.isEmpty ? preflight.evening?.milliseconds : nil)
            .orEarlier(pulledOutDeadline)
        guard let first = preflight.firstCheckUptime else { return evening }
        // A near ring tests the parts itself, so the first check is dropped.
        let isDropped = preflight.evening == nil || !sessions.isEmpty || nearSound() != nil
        return isDropped ? .now : evening.orEarlier(.uptime(first))
    }

    mutating func startDuePreflight() {
        endPulledOut()
        guard
            preflight.isDue(
                now: clock.instant, uptime: clock.uptime, rings: !sessions.isEmpty, isNear: nearSound() != nil)
        else { return }
        effects.append(.preflight)
        planPreflight()
    }

    /// Learns which parts are configured. The health of others is forgotten: they may never be tested again.
    mutating func configureParts(_ start: Start) {
        preflight.configure(start.kinds)
        for (part, _) in preflight.knownHealth where !start.parts.contains(part) { record(.partRemoved(part)) }
    }

    mutating func healthReported(_ part: Part, _ found: Health) {
        let health = markingPulledOut(part, found)
        let (hasChanged, notifies) = preflight.observe(part, health)
        if hasChanged { record(.healthChanged(part, health)) }
        if notifies { effects.append(.notify(.broken(part, health))) }
    }

    /// The health of the codes: whether the enrolled codes and tags can stop every alarm that is on.
    package var codesHealth: Health {
        var validationContext = validationContext
        // The same validation as when an alarm is saved.
        let problems = alarms.filter(\.isEnabled).flatMap { $0.problems(among: &validationContext) }.filter {
            $0.weight == .unmet && ($0.path.hasSuffix(".codes") || $0.path.hasSuffix(".tags"))
        }
        return problems.isEmpty ? .ok : Health(.codesUnmet(Set(problems.map(\.reason)).sorted().prefix(5).map(\.self)))
    }
}
