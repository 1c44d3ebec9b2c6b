// The reports of sessions and their challenges in responses.

import Alarms
import Challenges
import CivilTime
import Engine
import Text

package struct SessionReport: Codable, Hashable, Sendable {
    package enum State: String, Choice, Sendable {
        case ringing
        /// The session rings, and a challenge has begun.
        case challenged
        /// The session rings, but another one is audible.
        case waiting
        case snoozed, resting
        /// The challenges are completed, and the wake-up check is open.
        case checking
    }

    package struct Task: Codable, Hashable, Sendable {
        /// Missing if this version does not have the kind.
        package let kind: String?
        /// The number of sums, steps or presses; missing for a code or a tag.
        package let count: Int?
        package let done: Bool
        /// The challenge that is or was completed in place of this one, because its device is missing.
        package let replacedBy: Challenge?
    }

    package let at: Timestamp
    package let local: LocalTime
    package let alarm: String
    package let label: String
    /// The alarm's note when it became due; missing if it had none.
    package let note: String?
    /// The alarm's category when it became due; missing if it had none.
    package let category: String?
    package let state: State
    /// The end of the snooze or rest. For a wake-up check: the time at which it rings again without an answer.
    package let until: Timestamp?
    package let untilLocal: LocalTime?
    package let secondsLeft: Int?
    package let snoozes: Int
    /// Missing if there is no limit.
    package let snoozesMax: Int?
    /// The length of a snooze that names no other; missing for a test.
    package let snoozeSeconds: Int?
    /// The reason for which a snooze would be refused now: `noSnoozeLeft` or `validating`; missing if it would
    /// not.
    package let snoozeRefused: ErrorCode?
    /// The number of the round that rings, or of the last one if it rests; missing for a test.
    package let round: Int?
    /// The number of rounds after which it gives up; missing for a test.
    package let rounds: Int?
    /// The id of the sound that it rings with now; missing if it is silent or another one is audible.
    package let sound: String?
    /// True if the volume has risen to its full; missing if it is not audible.
    package let rampOver: Bool?
    /// True while the bed shaker shakes for it.
    package let shaking: Bool
    package let lateSeconds: Int
    /// The instant to which the ring was put off, and the same as local time; missing if it was not.
    package let postponedTo: Timestamp?
    package let postponedToLocal: LocalTime?
    /// The seconds by which a movement began the ring ahead of its time; missing if none did.
    package let earlySeconds: Int?
    package let test: Bool
    package let challenges: [Task]
    package let asked: AskedReport?
    /// The wake-up check; missing if none is open.
    package let check: CheckReport?
    /// True while a challenge in progress refuses snoozes.
    package let busy: Bool
    /// The seconds for which the emergency exit must still be held; missing if it is not held.
    package let emergencySeconds: Int?
}

/// The wake-up check of a session whose challenges are completed.
package struct CheckReport: Codable, Hashable, Sendable {
    /// The number of this check, from 1 to 3.
    package let number: Int
    /// The time from which it asks. From then on, any button or the request `awake` answers it.
    package let asks: Timestamp
    /// The same time in the device's zone.
    package let asksLocal: LocalTime
    /// The seconds until then; 0 while it asks.
    package let secondsToAsk: Int
}

/// The challenges that an owner completes ahead of the ring, to change a locked alarm.
package struct UnlockingReport: Codable, Hashable, Sendable {
    package let alarm: String
    package let label: String
    package let asked: AskedReport

    init(_ unlocking: Status.Unlocking) {
        alarm = unlocking.alarm.id
        label = unlocking.alarm.label
        asked = AskedReport(
            unlocking.assignment, unlocking.progress, lockedOutMilliseconds: unlocking.lockedOutMilliseconds,
            isWrong: unlocking.isWrong)
    }
}

/// A scan that waits for a code at the camera or a tag at the reader.
package struct ScanReport: Codable, Hashable, Sendable {
    package enum Purpose: String, Choice, Sendable { case enrol, test }

    package let purpose: Purpose
    package let label: String?
    /// Missing for a test, which accepts codes and tags.
    package let kind: CodeKind?

    package init(_ scan: ScanPurpose) {
        switch scan {
        case .enrol(let label, let kind):
            purpose = .enrol
            self.label = label
            self.kind = CodeKind(kind)
        case .test:
            purpose = .test
            label = nil
            kind = nil
        }
    }
}

/// The challenge that the owner must complete next. The result of a sum is left out.
package struct AskedReport: Codable, SparselyCoded, Hashable, Sendable {
    /// Missing if the device lacks the hardware for the challenge.
    package let kind: Challenge.Kind?
    /// A sum, and its number, by which an answer may name it.
    package private(set) var sum: String?
    package private(set) var sumNumber: Int?
    /// The number of sums or steps that are left, the current one included.
    package private(set) var left: Int?
    /// The number of sums, steps or presses in all. This and the next three are only in a status.
    package private(set) var total: Int?
    /// The number of buttons of the pattern that were pressed.
    package private(set) var pressed: Int?
    /// The time for each sum.
    package private(set) var limitSeconds: Int?
    /// The time until another sum replaces this one.
    package private(set) var secondsLeft: Int?
    /// The seconds of a lock-out, in which no answer is accepted.
    package private(set) var lockedOutSeconds: Int?
    /// True for some seconds after a wrong answer, tag or button.
    package private(set) var wrong: Bool?
    /// The codes or tags that the challenge accepts. The owner shows any one of them.
    package private(set) var labels: [String]?
    /// The buttons in the order of the pattern.
    package private(set) var buttons: [Button]?

    package init(
        _ assignment: Assignment, _ progress: TaskProgress? = nil, lockedOutMilliseconds: Int = 0, isWrong: Bool = false
    ) {
        kind = assignment.kind
        (total, pressed) = (progress?.total, progress?.pressedCount)
        (limitSeconds, secondsLeft) = (progress?.limitSeconds, progress?.leftMilliseconds?.secondsRoundedUp)
        wrong = isWrong ? true : nil
        switch assignment {
        case .sum(let sum, let left):
            self.sum = sum.text
            sumNumber = sum.number
            self.left = left
            lockedOutSeconds = lockedOutMilliseconds.secondsRoundedUp
        case .code(let labels), .tag(let labels): self.labels = labels
        case .steps(let left): self.left = left
        case .pattern(let buttons): self.buttons = buttons
        case .impossible: break
        }
    }
}

package struct SessionOutcome: Codable, SparselyCoded, Hashable, Sendable {
    package enum State: String, Choice, Sendable {
        case snoozed, stopped, nothingRings, asked, unlocked, notLocked
        /// The challenges are done, and a wake-up check follows.
        case checking
        /// A snooze has ended a test ring.
        case testOver
    }

    package let state: State
    /// The alarm that this request snoozed, stopped or unlocked; otherwise missing.
    package var alarm: String?
    package var label: String?
    /// The end of the snooze. For `notLocked`, the time from which the alarm will be locked. For `checking`, the
    /// time at which it asks whether its owner is awake.
    package private(set) var until: Timestamp?
    package private(set) var untilLocal: LocalTime?
    /// The number of snoozes that are left; missing if there is no limit.
    package private(set) var left: Int?
    /// True if the settings shortened or lengthened the snooze.
    package private(set) var clamped: Bool?
    /// `correct`: the answer was right. `late`: it was right for a sum that had already been replaced.
    package private(set) var correct: Bool?
    package private(set) var late: Bool?
    package private(set) var asked: AskedReport?
    /// The alarm that is audible now that this session is silent.
    package private(set) var ringing: AlarmLabel?
    /// The clock of the device, if the response has a time.
    package private(set) var device: DeviceReport?

    package init(_ state: State) { self.state = state }

    package init(_ outcome: Outcome, in engine: Engine) {
        switch outcome {
        case .snoozed(let name, let until, let left, let isClamped, let ringing):
            self.init(.snoozed, name, ringing)
            setTime(Instant(milliseconds: until), in: engine)
            self.until = Timestamp(milliseconds: until)
            self.left = left
            clamped = isClamped
        case .stopped(let name, let ringing): self.init(.stopped, name, ringing)
        case .nothingRings: self.init(.nothingRings)
        case .answered(let isRight, let next):
            self.init(.asked)
            correct = isRight
            asked = next.map { AskedReport($0) }
        case .late(let next):
            self.init(.asked)
            correct = false
            late = true
            asked = AskedReport(next)
        case .completed(let name, let isUnlocked, let ringing):
            self.init(isUnlocked ? .unlocked : .stopped, name, ringing)
            correct = true
        case .checking(let name, let asks, let ringing):
            self.init(.checking, name, ringing)
            setTime(Instant(milliseconds: asks), in: engine)
            correct = true
        case .assigned(let assignment):
            self.init(.asked)
            asked = AskedReport(assignment)
        case .notLocked(let until):
            self.init(.notLocked)
            setTime(until, in: engine)
        case .unwritten(let outcome): self.init(outcome, in: engine)
        case .done, .saved, .configured, .calendarSaved, .skipped, .ringDone, .enrolled, .codeSeen, .restored, .client:
            self.init(.testOver)
        }
    }

    private init(_ state: State, _ name: AlarmName, _ ringing: AlarmName?) {
        self.init(state)
        alarm = name.id
        label = name.label
        self.ringing = ringing.map { AlarmLabel($0) }
    }

    private mutating func setTime(_ until: Instant?, in engine: Engine) {
        self.until = until.map { Timestamp($0) }
        untilLocal = until.map { LocalTime($0, in: engine.zone) }
        device = engine.report(engine.status(nextCount: 0))
    }
}

extension SessionStatus {
    /// The challenge that stops the ring; nil if none has begun.
    package var asked: AskedReport? {
        assignment.map { AskedReport($0, progress, lockedOutMilliseconds: lockedOutMilliseconds, isWrong: isWrong) }
    }

    /// The seconds for which the emergency exit must still be held. At 0 the session ends.
    package var emergencySeconds: Int? { emergencyMilliseconds.map(\.secondsRoundedUp) }

    func report(_ status: Status, in engine: Engine) -> SessionReport {
        let state: SessionReport.State =
            switch session.state {
            case .ringing, .ended: isHeard ? .ringing : .waiting
            case .challenged: isHeard ? .challenged : .waiting
            case .snoozed: .snoozed
            case .resting: .resting
            case .checking: .checking
            }
        let (occurrence, terms) = (session.occurrence, session.terms)
        let sound = isHeard ? engine.sound : nil
        let isUsedUp = terms.snooze.max.map { session.snoozeCount >= $0 } ?? false
        let round = session.restCount + (state == .resting ? 0 : 1)
        let asks = asksMilliseconds.map { Timestamp(milliseconds: status.nowMilliseconds + $0) }
        let check = asks.map { asks in
            CheckReport(
                number: session.checkCount, asks: asks, asksLocal: LocalTime(asks.instant, in: engine.zone),
                secondsToAsk: asksMilliseconds?.secondsRoundedUp ?? 0)
        }
        let until = leftMilliseconds.map { Timestamp(milliseconds: status.nowMilliseconds + $0) }
        return SessionReport(
            at: Timestamp(occurrence.at), local: LocalTime(occurrence.at, in: engine.zone(of: occurrence.alarm)),
            alarm: occurrence.alarm, label: terms.label, note: terms.note.nilIfEmpty,
            category: terms.category.nilIfEmpty, state: state, until: until,
            untilLocal: until.map { LocalTime($0.instant, in: engine.zone) },
            secondsLeft: leftMilliseconds.map(\.secondsRoundedUp), snoozes: session.snoozeCount,
            snoozesMax: terms.snooze.max, snoozeSeconds: terms.isTest ? nil : terms.snoozeSeconds,
            snoozeRefused: terms.isTest ? nil : isBusy ? .validating : isUsedUp ? .noSnoozeLeft : nil,
            round: terms.isTest ? nil : round,
            rounds: terms.isTest ? nil : terms.ring.rounds,
            sound: sound?.ring.sound,
            rampOver: sound.map { engine.clock.uptime >= $0.rampStartUptime + $0.ring.rampSeconds * 1000 },
            shaking: isShaking, lateSeconds: session.lateSeconds,
            postponedTo: session.postponedTo.map { Timestamp($0) },
            postponedToLocal: session.postponedTo.map { LocalTime($0, in: engine.zone(of: occurrence.alarm)) },
            earlySeconds: session.earlySeconds > 0 ? session.earlySeconds : nil,
            test: terms.isTest,
            challenges: terms.challenges.enumerated().map { index, challenge in
                SessionReport.Task(
                    kind: challenge.kind?.rawValue, count: challenge.count,
                    done: index < session.doneMilliseconds.count,
                    replacedBy: index == session.doneMilliseconds.count ? replacement : session.replacements[index])
            }, asked: asked, check: check, busy: isBusy, emergencySeconds: emergencySeconds)
    }
}

extension Challenge {
    /// The number of sums, steps or presses; nil for other challenges.
    fileprivate var count: Int? {
        switch task {
        case .sums(_, let count, _), .steps(let count), .pattern(let count): count
        case .code, .tag, .roulette, .unknown: nil
        }
    }
}

extension String {
    /// The text; nil if it is empty.
    package var nilIfEmpty: String? { isEmpty ? nil : self }
}

extension Int {
    fileprivate var secondsRoundedUp: Int { (self + 999) / 1000 }
}
