// The texts for parts of the status.

import API
import Alarms
import CivilTime
import Text

extension StatusReport {
    /// The session to show first: the audible one, otherwise the first in the list.
    var foremost: SessionReport? { sessions.first(where: \.isHeard) ?? sessions.first }

    /// The camera's fault, if a code must be shown, or if another challenge replaces a code; otherwise nil.
    var cameraFault: String? {
        let isNeeded =
            unlocking?.asked.kind == .qr
            || sessions.contains {
                $0.asked?.kind == .qr || $0.asked != nil && $0.open?.kind == Challenge.Kind.qr.rawValue
            }
        guard isNeeded || scan.map({ !$0.isForTag }) == true else { return nil }
        return health.first { $0.part == .camera && $0.grade == .broken }?.text.asSentence
    }

    /// The obstacle to reading a code: the camera's fault, otherwise a problem in its view; nil if there is
    /// none.
    var cameraTrouble: String? { cameraFault ?? camera?.trouble }
}

extension SessionReport {
    /// True if this session is the audible one.
    var isHeard: Bool { state == .ringing || state == .challenged }

    /// The instant at which a ring began early.
    var began: Instant { (postponedTo ?? at).instant.advanced(by: -(earlySeconds ?? 0)) }

    /// The first challenge that is not done yet.
    var open: Task? { challenges.first { !$0.done } }

    /// The number of snoozes that are left; nil if there is no limit.
    var snoozesLeft: Int? { snoozesMax.map { max(0, $0 - snoozes) } }

    /// The instruction for the current challenge; nil if none has begun.
    var askedText: String? {
        let name = open.flatMap { task in task.replacedBy.map { _ in task.name.lowercased() } }
        return asked.map { $0.text + (name.map { ", instead of the \($0)" } ?? "") }
    }
}

extension SessionReport.Task {
    var name: String { (kind.flatMap { Challenge.Kind(rawValue: $0)?.name } ?? kind ?? "?").inOneLine }
}

extension UnlockingReport {
    var text: String { "\(asked.text), to unlock \(shownName)" }
}

extension ScanReport {
    /// True if the scan accepts only tags.
    var isForTag: Bool { kind == .tag }

    var text: String {
        guard let label else { return "A code is being tested: hold it in front of the camera" }
        if isForTag { return "The tag \(label.quoted) is being enrolled: hold it to the reader" }
        return "The code \(label.quoted) is being enrolled: hold it in front of the camera"
    }
}

extension AskedReport {
    /// The instruction, such as "Solve: 12 + 30 — rooster answer N (2 sums left)".
    var text: String {
        switch kind {
        case .math:
            let wait = lockedOutSeconds.flatMap { $0 > 0 ? "Wait \($0) s, then solve" : nil } ?? "Solve\(limit)"
            return "\(wait): \(sum?.inOneLine ?? "") — rooster answer N\(rest)"
        case .qr: return "Show the code \(list) to the camera"
        case .tag: return "Hold the tag \(list) to the reader"
        case .steps:
            let all = total.map { " of \($0)" } ?? ""
            return "Walk\(left.map { ": \($0)\(all) \($0 == 1 && total == nil ? "step" : "steps") to go" } ?? "")"
        case .pattern:
            let order = (buttons ?? []).map(\.rawValue).joined(separator: ", ")
            let done = pressed.flatMap { $0 > 0 ? " (\($0) of \(buttons?.count ?? 0) pressed)" : nil } ?? ""
            return "Press the buttons in this order: \(order)\(done)"
        case .roulette, nil: return "This device cannot do this challenge"
        }
    }

    /// The text for a wrong answer a moment ago; nil if there was none.
    var wrongText: String? {
        guard wrong == true else { return nil }
        return switch kind {
        case .tag: "This tag is not the one for this alarm"
        case .pattern: "That was the wrong button, and the order is a new one"
        default: "The last answer was wrong"
        }
    }

    /// The number of sums that are left, the current one included; empty at the last sum.
    private var rest: String { left.flatMap { $0 > 1 ? " (\($0) sums left)" : nil } ?? "" }

    /// The time for the sum, unless it is the usual one; empty if it is not known.
    private var limit: String {
        guard let limitSeconds, limitSeconds != Challenge.Limits.sumSecondsDefault else { return "" }
        return " within \(TimeText.length(limitSeconds))"
    }

    private var list: String {
        (labels ?? []).isEmpty ? "of the alarm" : (labels ?? []).map(\.quoted).joined(separator: " or ")
    }
}
