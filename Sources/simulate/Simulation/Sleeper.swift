// The sleeper: snoozes, presses stop, shows wrong codes, and gets up in the end.

import Alarms
import Challenges
import Engine

enum SleeperAction {
    case press(Button)
    case step
    /// Holds a tag to the reader.
    case touch(tag: String)
    /// Shows a code to the camera; nil takes it out of view.
    case show(code: String?)
    case answer(Int)
    /// Sends the answer to a wake-up check.
    case awake
}

/// A person in bed, with a random delay before each reaction.
struct Sleeper {
    private(set) var nextAt: Int?
    /// The time at which the sleeper answers a wake-up check; nil if they sleep on.
    private(set) var answersAt: Int?
    private var chance: SeededGenerator
    private var isSolving = false
    private var isPressingAgain = false
    /// True if the code is out of view, and comes into view next.
    private var isCodeAway = false
    /// The pattern that is being pressed, and the number of presses so far.
    private var pattern: (buttons: [Button], pressedCount: Int) = ([], 0)
    /// The assignment that unlocks an alarm ahead of time, and the time at which the sleeper gives up.
    private var ahead: (assignment: Assignment, until: Int)?

    init(chance: SeededGenerator) {
        self.chance = chance
    }

    mutating func restarted() {
        isSolving = false
        (ahead, answersAt) = (nil, nil)
    }

    /// Asks whether the sleeper is awake. Half of them are not, and some answer too late.
    mutating func isChecked(at now: Int) {
        answersAt = chance.number(in: 0...1) == 0 ? nil : now + chance.number(in: 100...chance.pick([20_000, 400_000]))
    }

    mutating func answerCheck() -> SleeperAction {
        answersAt = nil
        return chance.pick([.press(.snooze), .press(.stop), .touch(tag: "cat"), .show(code: "bathroom"), .awake])
    }

    /// Gives the sleeper a challenge without an open session, which unlocks an alarm.
    mutating func isAsked(_ assignment: Assignment, at now: Int) {
        // One sleeper in four gives up at once.
        guard ahead != nil || chance.number(in: 0...3) > 0 else { return }
        ahead = (assignment, ahead?.until ?? now + Sleeper.timeoutMilliseconds)
        nextAt = now + chance.number(in: 300...3000)
    }

    mutating func hasDone() {
        ahead = nil
    }

    private static let timeoutMilliseconds = 300_000

    mutating func handleSound(_ order: SoundOrder?, at now: Int) {
        ahead = nil
        guard order != nil else {
            (nextAt, isSolving) = (nil, false)
            return
        }
        guard nextAt == nil else { return }
        nextAt = now + chance.number(in: 500...chance.pick([5000, 60_000, 1_200_000]))
    }

    mutating func act(_ status: SessionStatus?, codes: [EnrolledCode], sees: Bool, at now: Int) -> [SleeperAction] {
        nextAt = nil
        if let ahead, status == nil, now < ahead.until {
            nextAt = now + chance.number(in: 300...2000)
            return solve(ahead.assignment, codes: codes, sees: sees, at: now)
        }
        guard let status, status.isHeard else { return [] }
        // After getting up, the sleeper may sit down again.
        if isSolving, chance.number(in: 0...11) == 0 {
            isSolving = false
            nextAt = now + chance.number(in: 60_000...1_200_000)
            return []
        }
        if isPressingAgain {
            isPressingAgain = false
            nextAt = now + chance.number(in: 1000...30_000)
            return [.press(.snooze)]
        }
        if !isSolving {
            let (action, range): (SleeperAction?, ClosedRange<Int>) =
                switch chance.number(in: 0...13) {
                case 10: (.show(code: "attic"), 1000...60_000)
                case 11: (.touch(tag: "cat"), 1000...60_000)
                case 12: (.step, 1...200)
                case 13: (.press(.snooze), Sleeper.twiceMilliseconds)
                case 0...2: (.press(.snooze), 1000...30_000)
                case 3: (.press(.stop), 300...20_000)
                case 4: (.show(code: "milk"), 1000...60_000)
                case 5: (.answer(-1), 1000...60_000)
                // The sleeper sleeps on.
                case 6: (nil, 60_000...3_600_000)
                default: (nil, 0...0)
                }
            isPressingAgain = range == Sleeper.twiceMilliseconds
            guard range.upperBound == 0 else {
                nextAt = now + chance.number(in: range)
                return action.map { [$0] } ?? []
            }
            isSolving = true
        }
        nextAt = now + chance.number(in: 300...2000)
        // The sleeper may press snooze instead. A stumble counts as two steps.
        if chance.number(in: 0...15) == 0 { return [.press(.snooze)] }
        let actions = solve(status.assignment, codes: codes, sees: sees, at: now)
        if case .steps = status.assignment, chance.number(in: 0...3) == 0 { return actions + actions }
        return actions
    }

    /// The time between two presses, if the sleeper is not sure of the first.
    private static let twiceMilliseconds = 150...400

    private mutating func solve(
        _ assignment: Assignment?, codes: [EnrolledCode], sees: Bool, at now: Int
    ) -> [SleeperAction] {
        switch assignment {
        case nil, .impossible: return [.press(.stop)]
        case .code(let labels):
            guard sees, let code = codes.first(where: { $0.kind == .qr && labels.contains($0.label) }) else {
                nextAt = now + 20_000
                return []
            }
            isCodeAway.toggle()
            guard isCodeAway else { return [.show(code: code.digest.text)] }
            nextAt = now + 1000 + chance.number(in: 0...1000)
            return [.show(code: nil)]
        case .sum(let sum, _): return [.answer(sum.text.computed)]
        case .steps: return [.step]
        case .pattern(let buttons):
            if pattern.buttons != buttons || pattern.pressedCount == buttons.count { pattern = (buttons, 0) }
            pattern.pressedCount += 1
            return [.press(buttons[pattern.pressedCount - 1])]
        case .tag(let labels): return [.touch(tag: labels[0])]
        }
    }
}

extension String {
    /// The result of a sum, computed from its text as the sleeper would.
    var computed: Int {
        replacing("− ", with: "+ -").split(separator: " + ").map { term in
            term.split(separator: " × ").reduce(1) { $0 * (Int($1) ?? 0) }
        }.reduce(0, +)
    }
}
