// The current challenge, and the state that outlives it: lock-outs and the last right code.

import Agenda
import Alarms
import Challenges

/// The current challenge: that of a session, or one that unlocks an alarm ahead of its ring.
package struct ChallengeState: Sendable {
    package private(set) var current: ActiveChallenge?
    private(set) var kinds: Set<Challenge.Kind> = []
    private(set) var symbologies: Set<String> = []
    /// The key with which codes are hashed until a key is recorded.
    private(set) var newCodeKey: CodeKey?
    private var hasButtons = true
    private(set) var hasShaker = false
    private(set) var hasSunrise = false
    /// The states at the last update, for a challenge that begins between two updates.
    private var devices = ChallengeDevices()
    private var chance = SeededGenerator(seed: 0)
    /// The end of the lock-out after too many wrong answers while unlocking an alarm.
    private var lockedOutUntilUptime = 0
    /// The last right code. While it stays in view it counts once.
    private var lastMatch: (code: [CodeDigest], uptime: Int)?

    /// The session whose challenge was completed last, and when.
    private var lastCompleted: (session: Occurrence, uptime: Int)?

    /// When the last answer to the current challenge was wrong; nil if it was not.
    private var wrongUptime: Int?

    private static let sameCodeMilliseconds = 300
    /// The time for which the status reports a wrong answer.
    private static let wrongMilliseconds = 10_000

    /// Returns the next deadline: now, if a device's state has changed or the challenge is not needed.
    func nextDeadline(_ sessions: Sessions, _ alarms: AlarmBook, _ devices: ChallengeDevices) -> Deadline {
        guard self.devices == devices else { return .now }
        guard let current else { return .never }
        return isNeeded(current, sessions, alarms) ? .uptime(current.nextUptime) : .now
    }

    private func isNeeded(_ active: ActiveChallenge, _ sessions: Sessions, _ alarms: AlarmBook) -> Bool {
        switch active.purpose {
        case .session(let occurrence, let index):
            sessions.addressed.map { $0.occurrence == occurrence && $0.doneMilliseconds.count == index } ?? false
        case .unlock(let id, _): sessions.isEmpty && alarms[id] != nil
        }
    }

    /// Returns true if a challenge begins by itself: none is in progress, and no stop button works.
    func beginsUnasked(areButtonsBroken: Bool) -> Bool { (!hasButtons || areButtonsBroken) && current == nil }

    mutating func start(_ start: Start) {
        (kinds, symbologies) = (start.kinds, start.symbologies)
        (hasShaker, hasSunrise) = (start.hasShaker, start.hasSunrise)
        (hasButtons, newCodeKey, chance) = (start.hasButtons, start.newCodeKey, SeededGenerator(seed: start.seed))
    }

    /// Returns true if numbers can be typed, or if there are no two buttons instead.
    func canType(_ devices: ChallengeDevices) -> Bool { kinds.contains(.math) || devices[.pattern] != .usable }

    /// Begins the session's first open challenge, unless it is in progress. `isUp`: a person has shown in
    /// another challenge that they are up.
    mutating func begin(_ session: Session, isUp: Bool, now: Int, at uptime: Int) {
        let locked = session.lockedOutUntilMilliseconds - now
        let before = Sums.PriorProgress(
            solvedCount: session.solvedSumCount, lockMilliseconds: min(max(locked, 0), Sums.lockMilliseconds))
        let index = session.doneMilliseconds.count
        begin(
            session.openChallenge, for: .session(session.occurrence, index: index), isUp: isUp,
            seed: session.seed, index, before, at: uptime)
    }

    enum UnlockResult {
        case begun(Assignment)
        case lockedOut(milliseconds: Int)
    }

    /// Begins the challenges of a locked alarm ahead of a ring. `seed` is the seed of that ring.
    mutating func unlock(_ alarm: Alarm, seed: UInt64, at uptime: Int) -> UnlockResult {
        if let current, case .unlock(alarm.id, _) = current.purpose { return .begun(current.assignment) }
        let locked = max(lockedOutUntilUptime - uptime, current?.lockMilliseconds(uptime: uptime) ?? 0)
        // A lock-out applies to all alarms, so the owner cannot avoid it by switching to another.
        guard locked <= 0 else { return .lockedOut(milliseconds: locked) }
        return .begun(beginUnlocking(alarm, index: 0, seed: seed, at: uptime))
    }

    /// Begins a challenge. The ring's seed draws a roulette, so that a second request draws nothing easier.
    private mutating func beginUnlocking(
        _ alarm: Alarm, index: Int, isUp: Bool = false, seed: UInt64, at uptime: Int
    ) -> Assignment {
        let drawn = alarm.challenges[index].drawn(seed: seed, index: index)
        begin(drawn, for: .unlock(alarm.id, index: index), isUp: isUp, seed: chance.bits(), index, at: uptime)
        return current?.assignment ?? .impossible
    }

    /// Begins the next challenge of an alarm that is being unlocked. Returns false if none is left.
    mutating func continueUnlocking(
        _ alarm: Alarm, after index: Int, isUp: Bool, seed: UInt64, at uptime: Int
    ) -> Bool {
        guard index + 1 < alarm.challenges.count else { return false }
        _ = beginUnlocking(alarm, index: index + 1, isUp: isUp, seed: seed, at: uptime)
        return true
    }

    private mutating func begin(
        _ challenge: Challenge?, for purpose: ActiveChallenge.Purpose, isUp: Bool, seed: UInt64, _ index: Int,
        _ before: Sums.PriorProgress = .init(), at uptime: Int
    ) {
        guard current?.purpose != purpose else { return }
        wrongUptime = nil
        current = challenge.map { challenge in
            ActiveChallenge(
                challenge, for: purpose, isUp: isUp, canType: canType(devices),
                chance: SeededGenerator(seed: seed, index, uptime), uptime: uptime, before: before)
        }
        _ = current?.update(uptime: uptime, devices)
    }

    /// Returns true if a challenge of this session is being done now, or one was completed a moment ago.
    func isBusy(with occurrence: Occurrence, at uptime: Int) -> Bool {
        if let current, current.isFor(occurrence), current.isActive(uptime: uptime) { return true }
        guard let lastCompleted, lastCompleted.session == occurrence else { return false }
        return uptime - lastCompleted.uptime < ActiveChallenge.activeMilliseconds
    }

    /// Returns true if the last answer to the current challenge was wrong, a moment ago.
    func isWrong(at uptime: Int) -> Bool {
        wrongUptime.map { uptime - $0 < ChallengeState.wrongMilliseconds } ?? false
    }

    /// Drops the challenge of a session that is silent now.
    mutating func abandon(_ occurrence: Occurrence) {
        if current?.isFor(occurrence) == true { current = nil }
    }

    /// Drops a challenge that is over, or advances it. Returns whether the assignment has changed.
    mutating func update(
        _ sessions: Sessions, _ alarms: AlarmBook, _ devices: ChallengeDevices, at uptime: Int
    ) -> Bool {
        self.devices = devices
        guard let active = current else { return false }
        let isGivenUp = active.timeoutUptime.map { $0 <= uptime } ?? false
        if isGivenUp || !isNeeded(active, sessions, alarms) {
            if case .unlock = active.purpose {
                // The lock-out outlives the challenge: leaving and coming back must not end it.
                lockedOutUntilUptime = uptime + active.lockMilliseconds(uptime: uptime)
            }
            current = nil
        }
        return current?.update(uptime: uptime, devices) ?? false
    }

    /// Applies an action. Returns the challenge and the result, or nil if no challenge is in progress.
    mutating func apply(
        _ action: ActiveChallenge.Action, enrolled: [EnrolledCode], at uptime: Int
    ) -> (active: ActiveChallenge, progress: Progress)? {
        guard let progress = current?.apply(action, enrolled: enrolled, uptime: uptime), let current else { return nil }
        if progress != .nothing { wrongUptime = progress == .wrong ? uptime : nil }
        return dropIfDone(current, progress, at: uptime)
    }

    /// Matches the codes of a frame. Returns challenge, result and code; nil if no code was right or wrong.
    mutating func match(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], at uptime: Int
    ) -> (active: ActiveChallenge, progress: Progress, code: SeenCode)? {
        let fresh = codes.filter { !isSameCode($0, at: takenUptime) }
        let seen = current?.match(
            fresh, isDark: isDark, takenUptime: takenUptime, enrolled: enrolled, uptime: uptime)
        guard let (progress, code) = seen, let code, let current else { return nil }
        if progress == .done { lastMatch = (code.digests, takenUptime) }
        let (active, _) = dropIfDone(current, progress, at: uptime)
        return (active, progress, code)
    }

    /// Drops the current challenge if it is completed.
    private mutating func dropIfDone(_ active: ActiveChallenge, _ progress: Progress, at uptime: Int) -> (
        active: ActiveChallenge, progress: Progress
    ) {
        if progress == .done {
            current = nil
            lastCompleted = active.session.map { ($0, uptime) }
        }
        return (active, progress)
    }

    /// Returns true for the last right code while in view: for the next challenge it is not a wrong code.
    private mutating func isSameCode(_ code: SeenCode, at uptime: Int) -> Bool {
        guard let (last, seen) = lastMatch, code.digests == last, uptime - seen <= ChallengeState.sameCodeMilliseconds
        else { return false }
        lastMatch = (last, uptime)
        return true
    }
}
