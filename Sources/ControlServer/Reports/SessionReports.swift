// What rings, what is asked of its sleeper, and why something is refused, as answers report it.

import API
import Alarms
import CivilTime
import Engine
import JSON

extension SessionStatus {
    /// The challenge that must be met now to stop the ring; nil if there is none.
    var asked: AskedReport? { assignment.map { AskedReport($0, lockedOutMilliseconds: lockedOutMilliseconds) } }

    /// For how many more seconds its emergency way out must be held; at 0 the session ends.
    var emergencySeconds: Int? { emergencyMilliseconds.map(\.secondsRoundedUp) }

    func report(_ status: Status, in engine: Engine) -> SessionReport {
        let state: SessionReport.State =
            switch session.state {
            case .ringing, .challenged, .ended: isHeard ? .ringing : .waiting
            case .snoozed: .snoozed
            case .resting: .resting
            }
        let (occurrence, terms) = (session.occurrence, session.terms)
        let until = leftMilliseconds.map { Timestamp(milliseconds: status.nowMilliseconds + $0) }
        return SessionReport(
            at: Timestamp(occurrence.at), local: LocalTime(occurrence.at, in: engine.zone(of: occurrence.alarm)),
            alarm: occurrence.alarm, label: terms.label, state: state, until: until,
            untilLocal: until.map { LocalTime($0.instant, in: engine.zone) },
            secondsLeft: leftMilliseconds.map(\.secondsRoundedUp), snoozes: session.snoozeCount,
            snoozesMax: terms.snooze.max, lateSeconds: session.lateSeconds, test: terms.isTest,
            challenges: terms.challenges.enumerated().map { index, challenge in
                SessionReport.Task(
                    kind: challenge.kind?.rawValue, done: index < session.doneMilliseconds.count)
            }, asked: asked, emergencySeconds: emergencySeconds)
    }
}

extension Int {
    fileprivate var secondsRoundedUp: Int { (self + 999) / 1000 }
}

extension AskedReport {
    /// The assignment as clients show it, without the result of a sum.
    init(_ assignment: Assignment, lockedOutMilliseconds: Int = 0) {
        switch assignment {
        case .sum(let sum, let left):
            self.init(.math)
            (self.sum, sumNumber, self.left) = (sum.text, sum.number, left)
            lockedOutSeconds = lockedOutMilliseconds.secondsRoundedUp
        case .code(let labels):
            self.init(.qr)
            self.labels = labels
        case .tag(let labels):
            self.init(.tag)
            self.labels = labels
        case .steps(let left):
            self.init(.steps)
            self.left = left
        case .pattern(let buttons):
            self.init(.pattern)
            self.buttons = buttons.map(\.rawValue)
        case .impossible: self.init(.impossible)
        }
    }
}

extension AlarmLabel {
    init(_ name: AlarmName) { self.init(alarm: name.id, label: name.label) }
}

extension SessionOutcome {
    init(_ outcome: Outcome, in engine: Engine) {
        switch outcome {
        case .snoozed(let name, let until, let left, let isClamped, let ringing):
            self.init(.snoozed, name, ringing)
            self.until = Timestamp(milliseconds: until)
            untilLocal = self.until.map { LocalTime($0.instant, in: engine.zone) }
            (self.left, clamped) = (left, isClamped)
            house = engine.report(engine.status(nextCount: 0))
        case .stopped(let name, let ringing): self.init(.stopped, name, ringing)
        case .nothingRings: self.init(.nothingRings)
        case .answered(let isRight, let next):
            self.init(.asked)
            (right, asked) = (isRight, next.map { AskedReport($0) })
        case .late(let next):
            self.init(.asked)
            (right, late, asked) = (false, true, AskedReport(next))
        case .completed(let name, let isUnlocked, let ringing):
            self.init(isUnlocked ? .unlocked : .stopped, name, ringing)
            right = true
        case .assigned(let assignment):
            self.init(.asked)
            asked = AskedReport(assignment)
        case .notLocked(let until):
            self.init(.notLocked)
            self.until = until.map { Timestamp($0) }
            untilLocal = until.map { LocalTime($0, in: engine.zone) }
            house = engine.report(engine.status(nextCount: 0))
        case .unwritten(let outcome): self.init(outcome, in: engine)
        // A snooze ends a test.
        case .done, .saved, .configured, .calendarSaved, .skipped, .enrolled, .codeSeen, .restored: self.init(.testOver)
        }
    }

    private init(_ state: State, _ name: AlarmName, _ ringing: AlarmName?) {
        self.init(state)
        (alarm, label, self.ringing) = (name.id, name.label, ringing.map { AlarmLabel($0) })
    }
}

extension Refused {
    init(_ refusal: Refusal) {
        let problems: [Problem] = if case .problems(let problems) = refusal { problems } else { [] }
        self.init(RefusalName(refusal), "\(refusal)", problems: problems.map(ProblemReport.init))
        if case .locked(let name, let isOpen) = refusal { (alarm, self.isOpen) = (AlarmLabel(name), isOpen) }
        if case .changedMeanwhile(let revision) = refusal { self.revision = revision }
    }
}

extension RefusalName {
    fileprivate init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .noSuchAlarm: .noSuchAlarm
            case .noSuchCode: .noSuchCode
            case .problems: .problems
            case .locked: .locked
            case .changedMeanwhile: .changedMeanwhile
            case .nothingRings: .nothingRings
            case .anotherRings: .anotherRings
            case .ringing: .ringing
            case .noSnoozeLeft: .noSnoozeLeft
            case .tooSoon: .tooSoon
            case .challengesOpen: .challengesOpen
            case .challengeOpen: .challengeOpen
            case .validating: .validating
            case .nothingAsked: .nothingAsked
            case .lockedOut: .lockedOut
            case .noEmergencyExit: .noEmergencyExit
            case .noCamera: .noCamera
            case .noTagReader: .noTagReader
            case .randomTag: .randomTag
            case .looking: .looking
            case .noCodeSeen: .noCodeSeen
            case .severalCodes: .severalCodes
            case .enrolledAlready: .enrolledAlready
            case .cancelled: .cancelled
            case .busy: .busy
            case .tooMany: .tooMany
            case .notKept: .notKept
            }
    }
}
