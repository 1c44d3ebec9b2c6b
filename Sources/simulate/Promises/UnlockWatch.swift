// Promise 3, the other way round: whoever has done an alarm's challenges ahead may change it.

import Alarms
import Engine

/// The world's own record of what was done to unlock an alarm before it rings.
struct UnlockWatch {
    /// What is being unlocked, and what was done for it.
    private var begun: (alarm: Alarm.ID, work: Work)?
    private var assignment: Assignment?
    /// The alarms that are unlocked, and ahead of which of their rings.
    private(set) var unlocked: [Alarm.ID: Set<Int>] = [:]

    /// An alarm is to be unlocked.
    mutating func begin(_ alarm: Alarm, _ assignment: Assignment) {
        if begun?.alarm != alarm.id { begun = (alarm.id, Work(alarm.challenges)) }
        ask(assignment)
    }

    /// Somebody was told what is next.
    mutating func ask(_ assignment: Assignment) {
        begun?.work.draw(assignment)
        // The camera is back, or gone: what was begun was for nothing.
        if self.assignment?.kind != assignment.kind { begun?.work.forgetPieces() }
        self.assignment = assignment
    }

    mutating func willGive(
        _ input: Input, codes: [String: EnrolledCode], at now: Int, ring: (Alarm.ID, Set<Int>) -> Int?
    ) {
        guard let alarm = begun?.alarm, let assignment else { return }
        begun?.work.take(input, assignment, codes: codes, at: now)
        guard begun?.work.isDone == true else { return }
        if let ring = ring(alarm, unlocked[alarm] ?? []) { unlocked[alarm, default: []].insert(ring) }
        forget()
    }

    /// Something rings now: what was begun is for nothing.
    mutating func forget() {
        (begun, assignment) = (nil, nil)
    }

    mutating func died() {
        forget()
        unlocked = [:]
    }
}
