// The escalation of an alarm: a stronger sound, or the shaker, for an unanswered ring.

import JSON
import Text

/// A step of an escalation.
public struct EscalationStep: Hashable, Sendable {
    /// The time for which the ring has been heard when the step takes effect.
    package var afterSeconds = 300
    /// The id of the sound from then on; nil to keep the one before.
    package var sound: String?
    /// True if the bed shaker shakes from then on; nil if the step does not change that.
    package var shaker: Bool?
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    package var shakes: Bool { shaker ?? false }

    /// The step of an alarm whose owner said nothing: a square wave of 520 Hz, which wakes more sleepers than
    /// any other sound that was studied.
    package static let standard = EscalationStep(after: 300, sound: "square520")

    package init(after seconds: Int, sound: String?, shakes: Bool = false) {
        (afterSeconds, self.sound, shaker) = (seconds, sound, shakes ? true : nil)
    }
}

extension EscalationStep: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("after", &afterSeconds)
        table.member("sound", &sound, isOmitted: sound == nil)
        table.member("shaker", &shaker, isOmitted: shaker == nil)
    }
}

extension Alarm {
    /// The steps of the alarm: its own, or the standard one for an alarm with a sound.
    package var escalationSteps: [EscalationStep] { escalation ?? (ring.isSilent ? [] : [.standard]) }

    /// All sounds with which the alarm may ring, each with its path.
    package var sounds: [(path: String, sound: String)] {
        var sounds: [(path: String, sound: String)] =
            ring.sound == RingSettings.noSound ? [] : [("ring.sound", ring.sound)]
        for (index, step) in (escalation ?? []).enumerated() {
            if let sound = step.sound { sounds.append(("escalate[\(index)].sound", sound)) }
        }
        return sounds
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
            if step.sound == nil, !step.shakes { note("", "must have a sound or the shaker") }
            if step.sound == "" || step.sound == RingSettings.noSound { note(".sound", "must be a sound") }
            if let sound = step.sound, sound.utf8.count > Limits.soundBytes {
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
            let reached = others.lastIndex { $0.afterSeconds <= seconds } ?? 0
            guard let now = mine.last(where: { $0.afterSeconds <= seconds }), now.shakes || !others[reached].shakes
            else { return false }
            return others[reached...].contains { $0.sound == now.sound }
                || reached == 0 && now.sound == EscalationStep.standard.sound
        }
    }

    /// The ring at the beginning and at each step, with the sound and the shaker that are in force then.
    private var stages: [EscalationStep] {
        escalationSteps.reduce(into: [EscalationStep(after: 0, sound: ring.sound, shakes: ring.shakes)]) {
            stages, step in
            let before = stages[stages.count - 1]
            stages.append(
                EscalationStep(
                    after: step.afterSeconds, sound: step.sound ?? before.sound, shakes: step.shakes || before.shakes))
        }
    }
}
