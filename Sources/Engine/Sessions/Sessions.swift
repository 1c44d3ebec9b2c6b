// The open sessions, the one that is heard, and the history.

import Agenda
import Alarms
import CivilTime

/// All open sessions. Their states decide which one is heard, and which one a request or code is meant for.
package struct Sessions: Sendable {
    /// The open sessions, in the order in which they began.
    package private(set) var all: [Session] = []
    package private(set) var past = PastRings()
    /// The session that is heard, and the uptime since which it has been unanswered.
    private(set) var heard: (occurrence: Occurrence, sinceUptime: Int)?
    /// The route on which the speaker plays; nil if it does not play yet.
    private(set) var audibleRoute: String?
    /// The last time at which the owner went to bed, in milliseconds since 1970; nil after the ring of the
    /// morning.
    private(set) var inBedMilliseconds: Int?
    private var ringCount = 0
    private var foundAtStart: Set<Occurrence> = []
    /// The requested test ring, and the uptime at which it begins.
    package private(set) var test: (ring: RingSettings, atUptime: Int)?
    /// The last session that was snoozed, and the uptime of the press or request.
    private var snoozed: (occurrence: Occurrence, uptime: Int)?
    /// The uptimes of the last session ended by a button, and of the last recorded refusal and wrong answer.
    private var endedByButtonUptime = Int.min / 2
    private var stopRefusedUptime = Int.min / 2
    private var wrongUptime = Int.min / 2

    /// The time in which two presses of a person count as one.
    private static let repeatMilliseconds = 500
    /// The shortest time between two recorded refusals of a stop, and between two wrong answers.
    private static let refusalMilliseconds = 1000
    /// The bound on open sessions. An alarm with challenges always gets one.
    static let countMax = 1000

    var isFull: Bool { all.count >= Sessions.countMax }

    /// The session that gives way to an alarm with challenges: the last one without challenges that waits.
    var dispensable: Session? { byRingOrder.last { $0.terms.challenges.isEmpty } }

    subscript(occurrence: Occurrence) -> Session? { all.first { $0.occurrence == occurrence } }

    var isEmpty: Bool { all.isEmpty }

    // MARK: the session that is heard

    /// The session that is heard: the ringing one with the lowest ring order.
    var current: Session? { currentIndex.map { all[$0] } }

    var isAnyRinging: Bool { currentIndex != nil }

    /// True if the current session has an open challenge. Read at each input, so it copies no session.
    var isCurrentToChallenge: Bool {
        guard let currentIndex else { return false }
        return all[currentIndex].doneMilliseconds.count < all[currentIndex].terms.challenges.count
    }

    /// Returns the first session of an alarm in the order of ringing; nil if it has none.
    subscript(alarm id: Alarm.ID) -> Session? { byRingOrder.first { $0.occurrence.alarm == id } }

    var currentIndex: Int? { firstRinging { _ in true } }

    /// Returns the session that is heard when `silent` no longer rings.
    func next(after silent: Session) -> Session? { firstRinging { $0 != silent.occurrence }.map { all[$0] } }

    private func firstRinging(where isMeant: (Occurrence) -> Bool) -> Int? {
        var first: Int?
        for index in all.indices where all[index].isRinging && isMeant(all[index].occurrence) {
            if first.map({ all[index].ringOrder < all[$0].ringOrder }) ?? true { first = index }
        }
        return first
    }

    /// The session that a stop, an answer or a code addresses: the current one, or the next to ring again. In a
    /// wake-up check there is nothing to do but to answer it.
    var addressed: Session? { (currentIndex ?? nextToRing { !$0.isChecking }?.index).map { all[$0] } }

    /// The refusal of a request that is meant for no open session.
    var nothingToEnd: Refusal { current.map { .anotherRings($0.name) } ?? .nothingRings }

    /// Returns the sessions that wait behind this one and have exactly the same challenges and check.
    func alike(_ session: Session) -> [Session] {
        all.filter { other in
            other.occurrence != session.occurrence && !other.terms.challenges.isEmpty && other.isRinging
                && other.terms.challenges.map(\.task) == session.terms.challenges.map(\.task)
                && other.terms.wakeUpCheck == session.terms.wakeUpCheck
        }
    }

    /// The sessions that ring, in their ring order, then the silent ones, in the order of their next ring; last
    /// those whose wake-up check is open.
    package var byRingOrder: [Session] {
        func rank(_ session: Session) -> (Int, Int, Int) {
            (session.isChecking ? 1 : 0, session.pause?.untilUptime ?? .min, session.ringOrder)
        }
        return all.filter { $0.timing != nil }.sorted { rank($0) < rank($1) }
    }

    // MARK: presses

    /// Returns true if a snooze comes with, or right after, the press that snoozed or ended another session.
    func isRepeatedSnooze(_ context: CommandContext) -> Bool {
        snoozed.map { context.uptime - $0.uptime < Sessions.repeatMilliseconds } ?? false
            || isRepeatedStop(context.origin, at: context.uptime)
    }

    /// Returns true if a stop comes from the press that has just ended another session.
    func isRepeatedStop(_ origin: Origin, at uptime: Int) -> Bool {
        origin == .button && uptime - endedByButtonUptime < Sessions.repeatMilliseconds
    }

    mutating func snoozed(_ occurrence: Occurrence, byPressAt uptime: Int) { snoozed = (occurrence, uptime) }

    /// Lets the session that was snoozed since `uptime` ring on as before. Returns it, or nil if there is none.
    mutating func takeBackSnooze(since uptime: Int, at now: Int) -> Occurrence? {
        guard let snoozed, snoozed.uptime >= uptime, case .snoozed? = self[snoozed.occurrence]?.state else {
            return nil
        }
        change(snoozed.occurrence) { $0.ringAgain(ringOrder: nil, at: now) }
        self.snoozed = nil
        return snoozed.occurrence
    }

    mutating func endedByButton(at uptime: Int) { endedByButtonUptime = uptime }

    /// Counts a refused stop. Returns whether to record it.
    mutating func refuseStop(at uptime: Int) -> Bool {
        guard uptime - stopRefusedUptime >= Sessions.refusalMilliseconds else { return false }
        stopRefusedUptime = uptime
        return true
    }

    /// Counts a wrong answer. Returns whether to record it.
    mutating func answerWrongly(at uptime: Int) -> Bool {
        guard uptime - wrongUptime >= Sessions.refusalMilliseconds else { return false }
        wrongUptime = uptime
        return true
    }

    // MARK: tests

    mutating func prepareTest(_ ring: RingSettings, at uptime: Int) { test = (ring, uptime) }

    /// Cancels a test that is to begin: an alarm rings.
    mutating func forgetTest() { test = nil }

    /// Removes and returns the test ring that is due, or nil if none is or a session is open.
    mutating func takeTest(at uptime: Int) -> RingSettings? {
        guard let test, test.atUptime <= uptime else { return nil }
        self.test = nil
        return isEmpty ? test.ring : nil
    }

    // MARK: deadlines

    /// Returns the next deadline. `isSnoozePending`: a snooze that is being written counts as an answer.
    func nextDeadline(at uptime: Int, isSnoozePending: Bool) -> Deadline {
        Deadline.uptime(nextSound(at: uptime)?.uptime).orEarlier(
            .uptime(isSnoozePending ? nil : unansweredUptime(now: uptime))
        )
        .orEarlier(.uptime(nextStepUptime(after: uptime))).orEarlier(.uptime(nextChimeUptime(after: uptime)))
    }

    /// The next ring of a session that is silent, the next question of a wake-up check, or the next test ring,
    /// and its settings.
    func nextSound(at uptime: Int) -> (uptime: Int, ring: RingSettings)? {
        let (next, question) = (nextToRing { _ in true }, nextQuestion(after: uptime))
        if let test, test.atUptime < next?.uptime ?? .max { return (test.atUptime, test.ring) }
        if let question, question.uptime < next?.uptime ?? .max { return question }
        return next.map { ($0.uptime, all[$0.index].ringAfterPause) }
    }

    private func nextToRing(where isMeant: (Session) -> Bool) -> (index: Int, uptime: Int)? {
        var next: (index: Int, uptime: Int)?
        for index in all.indices {
            guard let uptime = all[index].pause?.untilUptime, uptime < next?.uptime ?? .max, isMeant(all[index])
            else { continue }
            next = (index, uptime)
        }
        return next
    }

    enum UnansweredResult {
        case ends(Ending)
        /// The session rings on: the machine was asleep, and it was not heard.
        case ringsOn
        case rests(count: Int)
    }

    /// The lateness of a deadline from which the machine is taken to have been asleep.
    private static let sleptMilliseconds = 60_000
    private static let testSeconds = 60

    /// Returns the time at which the session that is heard has rung unanswered for long enough.
    private func unansweredUptime(now uptime: Int) -> Int? {
        currentIndex.map { index in
            let since = heard.flatMap { $0.occurrence == all[index].occurrence ? $0.sinceUptime : nil } ?? uptime
            let seconds = all[index].terms.ring.ringSeconds
            return since + (all[index].terms.isTest ? min(seconds, Sessions.testSeconds) : seconds) * 1000
        }
    }

    /// Returns the session that is heard and its fate, or nil before its deadline.
    func unanswered(at uptime: Int) -> (Session, UnansweredResult)? {
        guard let until = unansweredUptime(now: uptime), until <= uptime, let session = current else { return nil }
        if session.terms.isTest { return (session, .ends(.cancelled)) }
        if uptime - until >= Sessions.sleptMilliseconds { return (session, .ringsOn) }
        let count = session.restCount + 1
        return (session, count < session.terms.ring.rounds ? .rests(count: count) : .ends(.unanswered))
    }

    // MARK: events

    /// Lets a session ring, for the first time or after a restart.
    mutating func ring(_ occurrence: Occurrence, risenMilliseconds: Int, at uptime: Int) {
        ringCount += 1
        change(occurrence) { [ringCount] in
            $0.ring(risenMilliseconds: risenMilliseconds, ringOrder: ringCount, at: uptime)
        }
    }

    /// Ends the first pause that is over, or returns nil. Its session rings behind those that ring already.
    /// Returns the session as it was in the pause.
    mutating func endPause(at uptime: Int) -> Session? {
        guard let next = nextToRing(where: { _ in true }), next.uptime <= uptime else { return nil }
        ringCount += 1
        let paused = all[next.index]
        all[next.index].ringAgain(ringOrder: ringCount, at: uptime)
        return paused
    }

    /// Marks the session whose challenge is being done; nil for none.
    mutating func challenge(_ challenged: Occurrence?) {
        for index in all.indices { all[index].challenge(all[index].occurrence == challenged) }
    }

    mutating func start() {
        foundAtStart = Set(all.map(\.occurrence))
    }

    /// Returns the sessions that were open at the start, and whose last ring or pause ended too long ago to
    /// wake the sleeper now.
    func forgotten(at now: Instant) -> [Session] {
        all.filter {
            foundAtStart.contains($0.occurrence)
                && now.secondsSince1970 - $0.activeMilliseconds / 1000 > Sessions.forgottenSeconds
        }
    }

    private static let forgottenSeconds = 12 * 3600

    /// Updates the session that is heard. Returns one that takes over a playing route.
    mutating func updateHeard(at uptime: Int) -> (Occurrence, route: String)? {
        let current = currentIndex.map { all[$0].occurrence }
        guard heard?.occurrence != current else { return nil }
        heard = current.map { ($0, uptime) }
        if heard == nil { audibleRoute = nil }
        guard let current, let audibleRoute else { return nil }
        return (current, audibleRoute)
    }

    /// Records that the speaker plays the session that is heard; nil if no sound is ordered.
    mutating func play(by route: String?) { audibleRoute = route }

    /// Restarts the unanswered timeout of the session that is heard: a person is up.
    mutating func answered(at uptime: Int) {
        heard = heard.map { ($0.occurrence, uptime) }
    }

    // MARK: facts

    /// Applies an entry. Returns the missed rings that a step back of the clock takes back.
    mutating func apply(_ entry: Entry) -> [MissedRings] {
        let milliseconds = entry.millisecondsSince1970
        switch entry.fact {
        case .fired(let session): if self[session.occurrence] == nil { all.append(session) }
        case .challengeDone(let occurrence, let index, let replacement):
            change(occurrence) { $0.complete(index, replacedBy: replacement, at: milliseconds) }
        case .sumSolved(let occurrence, let index, let count): change(occurrence) { $0.solve(count, of: index) }
        case .lockedOut(let occurrence, let until): change(occurrence) { $0.lockedOutUntilMilliseconds = until }
        case .snoozed(let occurrence, let count, let until):
            change(occurrence) { $0.snooze(count: count, at: milliseconds, until: until) }
        case .rested(let occurrence, let count, let until):
            change(occurrence) { $0.rest(count: count, at: milliseconds, until: until) }
        case .checkBegan(let occurrence, let count, let until):
            change(occurrence) { $0.check(count: count, at: milliseconds, until: until) }
        case .checkFailed(let occurrence): change(occurrence) { $0.failCheck(at: milliseconds) }
        case .resumed(let occurrence): change(occurrence) { $0.resume(at: milliseconds) }
        case .snoozeTakenBack(let occurrence): change(occurrence) { $0.takeBackSnooze(at: milliseconds) }
        case .audioStarted(let occurrence, _, _): change(occurrence) { $0.isHeard = true }
        case .shakerStarted(let occurrence): change(occurrence) { $0.isShaken = true }
        case .ended(let occurrence, let ending, let sender, let other, _):
            end(occurrence, ending, by: sender, with: other, at: milliseconds)
        case .postponed(let id, let postponed, endsSession: true, let sender):
            end(Occurrence(alarm: id, at: postponed.ring), .postponed, by: sender, with: nil, at: milliseconds)
        case .inBed(let milliseconds, _): inBedMilliseconds = milliseconds
        case .missed(let missed): past.add(PastRing(missed, endedMilliseconds: milliseconds))
        case .done(let occurrence, let ahead, let sender):
            let mark = DoneMark(milliseconds, by: sender)
            if let ahead { past.add(PastRing(occurrence, ahead, mark)) } else { past.markDone(occurrence, mark) }
        case .pastKept(let ring): past.add(ring)
        case .historyCleared(let before, _): past.clear(before: before)
        case .clockStepped(let from, let to):
            for index in all.indices { all[index].clockWasSet(by: to - from) }
            if to < from { return past.revokeMissed(at: Clock.Step(from: from, to: to).instant) }
        default: break
        }
        return []
    }

    /// Changes a session, or one that has just ended: an earlier request may become durable after the end.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        if let index = all.firstIndex(where: { $0.occurrence == occurrence }) {
            change(&all[index])
        } else {
            past.change(occurrence, change)
        }
    }

    private mutating func end(
        _ occurrence: Occurrence, _ ending: Ending, by sender: Sender?, with other: Occurrence?, at milliseconds: Int
    ) {
        guard let index = all.firstIndex(where: { $0.occurrence == occurrence }) else {
            return past.endPostponed(occurrence, ending, at: milliseconds)
        }
        var session = all.remove(at: index)
        (session.endedWith, session.endedBy) = (other, sender)
        // A waiting session counts as heard if the ringing one was.
        if session.isRinging, all.contains(where: { $0.isRinging && $0.isHeard }) { session.isHeard = true }
        guard !session.terms.isTest else { return }
        if ending == .dismissed, let night = bedtime(before: milliseconds) {
            (session.inBedMilliseconds, inBedMilliseconds) = (night, nil)
        }
        past.add(PastRing(session, ending, endedMilliseconds: milliseconds))
    }
}
