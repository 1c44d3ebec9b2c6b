// One challenge being done: what is asked, and what has been done of it.

import Alarms

/// The work on one challenge.
struct Attempt: Sendable {
    /// Where the challenge stands.
    enum Purpose: Hashable, Sendable {
        /// In a session's list.
        case session(Occurrence, index: Int)
        /// In the list of an alarm that is to be changed although it is locked.
        case unlock(Alarm.ID, index: Int)
    }

    /// Something that was done, which may be for it.
    enum Deed {
        case answer(Int, to: Int?), press(Button), step(uptime: Int), tag([CodeDigest])
    }

    private enum Work: Sendable {
        case code(CodeSearch)
        case sums(Sums)
        case steps(Steps)
        case pattern(Pattern)
        case tag(labels: [String])
        case impossible
    }

    let purpose: Purpose
    private var work: Work
    /// What takes the place of a code that cannot be shown because there is no camera.
    private var fallback: Work?
    private let chance: Chance
    /// Whether there is a way to type, or only the two buttons.
    private let canType: Bool
    /// When something was last done for it, or it was begun.
    private var touchedUptime: Int
    private var isTouched = false
    /// Until when nothing was taken, as the records have it.
    private let lockedUntilUptime: Int

    /// Whoever has done nothing for so long has gone back to bed.
    private static let activeMilliseconds = 30_000
    /// So long a challenge waits that is done ahead, or that keeps the buttons from snoozing; any other of a session waits for
    /// as long as it rings.
    private static let patienceMilliseconds = 300_000

    init(
        _ challenge: Challenge, for purpose: Purpose, isAsked: Bool, canType: Bool, chance: Chance, uptime: Int,
        before: Sums.Before = Sums.Before()
    ) {
        self.purpose = purpose
        self.canType = canType
        self.chance = chance
        touchedUptime = uptime
        lockedUntilUptime = uptime + before.lockMilliseconds
        work =
            switch challenge.task {
            case .code(let labels): .code(CodeSearch(labels: labels, isAsked: isAsked, uptime: uptime))
            case .sums(let level, let count, let limit):
                .sums(
                    Sums(
                        level: level, count: count, limitSeconds: limit, chance: chance, uptime: uptime, before: before)
                )
            case .steps(let count): .steps(Steps(count: count))
            case .pattern(let length): .pattern(Pattern(length: length, chance: chance))
            case .tag(let labels): .tag(labels: labels)
            case .roulette, .unknown: .impossible
            }
    }

    /// The session that it is a challenge of.
    var session: Occurrence? {
        if case .session(let session, _) = purpose { session } else { nil }
    }

    /// Whether it is one of a session's challenges.
    func isFor(_ session: Occurrence) -> Bool { self.session == session }

    /// Whether somebody is at it.
    func isActive(uptime: Int) -> Bool {
        isTouched && uptime - touchedUptime < Attempt.activeMilliseconds || lockMilliseconds(uptime: uptime) > 0
    }

    /// When it is given up, if nothing is done for it.
    var givenUpUptime: Int? {
        let isAhead = if case .unlock = purpose { true } else { false }
        return isAhead || wantsButtons ? touchedUptime + Attempt.patienceMilliseconds : nil
    }

    /// How many milliseconds nothing is taken for, after too much that was wrong.
    func lockMilliseconds(uptime: Int) -> Int {
        if case .sums(let sums) = fallback ?? work { sums.lockMilliseconds(uptime: uptime) } else { 0 }
    }

    /// How many of its sums are solved; nil where it is no sums, or they only take the place of something else.
    var solvedSumCount: Int? {
        if fallback == nil, case .sums(let sums) = work { sums.solvedCount } else { nil }
    }

    /// What is to be done now.
    var assignment: Assignment {
        switch fallback ?? work {
        case .code(let search): .code(labels: search.labels)
        case .sums(let sums): .sum(sums.sum, left: sums.left)
        case .steps(let steps): .steps(left: steps.left)
        case .pattern(let pattern): .pattern(pattern.buttons)
        case .tag(let labels): .tag(labels: labels)
        case .impossible: .impossible
        }
    }

    /// Whether the camera is to look: also while something else takes its place, for frames may come again.
    var wantsCamera: Bool {
        if case .code = work { true } else { false }
    }

    /// The names of the codes of which one is to be shown.
    var codeLabels: [String] {
        if case .code(let search) = work { search.labels } else { [] }
    }

    /// Whether a code is to be read and it is too dark for it.
    var wantsLight: Bool {
        if case .code(let search) = fallback ?? work { search.isDark } else { false }
    }

    /// Whether the right code is in view, and is to be taken away and shown again.
    var hasStandingCode: Bool {
        if case .code(let search) = fallback ?? work { search.isStanding } else { false }
    }

    /// Whether the buttons are for it, and not for snooze and stop.
    var wantsButtons: Bool {
        if case .pattern = fallback ?? work { true } else { false }
    }

    /// When something changes by itself.
    var nextUptime: Int? {
        let next: Int? =
            switch fallback ?? work {
            case .sums(let sums): sums.nextUptime
            case .code(let search): search.framelessUptime
            case .steps, .pattern, .tag, .impossible: nil
            }
        return [next, givenUpUptime].compactMap(\.self).min()
    }

    /// Lets time pass. Answers whether something else is to be done now.
    mutating func update(uptime: Int, _ camera: CameraState) -> Bool {
        switch fallback ?? work {
        case .sums(var sums):
            let isAnother = sums.update(uptime: uptime)
            setWork(.sums(sums))
            return isAnother
        case .code(var search):
            search.camera = camera
            work = .code(search)
            guard search.isFrameless(uptime: uptime) else { return false }
            replaceCode(isPulledOut: camera == .pulledOut, uptime: uptime)
            return true
        case .steps, .pattern, .tag, .impossible: return false
        }
    }

    /// There is no camera to show a code to. Whoever has pulled it out wins nothing by that.
    private mutating func replaceCode(isPulledOut: Bool, uptime: Int) {
        // Nobody could do anything for it before.
        if case .session = purpose { touchedUptime = uptime }
        guard canType else { return fallback = .pattern(Pattern(length: isPulledOut ? 10 : 5, chance: chance)) }
        // A lock-out that a power cut has interrupted goes on.
        let before = Sums.Before(lockMilliseconds: max(0, lockedUntilUptime - uptime))
        let count = isPulledOut ? 10 : 5
        fallback = .sums(
            Sums(level: 3, count: count, limitSeconds: 60, chance: chance, uptime: uptime, before: before))
    }

    private mutating func setWork(_ new: Work) {
        if fallback == nil { work = new } else { fallback = new }
    }

    /// Answers what a deed came to; `.nothing` where this is not what is to be done.
    mutating func apply(_ deed: Deed, enrolled: [EnrolledCode], uptime: Int) -> Progress {
        let progress: Progress
        switch (fallback ?? work, deed) {
        case (.sums(var sums), .answer(let result, let number)):
            progress = sums.answer(result, to: number, uptime: uptime)
            setWork(.sums(sums))
        case (.steps(var steps), .step(let stepUptime)):
            progress = steps.step(uptime: stepUptime)
            setWork(.steps(steps))
        case (.pattern(var pattern), .press(let button)):
            progress = pattern.press(button)
            setWork(.pattern(pattern))
        case (.tag(let labels), .tag(let digests)):
            let isRight = enrolled.contains {
                $0.kind == .tag && labels.contains($0.label) && digests.contains($0.digest)
            }
            progress = isRight ? .done : .wrong
        default: return .nothing
        }
        touchedUptime = uptime
        isTouched = true
        return progress
    }

    mutating func see(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], uptime: Int
    ) -> (Progress, SeenCode?) {
        guard case .code(var search) = work else { return (.nothing, nil) }
        // Frames: there is a camera, again.
        fallback = nil
        defer { work = .code(search) }
        return search.see(codes, isDark: isDark, takenUptime: takenUptime, enrolled: enrolled, uptime: uptime)
    }
}

extension Attempt {
    /// What tells it apart from another: see `Engine.stateKey`.
    func combineState(into hasher: inout Hasher) {
        hasher.combine(purpose)
        hasher.combine(isTouched)
        hasher.combine(fallback == nil)
        switch fallback ?? work {
        case .code(let search):
            hasher.combine(search.camera)
            hasher.combine([search.isAsked, search.isDark, search.isStanding])
        case .sums(let sums): sums.combineState(into: &hasher)
        case .steps, .pattern, .tag, .impossible: hasher.combine(assignment)
        }
    }
}

/// The part of a challenge that is next.
public enum Assignment: Hashable, Sendable {
    /// Show one of the codes of these names to the camera.
    case code(labels: [String])
    /// Solve this sum; so many are left, this one included.
    case sum(Sum, left: Int)
    /// Walk so many steps more.
    case steps(left: Int)
    /// Press the buttons in this order, from the first one on.
    case pattern([Button])
    /// Hold one of the tags of these names to the reader.
    case tag(labels: [String])
    /// Nothing that this Rooster knows how to do: only the emergency way out is left.
    case impossible

    /// What kind of challenge it is part of.
    public var kind: Challenge.Kind? {
        switch self {
        case .code: .qr
        case .sum: .math
        case .steps: .steps
        case .pattern: .pattern
        case .tag: .tag
        case .impossible: nil
        }
    }
}

/// What became of something that was done for a challenge.
enum Progress: Hashable {
    /// It has nothing to do with this challenge.
    case nothing
    /// One of several was done.
    case further
    /// It was wrong.
    case wrong
    /// It was right for the sum whose time has just run out.
    case late
    /// No answer is taken for so many milliseconds.
    case lockedOut(Int)
    /// The challenge is completed.
    case done
}
