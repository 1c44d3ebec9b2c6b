// Promises 1 to 6, as far as they are about sessions: when they begin, what they sound like, what ends them.

import Alarms
import CivilTime
import Engine

/// Follows every session from its beginning to its end.
struct SessionWatch {
    private struct Line {
        var session: Session
        var state: SessionStatus.State
        var at: Int
        var heardMilliseconds = 0
        /// What was honestly done for its challenges.
        var work: [Challenge.Kind: Int] = [:]
        /// How far its volume had risen when it was last heard.
        var rampMilliseconds = 0
        var snoozedUntil = 0
        var isAfterRestart = false
        var place = "planned"
    }

    private var open: [Occurrence: Line] = [:]
    /// Those that have ended. One whose end was not durable is there again after a restart.
    private var closed: [Occurrence: Line] = [:]
    private var ended: Set<Occurrence> = []
    /// Every way that a session has gone from one state to another.
    private(set) var steps: Set<SessionStep> = []
    /// When a session that is snoozed must have rung again.
    private(set) var nextLookAt: Int?
    private var downSince: [Button: Int] = [:]
    /// Since when a button was down that was let go last, and when that was.
    private var released: [Button: (since: Int, at: Int)] = [:]
    private static let bounceMilliseconds = 50
    /// A minute, but for the bouncing of its beginning.
    private static let emergencyMilliseconds = 59_900
    /// What was given last.
    private var input: Input?
    private var isRestarted = false

    // MARK: what is given

    mutating func willGive(_ input: Input, at now: Int) {
        self.input = input
        // Whoever presses or guesses at random may be right.
        switch input {
        case .button(_, isDown: true): for occurrence in open.keys { worked(.pattern, for: occurrence) }
        case .command(.answer(0...), _): for occurrence in open.keys { worked(.math, for: occurrence) }
        default: break
        }
        guard case .button(let button, let isDown) = input else { return }
        if !isDown {
            if let since = downSince.removeValue(forKey: button) { released[button] = (since, now) }
        } else if downSince[button] == nil {
            // A contact that bounces was not let go.
            let last = released[button].flatMap { now - $0.at < SessionWatch.bounceMilliseconds ? $0.since : nil }
            downSince[button] = last ?? now
        }
    }

    mutating func worked(_ kind: Challenge.Kind, for occurrence: Occurrence) {
        open[occurrence]?.work[kind, default: 0] += 1
    }

    mutating func died() {
        isRestarted = true
        downSince = [:]
        for occurrence in open.keys { open[occurrence]?.isAfterRestart = true }
    }

    /// The service has started again: an end that was not durable never was.
    mutating func restarted(_ model: Model) {
        ended = ended.filter { model.ended[$0] != nil }
        // Nor does anybody know how loud something was that was never written down.
        for occurrence in open.keys where !model.begun.contains(occurrence) { open[occurrence]?.rampMilliseconds = 0 }
    }

    /// Whether an occurrence rings, has rung, or was missed.
    func isKnown(_ occurrence: Occurrence, _ world: World) -> Bool {
        open[occurrence] != nil || ended.contains(occurrence)
            || world.engine.history.contains { ring in
                ring.occurrence.alarm == occurrence.alarm
                    && (ring.firstMissed ?? ring.occurrence.at)...max(ring.occurrence.at, ring.firstMissed ?? .earliest)
                        ~= occurrence.at
            }
    }

    // MARK: what comes of it

    /// Looks at all sessions; answers how many have begun.
    mutating func look(
        _ status: Status, _ sound: SoundOrder?, _ world: World, _ watcher: Watcher, isPlanned: (Occurrence) -> Bool
    ) -> Int {
        var began = 0
        checkSound(status, sound, watcher)
        for (index, current) in status.sessions.enumerated() {
            let occurrence = current.session.occurrence
            if let line = open[occurrence] {
                follow(line, current, world, watcher)
            } else {
                began += 1
                begin(current, status, world, watcher, isPlanned: isPlanned)
            }
            if index > 0, current.state == .heard { watcher.broke(2, "two sessions are heard at once") }
        }
        if world.engine.history.last?.ending == .missed { steps.insert(SessionStep(from: "planned", to: "missed")) }
        nextLookAt = open.values.compactMap { line in
            if case .snoozed = line.state { line.snoozedUntil + 1000 } else { nil }
        }.min()
        let still = Set(status.sessions.map(\.session.occurrence))
        for occurrence in open.keys.filter({ !still.contains($0) }).sorted(by: { "\($0)" < "\($1)" }) {
            end(occurrence, world, watcher)
        }
        watchRamp(sound, world, watcher)
        isRestarted = false
        return began
    }

    private func checkSound(_ status: Status, _ sound: SoundOrder?, _ watcher: Watcher) {
        let rings = status.sessions.contains { $0.state == .heard || $0.state == .waits }
        if rings != (sound != nil) {
            watcher.broke(2, rings ? "a session rings without a sound" : "a sound without a session")
        }
        if let sound, status.sessions.first?.session.occurrence != sound.occurrence {
            watcher.broke(2, "the sound is another session's")
        }
    }

    private mutating func begin(
        _ current: SessionStatus, _ status: Status, _ world: World, _ watcher: Watcher, isPlanned: (Occurrence) -> Bool
    ) {
        let session = current.session
        var line = closed[session.occurrence] ?? Line(session: session, state: current.state, at: world.now)
        (line.session, line.state, line.at, line.rampMilliseconds) = (session, current.state, world.now, 0)
        if case .snoozed(let left) = current.state { line.snoozedUntil = world.givenAt + left }
        line.place = SessionStep.place(current)
        if closed[session.occurrence] == nil, !session.terms.isTest, !watcher.model.begun.contains(session.occurrence) {
            steps.insert(SessionStep(from: "planned", to: line.place))
        }
        open[session.occurrence] = line
        guard !session.terms.isTest else { return }
        if session.firedMilliseconds < session.occurrence.at.secondsSince1970 * 1000 {
            watcher.broke(1, "\(session.occurrence) rings early")
        }
        if ended.contains(session.occurrence) { watcher.broke(1, "\(session.occurrence) rings again after its end") }
        guard !isRestarted || !watcher.model.begun.contains(session.occurrence) else { return }
        guard let kept = watcher.model.alarms[session.occurrence.alarm], isPlanned(session.occurrence) else {
            return watcher.broke(1, "\(session.occurrence) rings, but was not planned")
        }
        if session.terms.challenges != kept.alarm.challenges {
            watcher.broke(3, "\(session.occurrence) began with other challenges than its alarm has")
        }
        if session.lateSeconds > max(kept.alarm.lateWindowSeconds, 2) {
            watcher.broke(1, "\(session.occurrence) rings \(session.lateSeconds) s late, too late")
        }
    }

    private mutating func follow(_ before: Line, _ current: SessionStatus, _ world: World, _ watcher: Watcher) {
        var line = before
        let session = current.session
        let occurrence = session.occurrence
        let elapsed = world.now - before.at
        if before.state == .heard { line.heardMilliseconds += elapsed }
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
        if case .snoozed(let left) = current.state {
            if watcher.model.snoozes[occurrence] ?? 0 < session.snoozeCount {
                watcher.broke(5, "\(occurrence) is snoozed, and a power cut would not know")
            }
            // The engine has not been told since its last input what time it is.
            let endsAt = world.givenAt + left
            if case .snoozed = before.state, !before.isAfterRestart, session.snoozeCount == before.session.snoozeCount,
                endsAt > before.snoozedUntil + 1000
            {
                watcher.broke(5, "the snooze of \(occurrence) has become longer")
            }
            if endsAt + 1000 <= world.now { watcher.broke(5, "\(occurrence) is silent after its deadline") }
            line.snoozedUntil = endsAt
        }
        (line.session, line.state, line.at, line.isAfterRestart) = (session, current.state, world.now, false)
        let place = SessionStep.place(current)
        if place != before.place, !before.isAfterRestart { steps.insert(SessionStep(from: before.place, to: place)) }
        line.place = place
        open[occurrence] = line
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

    private mutating func end(_ occurrence: Occurrence, _ world: World, _ watcher: Watcher) {
        guard var line = open.removeValue(forKey: occurrence) else { return }
        if line.state == .heard { line.heardMilliseconds += world.now - line.at }
        guard !line.session.terms.isTest else { return }
        // What nobody could write down is found again after a restart by its plan alone.
        let isForgotten = line.isAfterRestart && !watcher.model.begun.contains(occurrence)
        closed[occurrence] = line
        let ring = world.engine.history.last { $0.occurrence == occurrence }
        if isForgotten, ring == nil { return }
        ended.insert(occurrence)
        if let ring, !line.isAfterRestart { steps.insert(SessionStep(from: line.place, to: ring.ending.rawValue)) }
        guard let ring else {
            return watcher.broke(4, "\(occurrence) has ended, and history does not know")
        }
        switch ring.ending {
        case .dismissed:
            let challenges = line.session.terms.challenges
            if challenges.isEmpty {
                if !isStop { watcher.broke(3, "\(occurrence) was dismissed by \(input.map { "\($0)" } ?? "nothing")") }
            } else if !isDone(challenges, line.work), !hasAlike(challenges, but: occurrence) {
                watcher.broke(3, "\(occurrence) was dismissed, but its challenges were not done")
            }
        case .unanswered:
            let heard = closed[occurrence]?.heardMilliseconds ?? 0
            if heard < 3 * line.session.terms.ring.ringSeconds * 1000 - 1000 {
                watcher.broke(3, "\(occurrence) gave up after \(heard) ms")
            }
        case .emergency:
            let held = Button.allCases.compactMap { downSince[$0] }
            if held.count < 2 || world.now - (held.max() ?? world.now) < SessionWatch.emergencyMilliseconds
                || !world.engine.settings.hasEmergencyExit
            {
                watcher.broke(3, "\(occurrence) ended as an emergency that was none")
            }
        case .missed where isForgotten: break
        case .cancelled, .missed: watcher.broke(3, "\(occurrence) was \(ring.ending.rawValue) while it rang")
        }
    }

    private var isStop: Bool {
        switch input {
        case .button(.stop, true), .command(.stop, _): true
        default: false
        }
    }

    private func isDone(_ challenges: [Challenge], _ work: [Challenge.Kind: Int]) -> Bool {
        challenges.allSatisfy { challenge in
            let needed =
                switch challenge.task {
                case .sums(_, let count, _): count
                case .steps(let count): count
                case .pattern(let length): length
                default: 1
                }
            if let kind = challenge.kind, work[kind] ?? 0 >= needed { return true }
            // Where there is no camera, sums take the place of the code.
            return challenge.kind == .qr && work[.math] ?? 0 >= 5
        }
    }

    /// Whether a session with the very same challenges ended honestly: those that wait behind it end with it.
    private func hasAlike(_ challenges: [Challenge], but occurrence: Occurrence) -> Bool {
        (Array(closed.values) + open.values).contains { isDone(challenges, $0.work) }
    }
}
