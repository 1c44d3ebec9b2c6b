// Whether what ringing needs is in order, tried out while there is still time to mend it.

import Alarms
import CivilTime

/// How each part is, and when all are tried out: every evening, and once after a start.
struct Preflight: Sendable {
    /// How the parts are that were ever looked at.
    private(set) var health: [Part: Health] = [:]
    /// Whether one of them is broken.
    private(set) var isBroken = false
    /// The next evening; nil where it is switched off.
    private(set) var evening: Instant?
    private(set) var firstLookUptime: Int?
    /// The parts of which somebody was told since the last evening that they are broken.
    private var toldBroken: Set<Part> = []

    private static let firstLookMilliseconds = 60_000

    /// In the order in which they are told.
    var knownHealth: [(part: Part, health: Health)] {
        Part.allCases.compactMap { part in health[part].map { (part, $0) } }
    }

    /// What is known of the camera.
    var camera: CameraState {
        guard let health = health[.camera], health.grade == .broken else { return .usable }
        return health.causes.contains(.cameraPulledOut) ? .pulledOut : .broken
    }

    mutating func apply(_ fact: Fact) {
        guard case .healthChanged(let part, let health) = fact else { return }
        self.health[part] = health
        isBroken = self.health.values.contains { $0.grade == .broken }
    }

    mutating func plan(_ setting: DayRule, in zone: Zone, after instant: Instant) {
        guard case .at(let time) = setting else { return evening = nil }
        var alarm = Alarm(id: "preflight")
        alarm.time = time
        alarm.recurrence = Recurrence(.daily)
        evening = Schedule(alarm, in: zone).next(after: instant)?.occurrence.at
    }

    /// It is done after a start as well, for the evening may be over: when a machine that was just switched on has found its
    /// cards, and it is known whether something is about to ring.
    mutating func start(at uptime: Int) {
        guard evening != nil else { return }
        firstLookUptime = max(uptime + Engine.readyMilliseconds, Preflight.firstLookMilliseconds)
        toldBroken = Set(health.filter { $0.value.grade == .broken }.keys)
    }

    /// Whether all is to be tried out now. What rings, or is about to, needs the speaker and the camera, and tells by itself how
    /// it goes.
    mutating func isDue(now: Instant, uptime: Int, rings: Bool, isNear: Bool) -> Bool {
        if evening == nil || rings || isNear { firstLookUptime = nil }
        let isEvening = evening.map { $0 <= now } ?? false
        guard !rings, isEvening || firstLookUptime.map({ $0 <= uptime }) ?? false else { return false }
        firstLookUptime = nil
        if isEvening { toldBroken = [] }
        return true
    }

    /// A part was found to be so. Only what has changed is written down; what stays broken is told once each evening.
    mutating func find(_ part: Part, _ new: Health) -> (isOther: Bool, isTold: Bool) {
        let isOther = health[part] != new
        guard new.grade == .broken else { return (isOther, false) }
        return (isOther, toldBroken.insert(part).inserted || isOther)
    }
}

extension Engine {
    /// One that waits for a ring to be over waits still.
    mutating func planPreflightUnlessWaiting() {
        if preflight.evening.map({ $0 > clock.instant }) ?? true { planPreflight() }
    }

    private mutating func planPreflight() {
        preflight.plan(agenda.settings.preflight, in: agenda.zones.device(agenda.settings), after: clock.instant)
    }

    mutating func watchPreflight() {
        guard
            preflight.isDue(
                now: clock.instant, uptime: clock.uptime, rings: !sessions.isEmpty, isNear: nearSound() != nil)
        else { return }
        effects.append(.preflight)
        planPreflight()
    }

    mutating func found(_ part: Part, _ found: Health) {
        let isBroken = part == .camera && found.grade == .broken
        let health = isBroken && isCameraPulledOut ? Health(.cameraPulledOut) : found
        let (isOther, isTold) = preflight.find(part, health)
        if isOther { note(.healthChanged(part, health)) }
        if isTold { effects.append(.notify(.broken(part, health))) }
    }

    /// Whether a camera that gives no frames counts as pulled out by its owner: it was there, and goes from when an alarm is
    /// locked until it has rung.
    private var isCameraPulledOut: Bool {
        guard let before = preflight.health[.camera] else { return false }
        guard before.grade != .broken || preflight.camera == .pulledOut else { return false }
        return !sessions.isEmpty || !lockedAlarms.isEmpty
    }

    /// Whether every alarm that is on can be stopped by the codes and tags that are enrolled.
    public var codesHealth: Health {
        var surroundings = surroundings
        // By the rule by which an alarm is taken or refused.
        let problems = alarms.filter(\.isEnabled).flatMap { $0.problems(among: &surroundings) }.filter {
            $0.weight == .unmet && ($0.place.hasSuffix(".codes") || $0.place.hasSuffix(".tags"))
        }
        return problems.isEmpty ? .ok : Health(.codesUnmet(Set(problems.map(\.reason)).sorted().prefix(5).map(\.self)))
    }
}
