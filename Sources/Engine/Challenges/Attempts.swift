// Which challenge is being done, and what lasts from one to the next.

import Alarms

/// The challenge that is being done: one of a session, or one of a locked alarm that is done ahead.
struct Attempts: Sendable {
    private(set) var current: Attempt?
    /// The kinds of challenge that there is hardware for.
    private(set) var kinds: Set<Challenge.Kind> = []
    /// How codes that are enrolled may be read.
    private(set) var symbologies: Set<String> = []
    /// The key with which codes are hashed as long as no key is written down.
    private(set) var newCodeKey: CodeKey?
    private var hasButtons = true
    /// The state of the camera at the last update: an attempt that begins between two updates needs it at once.
    private var camera = CameraState.usable
    private var chance = Chance(seed: 0)
    /// Until then no alarm is unlocked: too many answers were wrong.
    private var lockedOutUntilUptime = 0
    /// The right code that was seen last: while it stays in view it is the same scan.
    private var lastScan: (code: [CodeDigest], uptime: Int)?

    private static let sameScanMilliseconds = 300

    /// Time runs out for what is asked, or nobody does anything for it.
    var nextDeadline: Int? { current?.nextUptime }

    /// Whether the current session's first open challenge is to begin without a press: there is no stop button that works, and
    /// no challenge has begun.
    func beginsUnasked(areButtonsBroken: Bool) -> Bool { (!hasButtons || areButtonsBroken) && current == nil }

    mutating func start(_ start: Start) {
        (kinds, symbologies) = (start.kinds, start.symbologies)
        (hasButtons, newCodeKey, chance) = (start.hasButtons, start.newCodeKey, Chance(seed: start.seed))
    }

    /// The session's first open challenge begins, unless it has begun already. `isAsked` is whether somebody wants to do it, or is
    /// up for another reason; else it begins with the ring.
    mutating func begin(_ session: Session, isAsked: Bool, now: Int, at uptime: Int) {
        let locked = session.lockedOutUntilMilliseconds - now
        let before = Sums.Before(
            solvedCount: session.solvedSumCount, lockMilliseconds: min(max(locked, 0), Sums.lockMilliseconds))
        let index = session.doneMilliseconds.count
        begin(
            session.openChallenge, for: .session(session.occurrence, index: index), isAsked: isAsked,
            seed: session.seed, index, before, at: uptime)
    }

    /// What comes of the wish to unlock an alarm.
    enum Unlocking {
        case begun(Assignment)
        case lockedOut(milliseconds: Int)
    }

    /// The challenges of a locked alarm are to be done ahead of a ring; `seed` is that ring's.
    mutating func unlock(_ alarm: Alarm, seed: UInt64, at uptime: Int) -> Unlocking {
        if let current, case .unlock(alarm.id, _) = current.purpose { return .begun(current.assignment) }
        let locked = max(lockedOutUntilUptime - uptime, current?.lockMilliseconds(uptime: uptime) ?? 0)
        // Another alarm is no way round.
        guard locked <= 0 else { return .lockedOut(milliseconds: locked) }
        return .begun(beginUnlocking(alarm, index: 0, seed: seed, at: uptime))
    }

    /// A challenge that is done ahead is what it will come to when it rings: nobody asks until it is something easier.
    private mutating func beginUnlocking(_ alarm: Alarm, index: Int, seed: UInt64, at uptime: Int) -> Assignment {
        let drawn = alarm.challenges[index].drawn(seed: seed, index: index)
        begin(drawn, for: .unlock(alarm.id, index: index), seed: chance.bits(), index, at: uptime)
        return current?.assignment ?? .impossible
    }

    /// The next challenge of an alarm that is being unlocked begins. Answers whether there is one.
    mutating func continueUnlocking(_ alarm: Alarm, after index: Int, seed: UInt64, at uptime: Int) -> Bool {
        guard index + 1 < alarm.challenges.count else { return false }
        _ = beginUnlocking(alarm, index: index + 1, seed: seed, at: uptime)
        return true
    }

    private mutating func begin(
        _ challenge: Challenge?, for purpose: Attempt.Purpose, isAsked: Bool = true, seed: UInt64, _ index: Int,
        _ before: Sums.Before = Sums.Before(), at uptime: Int
    ) {
        guard current?.purpose != purpose else { return }
        current = challenge.map { challenge in
            Attempt(
                challenge, for: purpose, isAsked: isAsked, canType: kinds.contains(.math),
                chance: Chance(seed: seed, index, uptime), uptime: uptime, before: before)
        }
        _ = current?.update(uptime: uptime, camera)
    }

    /// Whether somebody is at a challenge of a session.
    func isBusy(with occurrence: Occurrence, at uptime: Int) -> Bool {
        current.map { $0.isFor(occurrence) && $0.isActive(uptime: uptime) } ?? false
    }

    /// Nothing more is to be done for a session for now.
    mutating func leave(_ occurrence: Occurrence) {
        if current?.isFor(occurrence) == true { current = nil }
    }

    /// Whoever is addressed first has its challenge done; a challenge that nobody needs any more is forgotten. Answers whether
    /// something else is to be done now.
    mutating func update(_ sessions: Sessions, _ alarms: AlarmBook, _ camera: CameraState, at uptime: Int) -> Bool {
        self.camera = camera
        guard let attempt = current else { return false }
        let isGivenUp = attempt.givenUpUptime.map { $0 <= uptime } ?? false
        switch attempt.purpose {
        case .session(let occurrence, let index):
            let isOpen = sessions[occurrence]?.doneMilliseconds.count == index
            if isGivenUp || !isOpen || sessions.addressed?.occurrence != occurrence { current = nil }
        case .unlock(let id, _):
            if isGivenUp || !sessions.isEmpty || alarms[id] == nil {
                // The lock-out after wrong answers outlives the attempt: leaving and coming back is no way round it.
                lockedOutUntilUptime = uptime + attempt.lockMilliseconds(uptime: uptime)
                current = nil
            }
        }
        return current?.update(uptime: uptime, camera) ?? false
    }

    /// Something was done. Answers for which challenge, and what it came to; nil where nothing is to be done, or not that.
    mutating func apply(
        _ deed: Attempt.Deed, enrolled: [EnrolledCode], at uptime: Int
    ) -> (attempt: Attempt, progress: Progress)? {
        guard let progress = current?.apply(deed, enrolled: enrolled, uptime: uptime), let current else { return nil }
        return finish(current, progress)
    }

    /// The camera gave a frame. Answers as above, and with the code that was right or wrong.
    mutating func see(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], at uptime: Int
    ) -> (attempt: Attempt, progress: Progress, code: SeenCode)? {
        let fresh = codes.filter { !isSameScan($0, at: takenUptime) }
        let seen = current?.see(
            fresh, isDark: isDark, takenUptime: takenUptime, enrolled: enrolled, uptime: uptime)
        guard let (progress, code) = seen, let code, let current else { return nil }
        if progress == .done { lastScan = (code.digests, takenUptime) }
        let (attempt, _) = finish(current, progress)
        return (attempt, progress, code)
    }

    /// What is completed is done no longer.
    private mutating func finish(_ attempt: Attempt, _ progress: Progress) -> (attempt: Attempt, progress: Progress) {
        if progress == .done { current = nil }
        return (attempt, progress)
    }

    /// Whether it is the right code of a moment ago, still in view: it must not be the wrong one for what comes next.
    private mutating func isSameScan(_ code: SeenCode, at uptime: Int) -> Bool {
        guard let (last, seen) = lastScan, code.digests == last, uptime - seen <= Attempts.sameScanMilliseconds
        else { return false }
        lastScan = (last, uptime)
        return true
    }
}
