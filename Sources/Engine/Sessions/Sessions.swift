// The sessions that have not ended, whose turn it is, and how those went that have.

import Alarms
import CivilTime

/// All sessions. Which of them is heard, and what a stop, a code or an answer is meant for, follows from their states.
struct Sessions: Sendable {
    /// Those that have not ended, in the order in which they began.
    private(set) var all: [Session] = []
    private(set) var past = PastRings()
    /// The session that is heard, and since when nobody has answered it.
    private(set) var heard: (occurrence: Occurrence, sinceUptime: Int)?
    /// By which route the speaker plays; nil where nothing is heard yet.
    private(set) var audibleRoute: String?
    private var turnCount = 0
    /// Those that the start found.
    private var foundAtStart: Set<Occurrence> = []
    /// A test that was asked for, and when it is to ring.
    private(set) var test: (ring: RingSettings, atUptime: Int)?
    /// When the last granted snooze was asked for, a button last ended something, and a refused stop was last written down.
    private var snoozedUptime = Int.min / 2
    private var endedByButtonUptime = Int.min / 2
    private var stopRefusedUptime = Int.min / 2

    /// Two presses in so short a time are one.
    private static let repeatMilliseconds = 500
    /// Whoever hammers on the button is written down once in so long.
    private static let refusalMilliseconds = 1000
    /// Nobody can answer more sessions than this at once.
    static let countMax = 1000

    subscript(occurrence: Occurrence) -> Session? { all.first { $0.occurrence == occurrence } }

    var isEmpty: Bool { all.isEmpty }

    // MARK: whose turn it is

    /// The session that is heard: of those that ring, the one whose turn came first.
    var current: Session? { currentIndex.map { all[$0] } }

    private var currentIndex: Int? { firstRinging { _ in true } }

    /// The session that is heard when another falls silent.
    func next(after silent: Session) -> Session? { firstRinging { $0 != silent.occurrence }.map { all[$0] } }

    private func firstRinging(where isMeant: (Occurrence) -> Bool) -> Int? {
        var first: Int?
        for index in all.indices where all[index].isRinging && isMeant(all[index].occurrence) {
            if first.map({ all[index].turn < all[$0].turn }) ?? true { first = index }
        }
        return first
    }

    /// The session that a stop, an answer or a code is meant for: the one that is heard, else the one that rings again first.
    var addressed: Session? { (currentIndex ?? nextToRing?.index).map { all[$0] } }

    /// Those that wait behind a session for the very same challenges.
    func alike(_ session: Session) -> [Session] {
        all.filter { other in
            other.occurrence != session.occurrence && !other.terms.challenges.isEmpty && other.isRinging
                && other.terms.challenges.map(\.task) == session.terms.challenges.map(\.task)
        }
    }

    /// First those that ring, in the order of their turns; then those that are silent, in the order in which they ring again.
    var byTurn: [Session] {
        all.filter { $0.timing != nil }.sorted {
            ($0.pause?.untilUptime ?? .min, $0.turn) < ($1.pause?.untilUptime ?? .min, $1.turn)
        }
    }

    /// What is heard: the first of the sessions that has challenges, else the first. It is as loud as the loudest that waits, and
    /// has risen as soon as the first of them would have: a soft alarm hides no loud one.
    var soundOrder: SoundOrder? {
        guard let current, let timing = current.timing else { return nil }
        var order = SoundOrder(
            occurrence: current.occurrence, ring: current.terms.ring, rampStartUptime: timing.rampStartUptime)
        guard all.count > 1 else { return order }
        var sounding = current
        for other in all where other.occurrence != current.occurrence && other.isRinging {
            order.ring.volume = max(order.ring.volume, other.terms.ring.volume)
            order.ring.rampSeconds = min(order.ring.rampSeconds, other.terms.ring.rampSeconds)
            order.rampStartUptime = min(order.rampStartUptime, other.timing?.rampStartUptime ?? .max)
            let isFirst = sounding.terms.challenges.isEmpty || other.turn < sounding.turn
            if isFirst, !other.terms.challenges.isEmpty { sounding = other }
        }
        order.ring.sound = sounding.terms.ring.sound
        return order
    }

    // MARK: presses

    /// Whether a snooze is asked for by the press that has snoozed or ended another already, or by one right behind it.
    func isRepeatedSnooze(_ asking: Asking) -> Bool {
        asking.uptime - snoozedUptime < Sessions.repeatMilliseconds || isRepeatedStop(asking.door, at: asking.uptime)
    }

    /// Whether it is the press that has ended another.
    func isRepeatedStop(_ door: Door, at uptime: Int) -> Bool {
        door == .button && uptime - endedByButtonUptime < Sessions.repeatMilliseconds
    }

    mutating func snoozed(byPressAt uptime: Int) { snoozedUptime = uptime }

    mutating func endedByButton(at uptime: Int) { endedByButtonUptime = uptime }

    /// A stop was refused. Answers whether that is written down.
    mutating func refuseStop(at uptime: Int) -> Bool {
        guard uptime - stopRefusedUptime >= Sessions.refusalMilliseconds else { return false }
        stopRefusedUptime = uptime
        return true
    }

    // MARK: tests

    mutating func prepareTest(_ ring: RingSettings, at uptime: Int) { test = (ring, uptime) }

    /// An alarm does not wait for a test.
    mutating func forgetTest() { test = nil }

    /// How the test rings that is to ring now; nil where none is.
    mutating func takeTest(at uptime: Int) -> RingSettings? {
        guard let test, test.atUptime <= uptime else { return nil }
        self.test = nil
        return isEmpty ? test.ring : nil
    }

    // MARK: deadlines

    /// What is silent and is heard next, if nothing else is.
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

    /// What comes of a session that nobody answers.
    enum Unanswered {
        case ends(Ending)
        /// The machine has slept: nobody could hear it meanwhile.
        case ringsOn
        case rests(count: Int)
    }

    /// So long a session rests that nobody answered.
    static let restMilliseconds = 300_000
    /// So often it rings until it gives up.
    private static let roundsMax = 3
    /// Whoever looks so late has slept, and so has the machine.
    private static let sleptMilliseconds = 60_000
    /// So long a test rings at most.
    private static let testSeconds = 60

    /// When the session that is heard has rung unanswered for long enough.
    func unansweredUptime(now uptime: Int) -> Int? {
        currentIndex.map { index in
            let since = heard.flatMap { $0.occurrence == all[index].occurrence ? $0.sinceUptime : nil } ?? uptime
            let seconds = all[index].terms.ring.ringSeconds
            return since + (all[index].terms.isTest ? min(seconds, Sessions.testSeconds) : seconds) * 1000
        }
    }

    /// What comes now of the session that is heard; nil while somebody may answer it still.
    func unanswered(at uptime: Int) -> (Session, Unanswered)? {
        guard let until = unansweredUptime(now: uptime), until <= uptime, let session = current else { return nil }
        if session.terms.isTest { return (session, .ends(.cancelled)) }
        if uptime - until >= Sessions.sleptMilliseconds { return (session, .ringsOn) }
        let count = session.restCount + 1
        return (session, count < Sessions.roundsMax ? .rests(count: count) : .ends(.unanswered))
    }

    // MARK: what happens

    /// It begins to ring, or goes on ringing after a start.
    mutating func ring(_ occurrence: Occurrence, risenMilliseconds: Int, at uptime: Int) {
        turnCount += 1
        change(occurrence) { [turnCount] in $0.ring(risenMilliseconds: risenMilliseconds, turn: turnCount, at: uptime) }
    }

    /// A session whose pause is over rings again, behind those that ring already. Answers with it; nil where no pause is over.
    mutating func endPause(at uptime: Int) -> Occurrence? {
        guard let next = nextToRing, next.uptime <= uptime else { return nil }
        turnCount += 1
        all[next.index].ringAgain(turn: turnCount, at: uptime)
        return all[next.index].occurrence
    }

    /// The challenge that was begun is one of this session, or of none.
    mutating func challenge(_ challenged: Occurrence?) {
        for index in all.indices { all[index].challenge(all[index].occurrence == challenged) }
    }

    /// The service has started.
    mutating func start() {
        foundAtStart = Set(all.map(\.occurrence))
    }

    /// Those that the start found and that became due so long ago that nobody is to be woken by them any more.
    func forgotten(at now: Instant) -> [Session] {
        all.filter {
            foundAtStart.contains($0.occurrence) && now.seconds(since: $0.occurrence.at) > Sessions.forgottenSeconds
        }
    }

    private static let forgottenSeconds = 12 * 3600

    /// Another session may be heard from now on. Answers with the route that goes on playing: the speaker does not say so again.
    mutating func hearCurrent(at uptime: Int) -> (Occurrence, route: String)? {
        let current = currentIndex.map { all[$0].occurrence }
        guard heard?.occurrence != current else { return nil }
        heard = current.map { ($0, uptime) }
        if heard == nil { audibleRoute = nil }
        guard let current, let audibleRoute else { return nil }
        return (current, audibleRoute)
    }

    /// The speaker plays the session that is heard.
    mutating func play(by route: String) { audibleRoute = route }

    /// Somebody is there: the session that is heard has been answered, if not ended.
    mutating func answered(at uptime: Int) {
        heard = heard.map { ($0.occurrence, uptime) }
    }

    // MARK: what the facts say

    /// Answers with the misses that a clock takes back that was set back.
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
            return past.takeBackMissed(at: Clock.Step(from: from, to: to).instant)
        default: break
        }
        return []
    }

    /// Changes one session; also one that has just ended, for an earlier request may become durable after its end.
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
        guard !session.terms.isTest else { return }
        past.add(PastRing(session, ending, endedMilliseconds: milliseconds))
    }
}
