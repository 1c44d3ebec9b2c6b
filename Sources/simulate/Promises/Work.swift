// What was honestly done for a session's challenges.

import Alarms
import Engine

/// The world's own record of one session's challenges: how many right pieces were done of each, whatever became of them. The
/// engine may ask for more of them again, and must never be content with fewer.
struct Work {
    let challenges: [Challenge]
    private var pieceCounts: [Int]
    /// When something was last done that was certainly an answer, and before that.
    private var answeredAt = (last: Int.min / 2, before: Int.min / 2)

    init(_ challenges: [Challenge]) {
        self.challenges = challenges
        pieceCounts = challenges.map { _ in 0 }
    }

    /// So many sums take the place of a code, at the least.
    private static let fallbackSums = 5

    /// When something was last done before now: what comes in the moment that it is too late has no effect.
    func answered(before now: Int) -> Int { answeredAt.last < now ? answeredAt.last : answeredAt.before }

    /// Whether enough was done for so many of them, or for all.
    func isDone(_ count: Int? = nil) -> Bool {
        zip(challenges, pieceCounts).prefix(count ?? challenges.count).allSatisfy { Work.neededCount(of: $0) <= $1 }
    }

    /// A restart knows only what is durable.
    mutating func restarted(completed count: Int) {
        for index in challenges.indices.dropFirst(count) {
            pieceCounts[index] = min(pieceCounts[index], Work.neededCount(of: challenges[index]) - 1)
        }
    }

    /// Something is done while this is asked for the challenge at a place. `codes` are those that are enrolled.
    mutating func take(
        _ input: Input, asked: Assignment?, at place: Int, codes: [String: EnrolledCode], now: Int
    ) {
        guard let asked, challenges.indices.contains(place) else { return }
        var count = 1
        let isRight: Bool
        switch (asked, input) {
        case (.sum(let sum, _), .command(.answer(let number), _)): isRight = number == sum.text.computed
        case (.steps, .step): isRight = true
        case (.pattern(let buttons), .button(let button, isDown: true)): isRight = buttons.contains(button)
        case (.tag(let labels), .tag(let digest)): isRight = labels.contains { codes[$0]?.digest == digest }
        case (_, .frame(let seen, _, _)):
            // A code counts, whatever has taken its place.
            guard case .code(let labels) = challenges[place].task,
                seen.flatMap(\.digests).contains(where: { digest in labels.contains { codes[$0]?.digest == digest } })
            else { return }
            (isRight, count) = (true, Work.fallbackSums)
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
    /// Whether this may be asked for it; `isWithoutCamera` says whether sums may take the place of a code.
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
