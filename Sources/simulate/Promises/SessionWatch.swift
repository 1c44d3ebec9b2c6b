// Promises about sessions: their beginnings, their sounds and their progress.

import Alarms
import Challenges
import Engine
import Health

struct SessionWatch {
    var open: [Occurrence: TrackedSession] = [:]
    var ended: Set<Occurrence> = [] {
        didSet { changeCount += 1 }
    }
    /// The sessions whose end a restart has lost.
    private var lost: Set<Occurrence> = []
    var endedNow: [TrackedSession] = []
    var steps: Set<SessionStep> = []
    private(set) var nextCheckAt: Int?
    var buttons = ButtonWatch()
    /// The buttons before the last input. If both are released exactly at the deadline, they were held long
    /// enough.
    var buttonsBefore = ButtonWatch()
    var input: Input?
    var heard: Occurrence?
    /// The time of the camera's last frame.
    private var frameAt = Int.min / 2
    /// The devices of challenges that were reported as broken.
    private var broken: Set<Part> = []
    /// The time of the last input that may be an answer.
    private var actionAt = Int.min / 2
    var diedAt = Int.min / 2
    private(set) var beganCount = 0
    private(set) var changeCount = 0
    /// True if the service has started again since the last observation.
    private(set) var isRestarted = false
    private var historyCount = 0

    // MARK: inputs

    mutating func willGive(
        _ input: Input, isRepeated: Bool, codes: [String: EnrolledCode], at now: Int, bootedAt: Int
    ) {
        self.input = input
        buttonsBefore = buttons
        buttons.willGive(input, isRepeated: isRepeated, isOpen: !open.isEmpty, at: now, bootedAt: bootedAt)
        switch input {
        case .frame(let codes, _, _):
            frameAt = now
            if codes.isEmpty { return }
        case .step, .tag, .button, .command: break
        case .health(let part, let health):
            // Sums replace the code until frames come.
            if part == .camera, broken.contains(.camera) { frameAt = Int.min / 2 }
            if health.grade == .broken { broken.insert(part) } else { broken.remove(part) }
            return
        default: return
        }
        actionAt = now
        for occurrence in open.keys where !isRepeated {
            open[occurrence]?.count(input, codes: codes, at: now)
        }
        if let heard { open[heard]?.ask(input, at: now) }
    }

    mutating func died(at now: Int) {
        isRestarted = true
        diedAt = now
        heard = nil
        buttons.died()
    }

    /// Records a restart, which loses ends that were not durable. Returns those sessions without a record.
    mutating func restarted(_ journal: JournalWatch, _ night: Simulation) -> [Occurrence] {
        let model = journal.model
        lost = ended.subtracting(model.ended)
        ended.subtract(lost)
        broken = model.broken
        for occurrence in open.keys {
            open[occurrence]?.restarted(journal, night)
        }
        return lost.filter { model.open[$0] == nil }
    }

    func hasRung(_ occurrence: Occurrence) -> Bool { open[occurrence] != nil || ended.contains(occurrence) }

    /// All occurrences that have rung.
    var turns: [Occurrence] { Array(open.keys) + Array(ended) }

    /// Forgets a deleted alarm. A new alarm with its id is another one.
    mutating func forget(_ id: Alarm.ID) {
        ended = ended.filter { $0.alarm != id }
        for occurrence in open.keys where occurrence.alarm == id {
            open[occurrence]?.isOrphan = true
        }
    }

    func finishes(_ id: Alarm.ID, revision: Int?) -> Bool {
        endedNow.contains { $0.occurrence.alarm == id && !$0.isOrphan && $0.session.revision == revision }
    }

    // MARK: observations

    mutating func observe(_ status: Status, _ sound: SoundOrder?, _ night: Simulation, _ checker: InvariantChecker) {
        checkSound(status, sound, checker)
        defer { (isRestarted, self.input) = (false, nil) }
        for (index, current) in status.sessions.enumerated() {
            let occurrence = current.session.occurrence
            if isRestarted, open[occurrence] == nil, checker.journal.model.open[occurrence] != nil {
                // The end of this session was not durable, so it is open again.
                open[occurrence] = TrackedSession(current, at: night.now)
                open[occurrence]?.restarted(checker.journal, night)
            }
            if let tracked = open[occurrence] {
                follow(tracked, current, night, checker)
                let isAlone = status.ringing == [occurrence]
                open[occurrence]?.escalation.observe(
                    current, wasRinging: !tracked.isSilent, isAlone ? sound?.ring.sound : nil, night, checker)
                open[occurrence]?.wakeUpCheck.observe(
                    current, before: tracked.status, isRestarted: isRestarted, night, checker)
            } else {
                begin(current, night, checker)
            }
            if index > 0, current.isHeard { checker.report(.sound, "two sessions are heard at once") }
        }
        endedNow = []
        var gone: [Occurrence: TrackedSession] = [:]
        if open.count > status.sessions.count {
            let shown = Set(status.sessions.map(\.session.occurrence))
            gone = open.filter { !shown.contains($0.key) }
            end(gone, night, checker)
        }
        // History also has missed rings, and sessions that began and ended at once.
        let history = night.published.history
        let added = history.suffix(max(0, history.count - historyCount))
        for ring in isRestarted ? history.filter({ lost.contains($0.occurrence) }) : Array(added) {
            if ring.ending == .missed {
                steps.insert(SessionStep(from: .planned, to: .ended(.missed)))
            } else if ring.session != nil, gone[ring.occurrence] == nil {
                ended.insert(ring.occurrence)
            }
        }
        historyCount = history.count
        let heardNow = status.sessions.lazy.filter(\.isHeard).map(\.session.occurrence).first
        if let heardNow, heardNow != heard, let input { open[heardNow]?.ask(input, at: night.now) }
        heard = heardNow
        nextCheckAt = open.values.compactMap { $0.isSilent ? $0.silence.map { $0.deadline + 1000 } : nil }.min()
    }

    private func checkSound(_ status: Status, _ sound: SoundOrder?, _ checker: InvariantChecker) {
        let ringing = status.sessions.indices.filter { status.sessions[$0].session.isRinging }
        let silences = ringing.map { status.sessions[$0].session.terms.silence }
        if ringing.isEmpty {
            // A chime at bedtime sounds without a session.
            let isBedtime = status.sessions.isEmpty && sound?.occurrence.alarm.isEmpty == true
            if let sound, !isBedtime { checkChime(sound, status, checker) }
            return
        }
        if sound == nil ? !silences.allSatisfy(\.isAllowed) : silences.allSatisfy(\.isRequired) {
            checker.report(.sound, sound == nil ? "a session rings without a sound" : "a sound without a session")
        }
        guard let sound else { return }
        if status.sessions[0].session.occurrence != sound.occurrence {
            checker.report(.sound, "the sound is another session's")
        }
        let isOneOfTheirs = ringing.contains { status.sessions[$0].session.terms.sounds.contains(sound.ring.sound) }
        var ring = status.sessions[0].session.terms.ring
        ring.sound = sound.ring.sound
        if !isOneOfTheirs || ringing.count == 1 && ring != sound.ring {
            checker.report(.sound, "\(sound.occurrence) has the wrong sound or volume")
        }
    }

    private mutating func begin(_ current: SessionStatus, _ night: Simulation, _ checker: InvariantChecker) {
        let session = current.session
        let occurrence = session.occurrence
        beganCount += 1
        changeCount += 1
        // A session may begin softly, even if an earlier one of the same occurrence was loud.
        checker.room.forget(occurrence)
        checker.journal.model.forget(occurrence)
        open[occurrence] = TrackedSession(current, at: night.now)
        guard !session.terms.isTest else { return }
        steps.insert(SessionStep(from: .planned, to: current.phase))
        if session.postponedTo != nil {
            ended.remove(occurrence)
            if !isRestarted, !checker.postponed.expects(session) {
                checker.report(.rings, "\(occurrence) rings at a time to which it was not put off")
            }
            let late = checker.bestNow(night) - session.due.milliseconds
            if late < 0 || late > (checker.rings.windowSeconds(occurrence.alarm) + 1) * 1000 {
                checker.report(.rings, "\(occurrence) was put off, and rings \(late) ms late")
            }
            return
        }
        let ringsAgain = checker.rings.begins(occurrence)
        if ended.remove(occurrence) != nil, !ringsAgain {
            checker.report(.rings, "\(occurrence) rings again after its end")
        }
        if checker.rings.wasMissed(occurrence) { checker.report(.rings, "\(occurrence) rings, but was missed") }
        checkBeginning(session, night, checker)
    }

    private func checkBeginning(_ session: Session, _ night: Simulation, _ checker: InvariantChecker) {
        let occurrence = session.occurrence
        let now = checker.bestNow(night)
        let late = now - occurrence.at.secondsSince1970 * 1000
        if late < 0, !isByMovement || !checker.rings.mayBeEarly(occurrence, byMilliseconds: -late, night) {
            checker.report(.rings, "\(occurrence) rings early")
        }
        if abs(session.firedMilliseconds - now) > 1000 {
            checker.report(.rings, "\(occurrence) is announced for another time")
        }
        if late > (checker.rings.windowSeconds(occurrence.alarm) + 1) * 1000 {
            checker.report(.rings, "\(occurrence) rings \(late) ms late, too late")
        }
        if !checker.rings.mayRing(occurrence) { checker.report(.rings, "\(occurrence) rings, but was not announced") }
    }

    /// True if the last input was a step.
    private var isByMovement: Bool { if case .step? = input { true } else { false } }

    private mutating func follow(
        _ before: TrackedSession, _ current: SessionStatus, _ night: Simulation, _ checker: InvariantChecker
    ) {
        var tracked = before
        let session = current.session
        let occurrence = session.occurrence
        // A session without a record begins again.
        let isAnew = isRestarted && checker.journal.model.open[occurrence] == nil
        if session.terms != before.session.terms {
            if !isAnew { checker.report(.ending, "the terms of \(occurrence) have changed") }
            tracked.tally = ChallengeTally(session.terms.challenges)
        }
        let durable = checker.journal.model.open[occurrence] ?? DurableState.DurableProgress()
        // Two buttons take back one snooze, which is in the journal until the next write.
        let missing = max(0, durable.snoozeCount - session.snoozeCount)
        if missing > tracked.takenBackCount {
            if missing > tracked.takenBackCount + 1 || buttons.pairCount == tracked.pairCount {
                checker.report(.memory, "a snooze of \(occurrence) was forgotten")
            }
            tracked.pairCount = buttons.pairCount
        }
        tracked.takenBackCount = missing
        if isRestarted, !isAnew, session.checkCount < durable.checkCount {
            checker.report(.checks, "a wake-up check of \(occurrence) was forgotten")
        }
        if session.failedCheckCount > before.session.failedCheckCount {
            (tracked.tally, tracked.restCount) = (ChallengeTally(session.terms.challenges), 0)
        }
        if session.failedCheckCount <= durable.failedCheckCount, session.doneMilliseconds.count < durable.doneCount {
            checker.report(.memory, "a completed challenge of \(occurrence) was forgotten")
        }
        if !tracked.tally.isDone(session.doneMilliseconds.count) {
            checker.report(.ending, "a challenge of \(occurrence) is completed without the right answers")
        }
        tracked.status = current
        if current.isCodeStanding { tracked.tally.forgetLastAnswer() }
        if let assignment = current.assignment { check(assignment, of: tracked, night, checker) }
        watchSilence(&tracked, before, night, checker)
        if current.isHeard {
            if !before.status.isHeard || isRestarted { tracked.heardAt = night.now }
            checkRest(tracked, night, checker)
        } else {
            tracked.heardAt = nil
        }
        let step = SessionStep(from: before.status.phase, to: current.phase)
        if step.from != step.to, !isRestarted { steps.insert(step) }
        open[occurrence] = tracked
    }

    /// Checks that a session rests after enough time without an answer.
    private func checkRest(_ tracked: TrackedSession, _ night: Simulation, _ checker: InvariantChecker) {
        guard let heardAt = tracked.heardAt, !tracked.session.terms.isTest else { return }
        let heard = night.now - max(heardAt, actionAt, night.awakeSince)
        if heard > tracked.ringMilliseconds + Silence.graceMilliseconds {
            checker.report(.ending, "\(tracked.session.occurrence) rings unanswered for \(heard) ms without a rest")
        }
    }

    private func check(
        _ assignment: Assignment, of tracked: TrackedSession, _ night: Simulation, _ checker: InvariantChecker
    ) {
        let challenge = tracked.session.openChallenge
        if challenge?.isRightlyAsked(as: assignment, isWithoutDevice: isMissing(challenge?.kind?.device, night)) != true
        {
            checker.report(
                .ending, "\(tracked.session.occurrence) asks for \(assignment), which is not next")
        }
        if let device = assignment.kind?.device, night.missing.contains(device) {
            checker.report(.ending, "\(tracked.session.occurrence) asks for \(assignment), but has no \(device.name)")
        }
    }

    /// Returns true if sums may replace the challenge of a device.
    private func isMissing(_ device: Part?, _ night: Simulation) -> Bool {
        guard let device else { return false }
        if night.missing.contains(device) || broken.contains(device) { return true }
        switch device {
        case .camera: return night.now - frameAt > SessionWatch.framesMilliseconds
        // The engine itself finds stuck and loose buttons.
        case .buttons: return night.published.status.health.contains { $0.part == .buttons && $0.health.grade != .ok }
        default: return false
        }
    }

    /// The timeout of frames. While the camera is on, frames come more often.
    private static let framesMilliseconds = 25_000
}

extension TrackedSession {
    fileprivate mutating func count(_ input: Input, codes: [String: EnrolledCode], at now: Int) {
        tally.count(input, asked: status.assignment, at: session.doneMilliseconds.count, codes: codes, now: now)
    }

    fileprivate mutating func ask(_ input: Input, at now: Int) {
        switch input {
        case .command(.snooze(let seconds), _): asks.append((now, seconds))
        case .button(.snooze, true, _): asks.append((now, nil))
        default: break
        }
    }

    fileprivate mutating func restarted(_ journal: JournalWatch, _ night: Simulation) {
        let durable = journal.model.open[occurrence] ?? DurableState.DurableProgress()
        startedAt = night.now
        silence?.restarted(night, isBehind: journal.wasBehind)
        tally.restarted(durable)
        let isKnown = journal.model.open[occurrence] != nil
        wakeUpCheck.restarted()
        escalation.restarted(isBehind: journal.wasBehind || !isKnown, night)
        snoozeCount = durable.snoozeCount
        restCount = durable.restCount
    }
}

extension Status {
    /// The sessions that ring, including those that wait unheard.
    var ringing: Set<Occurrence> { Set(sessions.lazy.filter { $0.session.isRinging }.map(\.session.occurrence)) }
}
