// The checker's record of one session.

import Alarms
import Challenges
import Engine

/// A session with the checker's counts of its snoozes and answers. Times are the night's milliseconds.
struct TrackedSession {
    var status: SessionStatus
    /// The time at which the session began, or a restart found it.
    var startedAt: Int
    var tally: ChallengeTally
    var silence: Silence?
    /// The snooze requests while it was heard, each with its requested length.
    var asks: [(at: Int, seconds: Int?)] = []
    var heardAt: Int?
    var restCount = 0
    var snoozeCount = 0
    /// The number of its snoozes that were taken back, but are still in the journal.
    var takenBackCount = 0
    /// `ButtonWatch.pairCount` when its last snooze was taken back.
    var pairCount = 0
    var isOrphan = false
    var escalation: EscalationWatch
    var wakeUpCheck = WakeUpCheckWatch()

    init(_ current: SessionStatus, at now: Int) {
        (status, startedAt, tally) = (current, now, ChallengeTally(current.session.terms.challenges))
        heardAt = current.isHeard ? now : nil
        escalation = EscalationWatch(at: now)
    }

    var session: Session { status.session }

    var occurrence: Occurrence { session.occurrence }

    var isSilent: Bool { !status.session.isRinging }

    /// Returns the time since which the session has certainly been unanswered, or nil if it is not heard.
    func unansweredSince(at now: Int) -> Int? { heardAt.map { max($0, tally.answered(before: now)) } }

    var ringMilliseconds: Int { status.session.terms.ring.ringSeconds * 1000 }
}

extension SessionStatus {
    var phase: Phase {
        switch session.state {
        case .ringing: isHeard ? .ringing : .waiting
        case .challenged: isHeard ? .challenged : .waiting
        case .snoozed: .snoozed
        case .resting: .resting
        case .checking: .checking
        case .ended(let ending): .ended(ending)
        }
    }
}

struct SessionStep: Hashable, CustomStringConvertible {
    let from: Phase
    let to: Phase

    var description: String {
        [from, to].map { if case .ended(let ending) = $0 { "\(ending)" } else { "\($0)" } }.joined(separator: " → ")
    }
}

/// The checker's record of a pause. Times are milliseconds of the night's time.
struct Silence {
    let phase: Phase
    let lengthMilliseconds: Int
    private(set) var deadline: Int
    let clockSetCount: Int

    /// The longest delay between a request and its effect, caused by earlier requests and a slow disk.
    static let graceMilliseconds = 21_000

    init(_ phase: Phase, milliseconds: Int, _ night: Simulation) {
        (self.phase, lengthMilliseconds, clockSetCount) = (phase, milliseconds, night.clockSetCount)
        deadline = night.now + milliseconds
    }

    /// Records a restart. If the clock is trusted and was not set, and everything was durable (not
    /// `isBehind`), the deadline stays. Otherwise the pause may start again.
    mutating func restarted(_ night: Simulation, isBehind: Bool) {
        if !night.clock.isTrusted || night.clockSetCount != clockSetCount || isBehind {
            deadline = night.now + lengthMilliseconds
        }
    }
}

/// The correct steps in each challenge of a session. The engine may require more, but not fewer.
struct ChallengeTally {
    let challenges: [Challenge]
    private var pieceCounts: [Int]
    /// The times of the last two certain answers.
    private var answeredAt = (last: Int.min / 2, before: Int.min / 2)

    init(_ challenges: [Challenge]) {
        self.challenges = challenges
        pieceCounts = challenges.map { _ in 0 }
    }

    /// The least number of sums that replace a challenge. A piece of a challenge counts as much, and a sum that
    /// replaces it as much as the challenge has pieces.
    private static let fallbackSums = 5

    /// Forgets the last answer. Its code has been in view from the beginning, so it does not count.
    mutating func forgetLastAnswer() { answeredAt.last = answeredAt.before }

    /// Returns the time of the last answer before now. An answer exactly at the deadline has no effect.
    func answered(before now: Int) -> Int { answeredAt.last < now ? answeredAt.last : answeredAt.before }

    /// Returns true if enough was done for the first `count` challenges, or for all.
    func isDone(_ count: Int? = nil) -> Bool {
        zip(challenges, pieceCounts).prefix(count ?? challenges.count).allSatisfy {
            ChallengeTally.neededCount(of: $0) <= $1
        }
    }

    /// Resets the counts to the durable ones: a restart finds no others.
    mutating func restarted(_ durable: DurableState.DurableProgress) {
        pieceCounts =
            challenges.map(ChallengeTally.neededCount).prefix(durable.doneCount)
            + [durable.solvedCount * ChallengeTally.fallbackSums]
        pieceCounts += Array(repeating: 0, count: max(0, challenges.count - pieceCounts.count))
    }

    /// Counts an input for the challenge at `place`. `asked` is the present assignment of the challenge.
    mutating func count(_ input: Input, asked: Assignment?, at place: Int, codes: [String: EnrolledCode], now: Int) {
        guard challenges.indices.contains(place) else { return }
        guard let asked = asked ?? challenges[place].begun(by: input) else { return }
        var count = ChallengeTally.fallbackSums
        let isRight: Bool
        // Codes, tags and steps count even while sums replace them.
        switch (challenges[place].task, asked, input) {
        case (let task, .sum(let sum, _), .command(.answer(let result, _), _)):
            isRight = result == sum.text.computed
            if case .sums = task { break }
            count = ChallengeTally.neededCount(of: challenges[place]) / ChallengeTally.fallbackSums
        case (.steps, _, .step): isRight = true
        case (_, .pattern(let buttons), .button(let button, isDown: true, uptime: _)):
            isRight = buttons.contains(button)
        case (.tag(let labels), _, .tag(let digests, _)):
            isRight = labels.contains { codes[$0].map { digests.contains($0.digest) } ?? false }
        case (.code(let labels), _, .frame(let seen, _, _)):
            guard seen.flatMap(\.digests).contains(where: { digest in labels.contains { codes[$0]?.digest == digest } })
            else { return }
            isRight = true
        default: return
        }
        if answeredAt.last < now { answeredAt = (now, answeredAt.last) }
        if isRight { pieceCounts[place] += count }
    }

    private static func neededCount(of challenge: Challenge) -> Int {
        switch challenge.task {
        case .sums(_, let count, _), .steps(let count), .pattern(let count): count * fallbackSums
        default: fallbackSums
        }
    }
}

extension Challenge {
    fileprivate func begun(by input: Input) -> Assignment? {
        switch (task, input) {
        case (.steps(let count), .step): .steps(left: count)
        case (.tag(let labels), .tag): .tag(labels: labels)
        default: nil
        }
    }

    /// Returns true if an assignment fits the challenge. If `isWithoutDevice`, sums may replace it.
    func isRightlyAsked(as assignment: Assignment, isWithoutDevice: Bool) -> Bool {
        switch (task, assignment) {
        case (.code(let labels), .code(let asked)), (.tag(let labels), .tag(let asked)): labels == asked
        case (.sums, .sum), (.steps, .steps): true
        case (_, .sum): isWithoutDevice
        case (.pattern(let length), .pattern(let buttons)): buttons.count == length
        default: false
        }
    }
}
