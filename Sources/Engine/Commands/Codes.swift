// The commands that enrol and forget codes and tags.

import Agenda
import Alarms
import Text

extension Engine {
    func enrol(_ code: EnrolledCode) throws(Refusal) -> Decision {
        guard sessions.isEmpty else { throw .ringing }
        let same = agenda.codes.first { $0.label == code.label }
        try refuse(code.problems + mistakenKind(code, besides: same))
        let others = agenda.codes.contains {
            $0.label != code.label && $0.kind == code.kind && $0.digest != code.digest
        }
        let outcome = Outcome.enrolled(asksForAnother: !others && !agenda.settings.hasEmergencyExit)
        guard same != code else { return ([], outcome) }
        // A code with a new label is refused as well. A locked alarm may already name the label, and the
        // code could hang beside the bed.
        try refuseIfLockedBy(code.label)
        if same == nil, agenda.codes.count >= EnrolledCode.countMax {
            throw .tooMany("codes", max: EnrolledCode.countMax)
        }
        return (firstCodeKey + [.codeEnrolled(code)], outcome)
    }

    /// The fact that adds the device's own key, if there is no key yet. It is recorded when first needed,
    /// so that the key of a restored backup comes first.
    var firstCodeKey: [Fact] {
        agenda.codeKeys.isEmpty ? challengeState.newCodeKey.map { [.codeKeyAdded($0)] } ?? [] : []
    }

    /// Refuses a label that cannot be enrolled, before the owner shows the code.
    func refuseEnrolling(_ label: String, _ kind: Challenge.Kind) throws(Refusal) {
        let same = agenda.codes.first { $0.label == label }
        let unseen = EnrolledCode(label: label, kind: kind, digest: CodeDigest("unseen"))
        try refuse(unseen.problems + mistakenKind(unseen, besides: same))
        try refuseIfLockedBy(label)
        if same == nil, agenda.codes.count >= EnrolledCode.countMax {
            throw .tooMany("codes", max: EnrolledCode.countMax)
        }
    }

    /// Returns the keys in a file that this device lacks. The file's codes were hashed with them.
    func newCodeKeys(of file: AlarmsFile) throws(Refusal) -> [CodeKey] {
        let keys = file.codeKeys.filter { !agenda.codeKeys.contains($0) }
        guard agenda.codeKeys.count + keys.count <= CodeKey.countMax else {
            throw .tooMany("keys of codes", max: CodeKey.countMax)
        }
        return keys
    }

    /// Returns a problem if the label names a code but the new one is a tag, or the reverse.
    private func mistakenKind(_ code: EnrolledCode, besides same: EnrolledCode?) -> [Problem] {
        guard let same, same.kind != code.kind else { return [] }
        return [Problem("label", "is already the name of a \(same.kind.name.lowercased()): choose another name")]
    }

    /// Returns the codes of a file that the device has to add. A backup replaces codes of the same label;
    /// an import only adds missing ones.
    func newCodes(of file: AlarmsFile, isBackup: Bool) throws(Refusal) -> [EnrolledCode] {
        var codes: [EnrolledCode] = []
        for (index, code) in file.codes.enumerated() {
            let same = agenda.codes.first { $0.label == code.label }
            guard same != code, same == nil || isBackup else { continue }
            guard !file.codeKeys.isEmpty else {
                // Without its key, no code could ever match. An import leaves the code out, and
                // alarms that need it come in switched off.
                guard isBackup else { continue }
                throw .problems([Problem("codes[\(index)]", "must have its key in codeKeys")])
            }
            let problems = code.problems + mistakenKind(code, besides: same)
            try refuse(problems.map { Problem("codes[\(index)].\($0.path)", $0.reason) })
            guard sessions.isEmpty else { throw .ringing }
            try refuseIfLockedBy(code.label)
            codes.append(code)
        }
        guard Set((agenda.codes + codes).map(\.label)).count <= EnrolledCode.countMax else {
            throw .tooMany("codes", max: EnrolledCode.countMax)
        }
        return codes
    }

    func forget(_ label: String) throws(Refusal) -> Decision {
        guard agenda.codes.contains(where: { $0.label == label }) else { throw .noSuchCode(label) }
        guard sessions.isEmpty else { throw .ringing }
        try refuseIfLockedBy(label)
        let now = validationContext
        var then = now
        then.codes?.remove(label)
        then.tags?.remove(label)
        let needy = agenda.alarms.all.filter { entry in
            entry.alarm.isEnabled && entry.alarm.needs(label)
                && unmetCount(entry.alarm, among: then) > unmetCount(entry.alarm, among: now)
        }
        try refuse(needy.prefix(5).map { Problem($0.alarm.id, "could not be stopped without it") })
        return ([.codeForgotten(label: label)], .done)
    }

    /// Warns if only one code can stop the alarm, and the emergency exit is off.
    func singleCodeWarnings(_ alarm: Alarm) -> [Problem] {
        guard !agenda.settings.hasEmergencyExit else { return [] }
        let known = Set(agenda.codes.map(\.label))
        return alarm.challenges.enumerated().compactMap { index, challenge in
            guard alarm.isEnabled, challenge.labels.count(where: known.contains) == 1 else { return nil }
            return Problem(
                .onlyCode, "challenges[\(index)]",
                "only one code can stop it, and the emergency exit is off: enrol a second code")
        }
    }

    private func unmetCount(_ alarm: Alarm, among validationContext: ValidationContext) -> Int {
        var validationContext = validationContext
        return alarm.problems(among: &validationContext).count { $0.weight == .unmet }
    }

    private func refuseIfLockedBy(_ label: String) throws(Refusal) {
        for entry in lockedAlarms where entry.alarm.needs(label) {
            throw refusal(entry, "\(label.quoted) can be neither enrolled nor forgotten")
        }
    }
}

extension Agenda {
    /// Returns the alarm without the forgotten codes and tags of each challenge that still has an enrolled
    /// one. Otherwise the sleeper would search for a forgotten code in vain.
    func droppingForgottenCodes(_ alarm: Alarm) -> Alarm {
        let known = Set(codes.map(\.label))
        var asking = alarm
        asking.challenges = alarm.challenges.map { $0.asking(for: known) }
        return asking
    }
}

extension Challenge {
    fileprivate func asking(for known: Set<String>) -> Challenge {
        func enrolled(_ labels: [String]) -> [String] {
            labels.contains(where: known.contains) ? labels.filter(known.contains) : labels
        }
        var asking = self
        switch task {
        case .code(let labels): asking.task = .code(labels: enrolled(labels))
        case .tag(let labels): asking.task = .tag(labels: enrolled(labels))
        case .roulette(let choices): asking.task = .roulette(choices.map { $0.asking(for: known) })
        case .sums, .steps, .pattern, .unknown: break
        }
        return asking
    }
}
