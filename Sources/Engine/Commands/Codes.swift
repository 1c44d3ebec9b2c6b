// The codes and tags that are enrolled, and what may become of them.

import Alarms
import JSON

extension Engine {
    /// What would be true if a code or a tag were known by this name.
    func enrol(_ code: EnrolledCode) throws(Refusal) -> Decision {
        guard sessions.isEmpty else { throw .ringing }
        let same = agenda.codes.first { $0.label == code.label }
        try refuse(code.problems + mistakenKind(code, besides: same))
        let others = agenda.codes.contains {
            $0.label != code.label && $0.kind == code.kind && $0.digest != code.digest
        }
        let outcome = Outcome.enrolled(asksForAnother: !others && !agenda.settings.hasEmergencyExit)
        guard same != code else { return ([], outcome) }
        // Also one that is new: it may be one beside the bed, by a name that an alarm goes by.
        try refuseIfLockedBy(code.label)
        if same == nil, agenda.codes.count >= EnrolledCode.countMax { throw .tooMany("codes") }
        return (firstCodeKey + [.codeEnrolled(code)], outcome)
    }

    /// The device's own key, where it has none yet. It is made when it is first needed: a new device to which a backup is
    /// restored goes on with the backup's.
    var firstCodeKey: [Fact] {
        agenda.codeKeys.isEmpty ? attempts.newCodeKey.map { [.codeKeyAdded($0)] } ?? [] : []
    }

    /// What is known to be wrong with a name before a code is seen.
    func refuseEnrolling(_ label: String, _ kind: Challenge.Kind) throws(Refusal) {
        let same = agenda.codes.first { $0.label == label }
        let unseen = EnrolledCode(label: label, kind: kind, digest: CodeDigest("unseen"))
        try refuse(unseen.problems + mistakenKind(unseen, besides: same))
        try refuseIfLockedBy(label)
        if same == nil, agenda.codes.count >= EnrolledCode.countMax { throw .tooMany("codes") }
    }

    /// The keys that a file's codes were hashed with, as far as they are not in force here.
    func newCodeKeys(of file: AlarmsFile) throws(Refusal) -> [CodeKey] {
        let keys = file.codeKeys.filter { !agenda.codeKeys.contains($0) }
        guard agenda.codeKeys.count + keys.count <= CodeKey.countMax else { throw .tooMany("keys of other devices") }
        return keys
    }

    /// A name stands for one thing.
    private func mistakenKind(_ code: EnrolledCode, besides same: EnrolledCode?) -> [Problem] {
        guard let same, same.kind != code.kind else { return [] }
        return [Problem("label", "is the name of a \(same.kind.name.lowercased()) already: take another one")]
    }

    /// The codes that a file brings. A backup brings them as they were; whoever imports alarms gets those that are missing.
    func newCodes(of file: AlarmsFile, isBackup: Bool) throws(Refusal) -> [EnrolledCode] {
        var codes: [EnrolledCode] = []
        for (index, code) in file.codes.enumerated() {
            let same = agenda.codes.first { $0.label == code.label }
            guard same != code, same == nil || isBackup else { continue }
            guard !file.codeKeys.isEmpty else {
                // Nothing that is shown would ever be this code. An import comes without it, and with its alarms off.
                guard isBackup else { continue }
                throw .problems([Problem("codes[\(index)]", "needs the key with which it was hashed, in codeKeys")])
            }
            let problems = code.problems + mistakenKind(code, besides: same)
            try refuse(problems.map { Problem("codes[\(index)].\($0.place)", $0.reason) })
            guard sessions.isEmpty else { throw .ringing }
            try refuseIfLockedBy(code.label)
            codes.append(code)
        }
        guard Set((agenda.codes + codes).map(\.label)).count <= EnrolledCode.countMax else { throw .tooMany("codes") }
        return codes
    }

    /// What would be true if a code or a tag were known no more.
    func forget(_ label: String) throws(Refusal) -> Decision {
        guard agenda.codes.contains(where: { $0.label == label }) else { throw .noSuchCode(label) }
        guard sessions.isEmpty else { throw .ringing }
        try refuseIfLockedBy(label)
        let now = surroundings
        var then = now
        then.codes?.remove(label)
        then.tags?.remove(label)
        let needy = agenda.alarms.all.filter { kept in
            kept.alarm.isEnabled && kept.alarm.needs(label)
                && unmetCount(kept.alarm, among: then) > unmetCount(kept.alarm, among: now)
        }
        try refuse(needy.prefix(5).map { Problem($0.alarm.id, "could not be stopped without it") })
        return ([.codeForgotten(label: label)], .done)
    }

    /// Where one code alone can stop an alarm, and there is no other way out of it.
    func loneCodes(_ alarm: Alarm) -> [Problem] {
        guard !agenda.settings.hasEmergencyExit else { return [] }
        let known = Set(agenda.codes.map(\.label))
        return alarm.challenges.enumerated().compactMap { index, challenge in
            guard alarm.isEnabled, challenge.labels.count(where: known.contains) == 1 else { return nil }
            return Problem(
                "challenges[\(index)]", "hangs on one code, and there is no emergency way out: enrol a second", .warning
            )
        }
    }

    private func unmetCount(_ alarm: Alarm, among surroundings: Surroundings) -> Int {
        var surroundings = surroundings
        return alarm.problems(among: &surroundings).count { $0.weight == .unmet }
    }

    private func refuseIfLockedBy(_ label: String) throws(Refusal) {
        for kept in lockedAlarms where kept.alarm.needs(label) { throw refusal(kept) }
    }
}
