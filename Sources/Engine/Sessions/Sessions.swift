// The open sessions, which of them is heard, and the history of those that have ended.

import Alarms
import CivilTime

/// All open sessions. Which one is heard, and which one a stop, a code or an answer is meant for, follows from their states.
package struct Sessions: Sendable {
    /// The open sessions, in the order in which they began.
    package private(set) var all: [Session] = []
    package private(set) var past = PastRings()
    /// The session that is heard, and since when it has been unanswered.
    private(set) var heard: (occurrence: Occurrence, sinceUptime: Int)?
    /// The route by which the speaker plays; nil where it does not play yet.
    private(set) var audibleRoute: String?
    private var ringCount = 0
    private var foundAtStart: Set<Occurrence> = []
    /// A test ring that was asked for, and when it begins.
    package private(set) var test: (ring: RingSettings, atUptime: Int)?
    /// The uptimes of the last granted snooze, of the last session that a button ended, and of the last recorded refusal.
    private var snoozedUptime = Int.min / 2
    private var endedByButtonUptime = Int.min / 2
    private var stopRefusedUptime = Int.min / 2

    /// The debounce of a person: two presses within this time are one.
    private static let repeatMilliseconds = 500
    /// Refused stops are recorded at most this often.
    private static let refusalMilliseconds = 1000
    /// The bound on open sessions.
    static let countMax = 1000

    subscript(occurrence: Occurrence) -> Session? { all.first { $0.occurrence == occurrence } }

    var isEmpty: Bool { all.isEmpty }

    // MARK: which is heard

    /// The session that is heard: of those that ring, the one with the lowest ring order.
    var current: Session? { currentIndex.map { all[$0] } }

    var isAnyRinging: Bool { currentIndex != nil }

    /// Whether the current session has a challenge that is not done. It is asked at each input, so it copies no session.
    var isCurrentToChallenge: Bool {
        guard let currentIndex else { return false }
        return all[currentIndex].doneMilliseconds.count < all[currentIndex].terms.challenges.count
    }

    private var currentIndex: Int? { firstRinging { _ in true } }

    /// The session that is heard when `silent` no longer rings.
    func next(after silent: Session) -> Session? { firstRinging { $0 != silent.occurrence }.map { all[$0] } }

    private func firstRinging(where isMeant: (Occurrence) -> Bool) -> Int? {
        var first: Int?
        for index in all.indices where all[index].isRinging && isMeant(all[index].occurrence) {
            if first.map({ all[index].ringOrder < all[$0].ringOrder }) ?? true { first = index }
        }
        return first
    }

    /// The session that a stop, an answer or a code is meant for: the one that is heard, or else the next to ring again.
    var addressed: Session? { (currentIndex ?? nextToRing?.index).map { all[$0] } }

    /// Why a request that is for none of them is refused.
    var nothingToEnd: Refusal { current.map { .anotherRings($0.name) } ?? .nothingRings }

    /// The sessions that wait behind this one and have exactly the same challenges.
    func alike(_ session: Session) -> [Session] {
        all.filter { other in
            other.occurrence != session.occurrence && !other.terms.challenges.isEmpty && other.isRinging
                && other.terms.challenges.map(\.task) == session.terms.challenges.map(\.task)
        }
    }

    /// Those that ring, in their ring order, then those that are silent, in the order in which they ring again.
    package var byRingOrder: [Session] {
        all.filter { $0.timing != nil }.sorted {
            ($0.pause?.untilUptime ?? .min, $0.ringOrder) < ($1.pause?.untilUptime ?? .min, $1.ringOrder)
        }
    }

    /// The sound to play: that of the first session with challenges, or else of the first session. It is as loud as the loudest
    /// session that rings, and its ramp is that of the earliest: a soft alarm masks no loud one.
    var soundOrder: SoundOrder? {
        guard let index = currentIndex, let timing = all[index].timing else { return nil }
        var order = SoundOrder(
            occurrence: all[index].occurrence, ring: all[index].terms.ring, rampStartUptime: timing.rampStartUptime)
        guard all.count > 1 else { return order }
        let current = all[index]
        var sounding = current
        for other in all where other.occurrence != current.occurrence && other.isRinging {
            order.ring.volume = max(order.ring.volume, other.terms.ring.volume)
            order.ring.rampSeconds = min(order.ring.rampSeconds, other.terms.ring.rampSeconds)
            order.rampStartUptime = min(order.rampStartUptime, other.timing?.rampStartUptime ?? .max)
            let isFirst = sounding.terms.challenges.isEmpty || other.ringOrder < sounding.ringOrder
            if isFirst, !other.terms.challenges.isEmpty { sounding = other }
        }
        order.ring.sound = sounding.terms.ring.sound
        return order
    }

    // MARK: presses

    /// Whether a snooze comes from the press that has just snoozed or ended another session, or from one right after it.
    func isRepeatedSnooze(_ context: CommandContext) -> Bool {
        context.uptime - snoozedUptime < Sessions.repeatMilliseconds
            || isRepeatedStop(context.origin, at: context.uptime)
    }

    /// Whether a stop comes from the press that has just ended another session.
    func isRepeatedStop(_ origin: Origin, at uptime: Int) -> Bool {
        origin == .button && uptime - endedByButtonUptime < Sessions.repeatMilliseconds
    }

    mutating func snoozed(byPressAt uptime: Int) { snoozedUptime = uptime }

    mutating func endedByButton(at uptime: Int) { endedByButtonUptime = uptime }

    /// A stop was refused. Returns whether to record it.
    mutating func refuseStop(at uptime: Int) -> Bool {
        guard uptime - stopRefusedUptime >= Sessions.refusalMilliseconds else { return false }
        stopRefusedUptime = uptime
        return true
    }

    // MARK: tests

    mutating func prepareTest(_ ring: RingSettings, at uptime: Int) { test = (ring, uptime) }

    /// An alarm cancels a test that is to come.
    mutating func forgetTest() { test = nil }

    /// Takes the test ring that is due; nil where none is, or a session is open.
    mutating func takeTest(at uptime: Int) -> RingSettings? {
        guard let test, test.atUptime <= uptime else { return nil }
        self.test = nil
        return isEmpty ? test.ring : nil
    }

    // MARK: deadlines

    /// `isSnoozePending`: a snooze on its way to the disk counts as an answer.
    func nextDeadline(at uptime: Int, isSnoozePending: Bool) -> Deadline {
        Deadline.uptime(nextSound?.uptime).orEarlier(.uptime(isSnoozePending ? nil : unansweredUptime(now: uptime)))
    }

    /// The next sound of a session that is silent, or of a test.
    var nextSound: (uptime: Int, sound: String)? {
        let next = nextToRing
        if let test, test.atUptime < next?.uptime ?? .max { return (test.atUptime, test.ring.sound) }
        return next.map { ($0.uptime, all[$0.index].terms.ring.sound) }
    }

    private var nextToRing: (index: Int, uptime: Int)? {
        var next: (index: Int, uptime: Int)?
        for index in all.indices {
            guard let uptime = all[index].pause?.untilUptime, uptime < next?.uptime ?? .max else { continue }
            next = (index, uptime)
        }
        return next
    }

    /// What becomes of an unanswered session.
    enum UnansweredResult {
        case ends(Ending)
        /// The machine was asleep, and the session was not heard: it rings on.
        case ringsOn
        case rests(count: Int)
    }

    /// How long an unanswered session rests.
    static let restMilliseconds = 300_000
    /// How often it rings before it gives up.
    private static let roundsMax = 3
    /// A deadline that is processed so late was missed because the machine was asleep.
    private static let sleptMilliseconds = 60_000
    /// The longest test ring.
    private static let testSeconds = 60

    /// When the session that is heard will have rung unanswered for long enough.
    private func unansweredUptime(now uptime: Int) -> Int? {
        currentIndex.map { index in
            let since = heard.flatMap { $0.occurrence == all[index].occurrence ? $0.sinceUptime : nil } ?? uptime
            let seconds = all[index].terms.ring.ringSeconds
            return since + (all[index].terms.isTest ? min(seconds, Sessions.testSeconds) : seconds) * 1000
        }
    }

    /// What becomes of the session that is heard; nil before its deadline.
    func unanswered(at uptime: Int) -> (Session, UnansweredResult)? {
        guard let until = unansweredUptime(now: uptime), until <= uptime, let session = current else { return nil }
        if session.terms.isTest { return (session, .ends(.cancelled)) }
        if uptime - until >= Sessions.sleptMilliseconds { return (session, .ringsOn) }
        let count = session.restCount + 1
        return (session, count < Sessions.roundsMax ? .rests(count: count) : .ends(.unanswered))
    }

    // MARK: what happens

    /// A session begins to ring, or goes on ringing after a restart.
    mutating func ring(_ occurrence: Occurrence, risenMilliseconds: Int, at uptime: Int) {
        ringCount += 1
        change(occurrence) { [ringCount] in
            $0.ring(risenMilliseconds: risenMilliseconds, ringOrder: ringCount, at: uptime)
        }
    }

    /// Ends the first pause that is over: its session rings again, behind those that ring already. Nil where no pause is over.
    mutating func endPause(at uptime: Int) -> Occurrence? {
        guard let next = nextToRing, next.uptime <= uptime else { return nil }
        ringCount += 1
        all[next.index].ringAgain(ringOrder: ringCount, at: uptime)
        return all[next.index].occurrence
    }

    /// Marks the session whose challenge is being done; nil for none.
    mutating func challenge(_ challenged: Occurrence?) {
        for index in all.indices { all[index].challenge(all[index].occurrence == challenged) }
    }

    mutating func start() {
        foundAtStart = Set(all.map(\.occurrence))
    }

    /// The sessions that were open at the start and became due so long ago that they must not wake anybody any more.
    func forgotten(at now: Instant) -> [Session] {
        all.filter {
            foundAtStart.contains($0.occurrence) && now.seconds(since: $0.occurrence.at) > Sessions.forgottenSeconds
        }
    }

    private static let forgottenSeconds = 12 * 3600

    /// Updates which session is heard. Returns one that takes over a route that already plays, which is not reported again.
    mutating func updateHeard(at uptime: Int) -> (Occurrence, route: String)? {
        let current = currentIndex.map { all[$0].occurrence }
        guard heard?.occurrence != current else { return nil }
        heard = current.map { ($0, uptime) }
        if heard == nil { audibleRoute = nil }
        guard let current, let audibleRoute else { return nil }
        return (current, audibleRoute)
    }

    /// The speaker plays the session that is heard.
    mutating func play(by route: String) { audibleRoute = route }

    /// Somebody is up: restarts the unanswered timeout of the session that is heard.
    mutating func answered(at uptime: Int) {
        heard = heard.map { ($0.occurrence, uptime) }
    }

    // MARK: what the facts say

    /// Applies an entry. Returns the missed rings that a step back of the clock takes back.
    mutating func apply(_ entry: Entry) -> [MissedRings] {
        let milliseconds = entry.millisecondsSince1970
        switch entry.fact {
        case .fired(let session): if self[session.occurrence] == nil { all.append(session) }
        case .challengeDone(let occurrence, let index): change(occurrence) { $0.complete(index, at: milliseconds) }
        case .sumSolved(let occurrence, let index, let count): change(occurrence) { $0.solve(count, of: index) }
        case .lockedOut(let occurrence, let until): change(occurrence) { $0.lockedOutUntilMilliseconds = until }
        case .snoozed(let occurrence, let count, let until):
            change(occurrence) { $0.snooze(count: count, at: milliseconds, until: until) }
        case .rested(let occurrence, let count, let until):
            change(occurrence) { $0.rest(count: count, at: milliseconds, until: until) }
        case .resumed(let occurrence): change(occurrence) { $0.resume() }
        case .audioStarted(let occurrence, _, _): change(occurrence) { $0.isHeard = true }
        case .ended(let occurrence, let ending, _, let other, _):
            end(occurrence, ending, with: other, at: milliseconds)
        case .missed(let missed): past.add(PastRing(missed, endedMilliseconds: milliseconds))
        case .pastKept(let ring): past.add(ring)
        case .clockStepped(let from, let to) where to < from:
            return past.revokeMissed(at: Clock.Step(from: from, to: to).instant)
        default: break
        }
        return []
    }

    /// Changes one session, or one that has just ended: a request from before its end may become durable after it.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        if let index = all.firstIndex(where: { $0.occurrence == occurrence }) {
            change(&all[index])
        } else {
            past.change(occurrence, change)
        }
    }

    private mutating func end(
        _ occurrence: Occurrence, _ ending: Ending, with other: Occurrence?, at milliseconds: Int
    ) {
        guard let index = all.firstIndex(where: { $0.occurrence == occurrence }) else { return }
        var session = all.remove(at: index)
        session.endedWith = other
        // One that waits is as audible as the one before it.
        if session.isRinging, all.contains(where: { $0.isRinging && $0.isHeard }) { session.isHeard = true }
        guard !session.terms.isTest else { return }
        past.add(PastRing(session, ending, endedMilliseconds: milliseconds))
    }
}
