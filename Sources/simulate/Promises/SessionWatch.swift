// Promises 1 to 6, as far as they are about sessions: when they begin, what they sound like, how long they are silent.

import Alarms
import CivilTime
import Engine

/// Follows every session from its beginning to its end.
struct SessionWatch {
    private var open: [Occurrence: SessionLine] = [:]
    /// Those that have ended. One whose end was not durable is there again after a restart.
    private var closed: [Occurrence: SessionLine] = [:]
    private var ended: Set<Occurrence> = []
    /// Those of the last look.
    private var endedNow: [Occurrence] = []
    /// Every way that a session has gone from one state to another.
    private(set) var steps: Set<SessionStep> = []
    /// When a session that is silent must have rung again.
    private(set) var nextLookAt: Int?
    private var emergency = EmergencyWatch()
    /// As it was before what was given last: buttons that are let go just when it is long enough were held for long enough.
    private var emergencyBefore = EmergencyWatch()
    private var presses = Presses()
    /// What was given last.
    private var input: Input?
    private var heard: Occurrence?
    /// When the camera last gave a frame, and whether it is known to be broken.
    private var frameAt = Int.min / 2
    private var isCameraBroken = false
    /// When somebody may have answered last.
    private var deedAt = Int.min / 2
    private var diedAt = Int.min / 2
    /// The last snooze that was granted.
    private var granted: SnoozeAsk?
    private var isRestarted = false
    private var historyCount = 0

    // MARK: what is given

    mutating func willGive(_ input: Input, isRepeated: Bool, codes: [String: EnrolledCode], at now: Int) {
        self.input = input
        emergencyBefore = emergency
        emergency.willGive(input, at: now)
        let press = presses.move(input, at: now)
        for (occurrence, line) in open {
            guard let assignment = line.assignment else { continue }
            if isRepeated { continue }
            if case .button(_, true) = input, press == nil { continue }
            open[occurrence]?.work.take(input, assignment, codes: codes, at: now)
        }
        switch input {
        case .frame:
            frameAt = now
            deedAt = now
        case .health(.camera, let health): isCameraBroken = health.grade == .broken
        case .step, .tag, .command(.answer, _): deedAt = now
        case .button: if press != nil { deedAt = now }
        default: break
        }
        if let heard { open[heard]?.ask(input, press, at: now) }
    }

    mutating func died(at now: Int) {
        isRestarted = true
        diedAt = now
        (presses, heard, isCameraBroken) = (Presses(), nil, false)
        emergency.died()
        for occurrence in open.keys { open[occurrence]?.isAfterRestart = true }
    }

    /// The service has started again: an end that was not durable never was. Answers with what nobody could write down.
    mutating func restarted(_ model: Model, _ clock: BestKnownClock, at now: Int) -> [Occurrence] {
        let lost = ended.filter { (model.ended[$0] ?? .missed) == .missed }
        ended.subtract(lost)
        historyCount = 0
        for occurrence in open.keys {
            open[occurrence]?.restarted(model, clock, at: now)
        }
        return lost.filter { !model.begun.contains($0) }
    }

    /// The time is known from now on.
    mutating func clockIsTrusted(_ clock: BestKnownClock, at now: Int, isExact: Bool) {
        for occurrence in open.keys { open[occurrence]?.silence?.clockIsTrusted(at: now, clock, isExact: isExact) }
    }

    /// Whether an occurrence rings or has rung.
    func hasRung(_ occurrence: Occurrence) -> Bool { open[occurrence] != nil || ended.contains(occurrence) }

    /// Whether an alarm has a session that has not ended, and has challenges.
    func isOpen(_ id: Alarm.ID) -> Bool {
        open.contains { $0.key.alarm == id && !$0.value.session.terms.challenges.isEmpty }
    }

    var isAnyOpen: Bool { !open.isEmpty }

    /// Whether an alarm has rung to an end.
    func hasFinished(_ id: Alarm.ID) -> Bool { ended.contains { $0.alarm == id } }

    /// Whether a version of an alarm has rung to its end just now, and does not ring.
    func finishes(_ id: Alarm.ID, version: Int) -> Bool {
        endedNow.contains { $0.alarm == id && closed[$0]?.version == version }
            && !open.keys.contains { $0.alarm == id }
    }

    // MARK: what comes of it

    /// Looks at all sessions; answers how many have begun.
    mutating func look(_ status: Status, _ sound: SoundOrder?, _ world: World, _ watcher: Watcher) -> Int {
        var began = 0
        checkSound(status, sound, watcher)
        for (index, current) in status.sessions.enumerated() {
            let occurrence = current.session.occurrence
            if let line = open[occurrence] {
                follow(line, current, world, watcher)
            } else {
                began += 1
                begin(current, world, watcher)
            }
            if index > 0, current.state == .heard { watcher.broke(2, "two sessions are heard at once") }
        }
        let history = world.engine.history
        if history.last?.ending == .missed { steps.insert(SessionStep(from: "planned", to: "missed")) }
        let still = Set(status.sessions.map(\.session.occurrence))
        let gone = open.filter { !still.contains($0.key) }
        endedNow = []
        if !gone.isEmpty { end(gone, world, watcher) }
        if history.count != historyCount {
            // What began and ended at once.
            for ring in history.suffix(8) where ring.session != nil { ended.insert(ring.occurrence) }
            historyCount = history.count
        }
        watchRamp(sound, world, watcher)
        let heardNow = status.sessions.first { $0.state == .heard }?.session.occurrence
        if let heardNow, heardNow != heard, let input { open[heardNow]?.ask(input, nil, at: world.now) }
        heard = heardNow
        nextLookAt = open.values.compactMap { $0.isSilent ? $0.silence.map { $0.deadline + 1000 } : nil }.min()
        isRestarted = false
        input = nil
        return began
    }

    private func checkSound(_ status: Status, _ sound: SoundOrder?, _ watcher: Watcher) {
        let rings = status.sessions.contains { !$0.state.isSilent }
        if rings != (sound != nil) {
            watcher.broke(2, rings ? "a session rings without a sound" : "a sound without a session")
        }
        guard let sound, let first = status.sessions.first else { return }
        if first.session.occurrence != sound.occurrence { watcher.broke(2, "the sound is another session's") }
        if first.session.terms.ring != sound.ring {
            watcher.broke(2, "\(sound.occurrence) sounds otherwise than it should")
        }
    }

    private mutating func begin(_ current: SessionStatus, _ world: World, _ watcher: Watcher) {
        let session = current.session
        let occurrence = session.occurrence
        let isKnown = isRestarted && watcher.model.begun.contains(occurrence)
        // What nobody could write down begins anew.
        var line = SessionLine(current, at: world.now, version: watcher.book.alarms[occurrence.alarm]?.version)
        if isKnown, let closed = closed[occurrence] { line = closed }
        (line.session, line.state, line.rampMilliseconds) = (session, current.state, 0)
        line.heardAt = current.state == .heard ? world.now : nil
        line.place = SessionStep.place(current)
        line.assignment = current.assignment
        if isKnown {
            line.restarted(watcher.model, watcher.clock, at: world.now)
            var before = line
            before.state = .heard
            line.silence = nil
            watchSilence(&line, before, world, watcher)
            line.isAfterRestart = false
        }
        if closed[occurrence] == nil, !session.terms.isTest, !isKnown {
            steps.insert(SessionStep(from: "planned", to: line.place))
        }
        open[occurrence] = line
        guard !session.terms.isTest else { return }
        if ended.contains(occurrence) { watcher.broke(1, "\(occurrence) rings again after its end") }
        if watcher.due.wasMissed(occurrence) { watcher.broke(1, "\(occurrence) rings, and was missed") }
        guard !isKnown else { return }
        judgeBeginning(session, world, watcher)
    }

    private func judgeBeginning(_ session: Session, _ world: World, _ watcher: Watcher) {
        let occurrence = session.occurrence
        let now = watcher.bestNow(world)
        let late = now - occurrence.at.secondsSince1970 * 1000
        if late < 0 { watcher.broke(1, "\(occurrence) rings early") }
        if abs(session.firedMilliseconds - now) > 1000 {
            watcher.broke(1, "\(occurrence) is said to ring at another time")
        }
        if late > (watcher.due.windowSeconds(occurrence.alarm) + 1) * 1000 {
            watcher.broke(1, "\(occurrence) rings \(late) ms late, too late")
        }
        if !watcher.due.isPlanned(occurrence, watcher.book) {
            return watcher.broke(1, "\(occurrence) rings, but was not planned")
        }
        let books = [watcher.book, watcher.bookBefore]
        if !books.contains(where: { $0.agrees(with: session.terms, of: occurrence.alarm) }) {
            watcher.broke(3, "\(occurrence) began by other terms than its alarm's and the settings'")
        }
    }

    private mutating func follow(_ before: SessionLine, _ current: SessionStatus, _ world: World, _ watcher: Watcher) {
        var line = before
        let session = current.session
        let occurrence = session.occurrence
        if session.terms != before.session.terms { watcher.broke(3, "the terms of \(occurrence) have changed") }
        if let max = session.terms.snooze.max, session.snoozeCount > max {
            watcher.broke(5, "\(occurrence) was snoozed \(session.snoozeCount) times")
        }
        if session.snoozeCount < watcher.model.snoozes[occurrence] ?? 0 {
            watcher.broke(4, "a snooze of \(occurrence) was forgotten")
        }
        if session.doneMilliseconds.count < watcher.model.challengesDone[occurrence] ?? 0 {
            watcher.broke(4, "a completed challenge of \(occurrence) was forgotten")
        }
        if session.doneMilliseconds.count > line.work.completedCount {
            watcher.broke(3, "a challenge of \(occurrence) is completed that nobody did")
        }
        (line.session, line.state, line.isAfterRestart) = (session, current.state, false)
        watchAssignment(&line, current.assignment, world, watcher)
        watchSilence(&line, before, world, watcher)
        if current.state == .heard {
            if before.state != .heard || before.isAfterRestart { line.heardAt = world.now }
            watchGivingUp(line, world, watcher)
        } else {
            line.heardAt = nil
        }
        let place = SessionStep.place(current)
        if place != before.place, !before.isAfterRestart { steps.insert(SessionStep(from: before.place, to: place)) }
        line.place = place
        open[occurrence] = line
    }

    /// What is asked is what the session's list has next.
    private func watchAssignment(
        _ line: inout SessionLine, _ assignment: Assignment?, _ world: World, _ watcher: Watcher
    ) {
        defer { line.assignment = assignment }
        // The camera is back, or gone: what was begun was for nothing.
        if line.assignment?.kind != assignment?.kind { line.work.forgetPieces() }
        guard let assignment else {
            line.codeAskedAt = nil
            return
        }
        if case .code = assignment {
            if line.codeAskedAt == nil { line.codeAskedAt = world.now }
        } else if case .sum = assignment, line.codeAskedAt == nil, line.work.wantsCode {
            line.codeAskedAt = world.now
        } else if !line.work.wantsCode {
            line.codeAskedAt = nil
        }
        let asked = line.codeAskedAt ?? world.now
        let isWithoutCamera =
            world.now - max(asked, frameAt) >= SessionWatch.framelessMilliseconds || isCameraBroken && frameAt <= asked
        if !line.work.mayAsk(assignment, isWithoutCamera: isWithoutCamera) {
            watcher.broke(3, "\(line.session.occurrence) asks for \(assignment), and that is not what is next")
        }
    }

    private static let framelessMilliseconds = 60_000

    // MARK: silence

    /// It is silent only for a reason, and only for so long.
    private mutating func watchSilence(
        _ line: inout SessionLine, _ before: SessionLine, _ world: World, _ watcher: Watcher
    ) {
        let occurrence = line.session.occurrence
        guard line.isSilent else {
            if let silence = before.silence, before.isSilent, !before.isAfterRestart, silence.reason == .snooze,
                silence.isSeen,
                world.now + Silence.patienceMilliseconds
                    < silence.began + silence.shortestMilliseconds,
                watcher.clock.changeCount == silence.changeCount
            {
                watcher.broke(5, "the snooze of \(occurrence) is over too early")
            }
            return line.silence = nil
        }
        let isOther = line.silence?.reason != line.state.reason
        if !before.isSilent || line.silence == nil || isOther && before.isAfterRestart {
            line.silence = silence(line, before, world, watcher)
            if line.state.reason == .rest { line.restCount += 1 }
        } else if isOther {
            watcher.broke(5, "\(occurrence) is silent for another reason than it was")
        }
        guard let silence = line.silence else { return }
        if case .snoozed = line.state, watcher.model.snoozes[occurrence] ?? 0 < line.session.snoozeCount {
            watcher.broke(5, "\(occurrence) is snoozed, and a power cut would not know")
        }
        // The engine has not been told since its last input what time it is.
        if world.givenAt + line.state.leftMilliseconds > silence.deadline + 1000 {
            watcher.broke(5, "\(occurrence) is to be silent for too long")
        }
        if silence.deadline + 1000 <= world.now { watcher.broke(5, "\(occurrence) is silent after its deadline") }
    }

    /// A silence that has just begun, if there is a reason for it.
    private mutating func silence(
        _ line: SessionLine, _ before: SessionLine, _ world: World, _ watcher: Watcher
    ) -> Silence? {
        let occurrence = line.session.occurrence
        let terms = line.session.terms
        if line.state.reason == .rest {
            let since = before.unansweredSince ?? world.now
            let isKnown = before.isAfterRestart && watcher.model.rests[occurrence] ?? 0 > 0
            // A restart that does not know how it went on finds it resting.
            if !isKnown, before.isSilent || world.now - since < line.ringMilliseconds - 1000 {
                watcher.broke(3, "\(occurrence) rests after \(world.now - since) ms")
            }
            return Silence(
                .rest, at: world.now, milliseconds: Silence.restMilliseconds, watcher.clock,
                isSeen: !before.isAfterRestart)
        }
        let asks = line.asks.filter { ask in
            // A restart may find one that a slow disk has taken long after it was refused.
            let isFresh =
                before.isAfterRestart
                ? diedAt - ask.at < terms.snoozeSeconds(ask) * 1000
                : world.now - ask.at <= Silence.patienceMilliseconds
            return isFresh && isAnother(ask)
        }
        guard let longest = asks.max(by: { terms.snoozeSeconds($0) < terms.snoozeSeconds($1) }) else {
            // That it was over may not have been written down.
            if before.isAfterRestart, watcher.journal.wasBehind, watcher.model.snoozes[occurrence] ?? 0 > 0 {
                let most = terms.snoozeBounds.upperBound * 1000
                return Silence(.snooze, at: world.now, milliseconds: most, watcher.clock, isSeen: false)
            }
            watcher.broke(5, "\(occurrence) is silent without a reason")
            return nil
        }
        if let worked = before.work.pieceAt,
            asks.allSatisfy({ 0..<SessionWatch.validatingMilliseconds ~= $0.at - worked })
        {
            watcher.broke(3, "\(occurrence) is snoozed while a challenge is done")
        }
        granted = asks.first
        var silence = Silence(
            .snooze, at: world.now, milliseconds: terms.snoozeSeconds(longest) * 1000, watcher.clock,
            isSeen: !before.isAfterRestart)
        silence.shortestMilliseconds = (asks.map { terms.snoozeSeconds($0) }.min() ?? 0) * 1000
        return silence
    }

    /// Whoever did something for a challenge a moment ago gets no snooze: half a minute, less what a slow disk takes.
    private static let validatingMilliseconds = 19_000

    /// Two presses in half a second are one.
    private func isAnother(_ ask: SnoozeAsk) -> Bool {
        granted.map { !(1..<500 ~= ask.at - $0.at) } ?? true
    }

    /// Nobody answers: it rests when it should.
    private func watchGivingUp(_ line: SessionLine, _ world: World, _ watcher: Watcher) {
        guard let heardAt = line.heardAt, !line.session.terms.isTest else { return }
        let heard = world.givenAt - max(heardAt, deedAt, world.awakeSince)
        if heard > line.ringMilliseconds + Silence.patienceMilliseconds {
            watcher.broke(3, "\(line.session.occurrence) rings unanswered for \(heard) ms, and does not rest")
        }
    }

    private mutating func watchRamp(_ sound: SoundOrder?, _ world: World, _ watcher: Watcher) {
        guard let sound, var line = open[sound.occurrence] else { return }
        let risen = world.moment.uptimeMilliseconds - sound.rampStartUptime
        let full = line.session.terms.ring.rampSeconds * 1000
        if min(risen, full) < min(line.rampMilliseconds, full) {
            watcher.broke(6, "\(sound.occurrence) has become quieter")
        }
        line.rampMilliseconds = risen
        open[sound.occurrence] = line
    }

    // MARK: what ends it

    private mutating func end(_ gone: [Occurrence: SessionLine], _ world: World, _ watcher: Watcher) {
        let history = world.engine.history
        var rings: [Occurrence: PastRing] = [:]
        for occurrence in gone.keys {
            rings[occurrence] = history.last { $0.occurrence == occurrence && $0.session != nil }
        }
        let stopped = gone.filter { rings[$0.key]?.ending == .dismissed && $0.value.session.terms.challenges.isEmpty }
        if stopped.count > 1 { watcher.broke(3, "one stop ended \(stopped.count) sessions") }
        for (occurrence, line) in gone.sorted(by: { ($0.key.at, $0.key.alarm) < ($1.key.at, $1.key.alarm) }) {
            open[occurrence] = nil
            guard !line.session.terms.isTest else { continue }
            closed[occurrence] = line
            // What nobody could write down is found again after a restart by its plan alone.
            if line.isAfterRestart, !watcher.model.begun.contains(occurrence) {
                closed[occurrence] = nil
                watcher.due.forgot(occurrence)
                continue
            }
            ended.insert(occurrence)
            endedNow.append(occurrence)
            guard let ring = rings[occurrence] else {
                watcher.broke(4, "\(occurrence) has ended, and history does not know")
                continue
            }
            if !line.isAfterRestart { steps.insert(SessionStep(from: line.place, to: ring.ending.rawValue)) }
            judgeEnd(line, ring.ending, gone, world, watcher)
        }
    }

    private func judgeEnd(
        _ line: SessionLine, _ ending: Ending, _ gone: [Occurrence: SessionLine], _ world: World, _ watcher: Watcher
    ) {
        let occurrence = line.session.occurrence
        switch ending {
        case .dismissed where line.work.challenges.isEmpty:
            if !isStop { watcher.broke(3, "\(occurrence) was dismissed by \(input.map { "\($0)" } ?? "nothing")") }
            if let heard, heard != occurrence, open[heard] != nil, gone[heard] == nil {
                watcher.broke(3, "\(occurrence) was dismissed, and another was heard")
            }
        case .dismissed:
            if !line.work.isDone, !hasAlike(line, gone) {
                watcher.broke(3, "\(occurrence) was dismissed, but its challenges were not done")
            }
        case .unanswered:
            let since = line.unansweredSince ?? world.now
            if line.restCount < SessionWatch.restsMax || world.now - since < line.ringMilliseconds - 1000 {
                watcher.broke(3, "\(occurrence) gave up after \(line.restCount) rests and \(world.now - since) ms")
            }
        case .emergency:
            let isHeld = [emergency, emergencyBefore].contains { $0.isHeld(at: world.now, since: line.startedAt) }
            if !isHeld || !line.session.terms.hasEmergencyExit {
                watcher.broke(3, "\(occurrence) ended as an emergency that was none")
            }
        case .cancelled, .missed: watcher.broke(3, "\(occurrence) was \(ending.rawValue) while it rang")
        }
    }

    /// It rings, rests, rings, rests, rings, and gives up.
    private static let restsMax = 2

    private var isStop: Bool {
        switch input {
        case .button(.stop, true), .command(.stop, _): true
        default: false
        }
    }

    /// Whether a session with the very same challenges ended honestly just now, while this one rang behind it.
    private func hasAlike(_ line: SessionLine, _ gone: [Occurrence: SessionLine]) -> Bool {
        !line.isSilent
            && gone.values.contains { other in
                other.session.occurrence != line.session.occurrence && other.work.isDone
                    && other.work.challenges.map(\.task) == line.work.challenges.map(\.task)
            }
    }
}

extension SessionLine {
    /// Somebody may have asked for a snooze, while it was heard.
    fileprivate mutating func ask(_ input: Input, _ press: Button?, at now: Int) {
        switch input {
        case .command(.snooze(let seconds), _): asks.append(SnoozeAsk(at: now, seconds: seconds))
        case .button(.snooze, true): asks.append(SnoozeAsk(at: now))
        default: break
        }
    }

    /// The service has started again.
    fileprivate mutating func restarted(_ model: Model, _ clock: BestKnownClock, at now: Int) {
        let occurrence = session.occurrence
        isAfterRestart = true
        startedAt = now
        silence?.restarted(at: now, clock)
        work.restarted(completed: model.challengesDone[occurrence] ?? 0)
        restCount = model.rests[occurrence] ?? 0
        (assignment, codeAskedAt) = (nil, nil)
        // Nor does anybody know how loud something was that was never written down.
        if !model.begun.contains(occurrence) { rampMilliseconds = 0 }
    }
}

extension SessionStatus.State {
    /// Why it is silent.
    fileprivate var reason: Session.Pause.Reason? {
        switch self {
        case .heard, .waits: nil
        case .snoozed: .snooze
        case .rests: .rest
        }
    }
}

extension Terms {
    /// How long a snooze is to be that somebody asked for.
    fileprivate func snoozeSeconds(_ ask: SnoozeAsk) -> Int {
        min(max(ask.seconds ?? snooze.seconds, snoozeBounds.lowerBound), snoozeBounds.upperBound)
    }
}

extension Book {
    /// Whether a session that began by this goes by these terms.
    fileprivate func agrees(with terms: Terms, of id: Alarm.ID) -> Bool {
        guard let alarm = alarms[id]?.alarm else { return false }
        let areDrawn = terms.challenges.elementsEqual(alarm.challenges) { drawn, challenge in
            if case .roulette(let choices) = challenge.task { choices.contains(drawn) } else { drawn == challenge }
        }
        return areDrawn && terms.label == alarm.label && terms.ring == alarm.ring && terms.snooze == alarm.snooze
            && terms.snoozeBounds == settings.snoozeBounds && terms.hasEmergencyExit == settings.hasEmergencyExit
    }
}
