// The escalation of an alarm: the stronger sounds of an unanswered ring.

import JSON
import Text

/// A step of an escalation.
public struct EscalationStep: Hashable, Sendable {
    /// The time for which the ring has been heard when the step takes effect.
    package var afterSeconds = 300
    /// The id of the sound from then on.
    package var sound = ""
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    /// The step of an alarm whose owner said nothing: a square wave of 520 Hz, which wakes more sleepers than
    /// any other sound that was studied.
    package static let standard = EscalationStep(after: 300, sound: "square520")

    package init(after seconds: Int, sound: String) { (afterSeconds, self.sound) = (seconds, sound) }
}

extension EscalationStep: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("after", &afterSeconds)
        table.member("sound", &sound)
    }
}

extension Alarm {
    /// The steps of the alarm: its own, or the standard one.
    package var escalationSteps: [EscalationStep] { escalation ?? [.standard] }

    /// All sounds with which the alarm may ring, each with its path.
    package var sounds: [(path: String, sound: String)] {
        [("ring.sound", ring.sound)]
            + (escalation ?? []).enumerated().map { ("escalate[\($0)].sound", $1.sound) }
    }

    /// Every reason why the steps cannot be kept.
    var escalationProblems: [Problem] {
        guard let steps = escalation else { return [] }
        if steps.count > Limits.escalationSteps {
            return [Problem("escalate", "must have at most \(Limits.escalationSteps) steps, not \(steps.count)")]
        }
        var problems: [Problem] = []
        for (index, step) in steps.enumerated() {
            func note(_ member: String, _ reason: String) {
                problems.append(Problem("escalate[\(index)]\(member)", reason))
            }
            let (range, seconds) = (Limits.ringSeconds, step.afterSeconds)
            if !range.contains(seconds) {
                note(".after", "must be between \(range.lowerBound) and \(range.upperBound) seconds, not \(seconds)")
            } else if index > 0, seconds <= steps[index - 1].afterSeconds {
                note(".after", "must be later than the step before")
            }
            if step.sound.isEmpty { note(".sound", "must not be empty") }
            if step.sound.utf8.count > Limits.soundBytes {
                note(".sound", "must have at most \(Limits.soundBytes) bytes")
            }
        }
        return problems
    }

    /// Returns whether the ring is at every time at least as escalated as the other's. The loudness of sounds is
    /// not compared: a sound counts only if the other has it then or later, or if it is the standard step's and
    /// the other has not escalated by then.
    func isAsEscalatedAs(_ other: Alarm) -> Bool {
        let (mine, others) = (stages, other.stages)
        return (mine + others).map(\.afterSeconds).allSatisfy { seconds in
            let sound = mine.last { $0.afterSeconds <= seconds }?.sound
            let reached = others.lastIndex { $0.afterSeconds <= seconds } ?? 0
            return others[reached...].contains { $0.sound == sound }
                || reached == 0 && sound == EscalationStep.standard.sound
        }
    }

    /// The sound at the beginning, and the steps.
    private var stages: [EscalationStep] { [EscalationStep(after: 0, sound: ring.sound)] + escalationSteps }
}
