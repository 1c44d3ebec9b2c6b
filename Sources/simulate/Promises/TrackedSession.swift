// What the observer knows of one session.

import Alarms
import Engine

/// A session with the observer's record of its snoozes and challenges. Times are milliseconds of the night's time.
struct TrackedSession {
    var status: SessionStatus
    /// When it began, or was found again after a restart.
    var startedAt: Int
    var tally: ChallengeTally
    var silence: Silence?
    /// The snoozes that were asked for while it was heard, and for how long.
    var asks: [(at: Int, seconds: Int?)] = []
    var heardAt: Int?
    var restCount = 0
    /// How often it has been silent because somebody asked for a snooze.
    var snoozeCount = 0
    var isOrphan = false

    init(_ current: SessionStatus, at now: Int) {
        (status, startedAt, tally) = (current, now, ChallengeTally(current.session.terms.challenges))
        heardAt = current.isHeard ? now : nil
    }

    var session: Session { status.session }

    var occurrence: Occurrence { session.occurrence }

    var isSilent: Bool { !status.session.isRinging }

    /// Since when it has certainly been unanswered.
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

/// The observer's record of a pause. Times are milliseconds of the night's time.
struct Silence {
    let phase: Phase
    let lengthMilliseconds: Int
    private(set) var deadline: Int
    let clockSetCount: Int

    /// The grace between a request and its effect: earlier requests, and a slow disk.
    static let graceMilliseconds = 21_000
    static let restMilliseconds = 300_000

    init(_ phase: Phase, milliseconds: Int, _ night: Simulation) {
        (self.phase, lengthMilliseconds, clockSetCount) = (phase, milliseconds, night.clockSetCount)
        deadline = night.now + milliseconds
    }

    /// The service started again. With a trusted clock, and unless `isBehind` (not everything was durable), the deadline stays;
    /// else all of the pause may begin anew.
    mutating func restarted(_ night: Simulation, isBehind: Bool) {
        if !night.clock.isTrusted || night.clockSetCount != clockSetCount || isBehind {
            deadline = night.now + lengthMilliseconds
        }
    }
}

/// The right steps of each challenge of a session. The engine may ask for more, but must not be content with fewer.
struct ChallengeTally {
    let challenges: [Challenge]
    private var pieceCounts: [Int]
    /// When the last two certain answers came.
    private var answeredAt = (last: Int.min / 2, before: Int.min / 2)

    init(_ challenges: [Challenge]) {
        self.challenges = challenges
        pieceCounts = challenges.map { _ in 0 }
    }

    /// At least so many sums stand in for a code.
    private static let fallbackSums = 5

    /// The code of the last answer has been in view all the time: it was no answer.
    mutating func forgetLastAnswer() { answeredAt.last = answeredAt.before }

    /// The last answer before now: one that comes at the very deadline has no effect.
    func answered(before now: Int) -> Int { answeredAt.last < now ? answeredAt.last : answeredAt.before }

    /// Whether enough was done for so many of them, or for all.
    func isDone(_ count: Int? = nil) -> Bool {
        zip(challenges, pieceCounts).prefix(count ?? challenges.count).allSatisfy {
            ChallengeTally.neededCount(of: $0) <= $1
        }
    }

    /// A restart knows only what is durable.
    mutating func restarted(_ durable: DurableState.DurableProgress) {
        pieceCounts = challenges.map(ChallengeTally.neededCount).prefix(durable.doneCount) + [durable.solvedCount]
        pieceCounts += Array(repeating: 0, count: max(0, challenges.count - pieceCounts.count))
    }

    /// Counts an input while this is asked for the challenge at a place. `codes` are the enrolled codes.
    mutating func count(_ input: Input, asked: Assignment?, at place: Int, codes: [String: EnrolledCode], now: Int) {
        guard challenges.indices.contains(place) else { return }
        guard let asked = asked ?? challenges[place].begun(by: input) else { return }
        var count = 1
        let isRight: Bool
        switch (asked, input) {
        case (.sum(let sum, _), .command(.answer(let result, _), _)): isRight = result == sum.text.computed
        case (.steps, .step): isRight = true
        case (.pattern(let buttons), .button(let button, isDown: true, uptime: _)): isRight = buttons.contains(button)
        case (.tag(let labels), .tag(let digests, _)):
            isRight = labels.contains { codes[$0].map { digests.contains($0.digest) } ?? false }
        case (_, .frame(let seen, _, _)):
            // A code counts, also while sums stand in for it.
            guard case .code(let labels) = challenges[place].task,
                seen.flatMap(\.digests).contains(where: { digest in labels.contains { codes[$0]?.digest == digest } })
            else { return }
            (isRight, count) = (true, ChallengeTally.fallbackSums)
        default: return
        }
        if answeredAt.last < now { answeredAt = (now, answeredAt.last) }
        if isRight { pieceCounts[place] += count }
    }

    private static func neededCount(of challenge: Challenge) -> Int {
        switch challenge.task {
        case .sums(_, let count, _), .steps(let count), .pattern(let count): count
        case .code: fallbackSums
        default: 1
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

    /// Whether this assignment belongs to the challenge; `isWithoutCamera`: sums may stand in for a code.
    func isRightlyAsked(as assignment: Assignment, isWithoutCamera: Bool) -> Bool {
        switch (task, assignment) {
        case (.code(let labels), .code(let asked)), (.tag(let labels), .tag(let asked)): labels == asked
        case (.code, .sum): isWithoutCamera
        case (.sums, .sum), (.steps, .steps): true
        case (.pattern(let length), .pattern(let buttons)): buttons.count == length
        default: false
        }
    }
}
