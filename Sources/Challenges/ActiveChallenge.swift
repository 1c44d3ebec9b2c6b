// A challenge in progress: its task, and the part that is done.

import Alarms

package struct ActiveChallenge: Sendable {
    package enum Purpose: Hashable, Sendable {
        case session(Occurrence, index: Int)
        /// A challenge of a locked alarm that the owner wants to change.
        case unlock(Alarm.ID, index: Int)
    }

    /// An action of a person, which may be part of this challenge.
    package enum Action {
        case answer(Int, to: Int?), press(Button), step(uptime: Int), tag([CodeDigest])

        var isBySensor: Bool {
            switch self {
            case .step, .tag: true
            case .answer, .press: false
            }
        }
    }

    /// The task. Indirect, so that reading a challenge copies no search and no sums.
    package indirect enum TaskState: Sendable {
        case code(CodeSearch)
        case sums(Sums)
        case steps(Steps)
        case pattern(Pattern)
        case tag(labels: [String])
        case impossible
    }

    package let purpose: Purpose
    package private(set) var task: TaskState
    /// The challenge that replaces this one while its device is missing, and its task.
    package private(set) var replacement: Challenge?
    package private(set) var fallback: TaskState?
    private var device: DeviceWatch
    private var chance: SeededGenerator
    /// True if numbers can be typed; otherwise there are only the two buttons.
    private let canType: Bool
    /// The time of the last action, or of the start of the challenge.
    private var touchedUptime: Int
    package private(set) var isTouched = false
    /// The end of a lock-out that was recorded before this challenge began.
    private let lockedUntilUptime: Int

    /// The time without an action after which the sleeper may have gone back to bed.
    package static let activeMilliseconds = 30_000
    /// The timeout of a challenge that is done ahead of time, and of one that uses the buttons, which cannot
    /// snooze meanwhile. Any other challenge stays for as long as its session rings.
    private static let timeoutMilliseconds = 300_000

    package init(
        _ challenge: Challenge, for purpose: Purpose, isUp: Bool, canType: Bool, chance: SeededGenerator,
        uptime: Int, before: Sums.PriorProgress = .init()
    ) {
        (self.purpose, self.canType, self.chance) = (purpose, canType, chance)
        touchedUptime = uptime
        lockedUntilUptime = uptime + before.lockMilliseconds
        device = DeviceWatch(challenge.kind, uptime: uptime)
        task = TaskState(challenge, isUp: isUp, chance, uptime: uptime, before)
    }

    /// The session whose challenge it is; nil for a challenge that is done ahead of time.
    package var session: Occurrence? {
        if case .session(let session, _) = purpose { session } else { nil }
    }

    package func isFor(_ session: Occurrence) -> Bool { self.session == session }

    /// Returns true if there was an action in the last 30 seconds, or if answers are locked out.
    package func isActive(uptime: Int) -> Bool {
        isTouched && uptime - touchedUptime < ActiveChallenge.activeMilliseconds || lockMilliseconds(uptime: uptime) > 0
    }

    /// The time of the timeout if no further action follows; nil for a challenge without a timeout.
    package var timeoutUptime: Int? {
        let isAhead = if case .unlock = purpose { true } else { false }
        return isAhead || wantsButtons ? touchedUptime + ActiveChallenge.timeoutMilliseconds : nil
    }

    /// Returns the milliseconds until an answer is accepted again after too many wrong ones.
    package func lockMilliseconds(uptime: Int) -> Int {
        if case .sums(let sums) = fallback ?? task { sums.lockMilliseconds(uptime: uptime) } else { 0 }
    }

    /// The number of solved sums; nil if the challenge is not of sums, also while sums replace it.
    package var solvedSumCount: Int? {
        if fallback == nil, case .sums(let sums) = task { sums.solvedCount } else { nil }
    }

    package var assignment: Assignment {
        switch fallback ?? task {
        case .code(let search): .code(labels: search.labels)
        case .sums(let sums): .sum(sums.sum, left: sums.left)
        case .steps(let steps): .steps(left: steps.left)
        case .pattern(let pattern): .pattern(pattern.buttons)
        case .tag(let labels): .tag(labels: labels)
        case .impossible: .impossible
        }
    }

    /// Returns the progress of the task, for display.
    package func progress(at uptime: Int) -> TaskProgress {
        switch fallback ?? task {
        case .sums(let sums):
            TaskProgress(
                total: sums.count, limitSeconds: sums.limitMilliseconds / 1000,
                leftMilliseconds: max(0, sums.nextUptime - uptime))
        case .steps(let steps): TaskProgress(total: steps.count)
        case .pattern(let pattern): TaskProgress(total: pattern.buttons.count, pressedCount: pattern.pressedCount)
        case .code, .tag, .impossible: TaskProgress()
        }
    }

    /// The kind of the challenge, also while another one replaces it: its device may work again.
    package var kind: Challenge.Kind? { device.kind }

    /// True if completing it shows that a person is out of bed.
    package var showsPersonUp: Bool { fallback == nil && [.qr, .tag, .steps].contains(kind) }

    /// True if the camera must be on.
    package var wantsCamera: Bool {
        if case .code = task { true } else { false }
    }

    /// The labels of the codes; any one of them completes the challenge.
    package var codeLabels: [String] {
        if case .code(let search) = task { search.labels } else { [] }
    }

    /// True if a code must be read and the frames are too dark.
    package var wantsLight: Bool {
        if case .code(let search) = fallback ?? task { search.isDark } else { false }
    }

    /// True if the right code has been in view all the time: the owner must remove it and show it again.
    package var hasStandingCode: Bool {
        if case .code(let search) = fallback ?? task { search.isStanding } else { false }
    }

    /// True if presses of the buttons belong to this challenge, and do not mean snooze and stop.
    package var wantsButtons: Bool {
        // A button that was pulled out presses no pattern, and must not end the wait for it.
        if case .pattern = fallback ?? task { fallback != nil || device.state == .usable } else { false }
    }

    /// The next deadline: a sum's time limit, the end of a lock-out, a missing device, or the timeout.
    package var nextUptime: Int? {
        let next: Int? = if case .sums(let sums) = fallback ?? task { sums.nextUptime } else { nil }
        let missing = fallback == nil ? device.missingUptime : nil
        return [next, missing, timeoutUptime].compactMap(\.self).min()
    }

    /// Advances to `uptime`. Returns whether the assignment has changed.
    package mutating func update(uptime: Int, _ devices: ChallengeDevices) -> Bool {
        device.update(devices[kind], at: uptime)
        let isMissing = device.isMissing(at: uptime)
        if isMissing != (fallback != nil) {
            if isMissing { replace(uptime: uptime) } else { endReplacement() }
            return true
        }
        guard case .sums(var sums) = fallback ?? task else { return false }
        let isAnother = sums.update(uptime: uptime)
        setTask(.sums(sums))
        return isAnother
    }

    private mutating func replace(uptime: Int) {
        // The timeout starts now: so far, the challenge was impossible.
        if case .session = purpose { touchedUptime = uptime }
        // Drawn again each time: after a device that came back for a moment, known results must not count again.
        let chance = SeededGenerator(seed: self.chance.bits())
        // A lock-out that a power cut has interrupted continues.
        let before = Sums.PriorProgress(lockMilliseconds: max(0, lockedUntilUptime - uptime))
        let challenge = device.state.replacement(isTyped: canType)
        (replacement, fallback) = (challenge, TaskState(challenge, isUp: true, chance, uptime: uptime, before))
    }

    private mutating func endReplacement() { (replacement, fallback) = (nil, nil) }

    private mutating func setTask(_ new: TaskState) {
        if fallback == nil { task = new } else { fallback = new }
    }

    /// Applies an action and returns its result: `.nothing` if the action does not belong to this challenge.
    package mutating func apply(_ action: Action, enrolled: [EnrolledCode], uptime: Int) -> Progress {
        let progress: Progress
        // A step or a tag counts also while another challenge replaces it.
        switch (action.isBySensor ? task : fallback ?? task, action) {
        case (.sums(var sums), .answer(let result, let number)):
            progress = sums.answer(result, to: number, uptime: uptime)
            setTask(.sums(sums))
        case (.steps(var steps), .step(let stepUptime)):
            progress = steps.step(uptime: stepUptime)
            task = .steps(steps)
        case (.pattern(var pattern), .press(let button)):
            progress = pattern.press(button)
            setTask(.pattern(pattern))
        case (.tag(let labels), .tag(let digests)):
            let isRight = enrolled.contains {
                $0.kind == .tag && labels.contains($0.label) && digests.contains($0.digest)
            }
            progress = isRight ? .done : .wrong
        default: return .nothing
        }
        if progress == .done, action.isBySensor { endReplacement() }
        touchedUptime = uptime
        isTouched = true
        return progress
    }

    package mutating func match(
        _ codes: [SeenCode], isDark: Bool, takenUptime: Int, enrolled: [EnrolledCode], uptime: Int
    ) -> (Progress, SeenCode?) {
        guard case .code(var search) = task else { return (.nothing, nil) }
        // A frame came, so the camera works again.
        device.deliver(at: uptime)
        endReplacement()
        defer { task = .code(search) }
        return search.match(codes, isDark: isDark, takenUptime: takenUptime, enrolled: enrolled, uptime: uptime)
    }
}

extension ActiveChallenge.TaskState {
    fileprivate init(
        _ challenge: Challenge, isUp: Bool, _ chance: SeededGenerator, uptime: Int, _ before: Sums.PriorProgress
    ) {
        self =
            switch challenge.task {
            case .code(let labels): .code(CodeSearch(labels: labels, isUp: isUp, uptime: uptime))
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
}
