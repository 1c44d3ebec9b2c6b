// What was honestly done for a session's challenges.

import Alarms
import Engine

/// The world's own record of one session's challenges: only the next piece of what is asked counts.
struct Work {
    private(set) var challenges: [Challenge]
    /// What is asked now.
    private(set) var assignment: Assignment?
    /// How many are completed.
    private(set) var completedCount = 0
    /// How many pieces of the next one are done.
    private var pieces = 0
    /// The sequence that is to be pressed.
    private var sequence: [Button] = []
    /// When a piece of the next one was last done.
    private(set) var pieceAt: Int?
    /// When somebody last did something that was certainly an answer.
    private var answeredAt = Int.min / 2 {
        didSet { if answeredAt != oldValue { answeredBefore = oldValue } }
    }
    private var answeredBefore = Int.min / 2
    private var steppedAt = Int.min / 2
    init(_ challenges: [Challenge]) {
        self.challenges = challenges
    }

    /// Nobody walks faster.
    private static let stepMilliseconds = 250
    /// What takes the place of a code.
    private static let fallbackSums = 5

    /// When somebody last did something before now: what comes in the moment that it is too late has no effect.
    func answered(before now: Int) -> Int { answeredAt < now ? answeredAt : answeredBefore }

    var isDone: Bool { completedCount == challenges.count }

    /// A restart knows only what is durable, and nothing of what was begun but solved sums.
    mutating func restarted(completed count: Int, sumsSolved: Int) {
        completedCount = min(count, challenges.count)
        assignment = nil
        forgetPieces()
        pieces = sumsSolved
    }

    /// An answer was refused, for none is taken now: it was an answer, and did nothing.
    mutating func wasRefused(before: Work) {
        let answeredAt = answeredAt
        self = before
        self.answeredAt = answeredAt
    }

    /// This is asked from now on, or nothing.
    mutating func ask(_ new: Assignment?) {
        // The camera is back, or gone: what was begun was for nothing.
        if assignment?.kind != new?.kind { forgetPieces() }
        assignment = new
    }

    /// Nothing is asked any more: what was begun was for nothing, but solved sums stay solved.
    private mutating func forgetPieces() {
        if next?.isSums != true { pieces = 0 }
        (sequence, pieceAt, steppedAt) = ([], nil, Int.min / 2)
    }

    /// What is asked shows what a roulette has come to.
    mutating func draw(_ assignment: Assignment) {
        guard case .roulette(let choices) = next?.task,
            let drawn = choices.first(where: { $0.kind == assignment.kind })
        else { return }
        challenges[completedCount] = drawn
    }

    /// Whether a code is next.
    var wantsCode: Bool {
        if case .code = next?.task { true } else { false }
    }

    /// The challenge that is next.
    private var next: Challenge? { isDone ? nil : challenges[completedCount] }

    /// Whether what is asked may be; `isWithoutCamera` says whether something else may take the place of a code.
    func isRightlyAsked(isWithoutCamera: Bool) -> Bool {
        switch (next?.task, assignment) {
        case (.code(let labels), .code(let asked)): labels == asked
        case (.code, .sum(_, let left)): isWithoutCamera && left <= Work.fallbackSums
        case (.sums(_, let count, _), .sum(_, let left)): left + pieces >= count
        case (.steps(let count), .steps(let left)): left + pieces >= count
        case (.pattern(let length), .pattern(let buttons)): buttons.count == length
        case (.tag(let labels), .tag(let asked)): labels == asked
        default: false
        }
    }

    /// Something was done. `codes` are those that are enrolled.
    mutating func take(_ input: Input, codes: [String: EnrolledCode], at now: Int) {
        switch (assignment, input) {
        case (nil, _): break
        case (.sum(let sum, _), .command(.answer(let number), _)):
            answeredAt = now
            guard number == sum.text.computed else { return }
            if case .code = next?.task { did(now, of: Work.fallbackSums) } else { did(now, of: count) }
        case (.steps, .step):
            guard now - Work.stepMilliseconds >= steppedAt else { return }
            (steppedAt, answeredAt) = (now, now)
            did(now, of: count)
        case (.pattern(let buttons), .button(let button, isDown: true)):
            answeredAt = now
            if buttons != sequence { (sequence, pieces) = (buttons, 0) }
            guard pieces < buttons.count, button == buttons[pieces] else { return pieces = 0 }
            did(now, of: buttons.count)
        case (_, .frame(let seen, _)):
            // Frames come again: what has taken the place of a code has it no longer.
            guard case .code(let labels) = next?.task,
                seen.contains(where: { code in isOne(code.digest, of: labels, .qr, codes) })
            else { return }
            answeredAt = now
            did(now, of: 1)
        case (.tag(let labels), .tag(let digest)):
            answeredAt = now
            if isOne(digest, of: labels, .tag, codes) { did(now, of: 1) }
        default: break
        }
    }

    private func isOne(
        _ digest: CodeDigest, of labels: [String], _ kind: Challenge.Kind, _ codes: [String: EnrolledCode]
    ) -> Bool {
        labels.contains { codes[$0]?.kind == kind && codes[$0]?.digest == digest }
    }

    private var count: Int {
        switch next?.task {
        case .sums(_, let count, _), .steps(let count): count
        default: 1
        }
    }

    private mutating func did(_ now: Int, of count: Int) {
        pieces += 1
        pieceAt = now
        if pieces >= count {
            completedCount = min(completedCount + 1, challenges.count)
            pieces = 0
            forgetPieces()
        }
    }
}

extension Challenge {
    /// Whether it is solved sum by sum, and each of them counts.
    var isSums: Bool { if case .sums = task { true } else { false } }
}
