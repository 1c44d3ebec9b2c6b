// The tests of a challenge in progress: its actions, its timeout, and the challenge that replaces it.

import Alarms
import CivilTime
import Health
import Testing

@testable import Challenges

@Suite struct ActiveChallengeTests {
    private static let ring = Occurrence(alarm: "work", at: Instant(secondsSince1970: 1_768_197_600))
    private static let enrolled = [
        EnrolledCode(label: "bathroom", kind: .qr, digest: CodeDigest("bathroom")),
        EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("fridge")),
    ]
    private static let challenges: [Challenge] = [
        Challenge(.code(labels: ["bathroom"])), Challenge(.tag(labels: ["fridge"])), Challenge(.steps(count: 10)),
        Challenge(.pattern(length: 4)), Challenge(.sums(level: 1, count: 2, limitSeconds: 60)),
        Challenge(.unknown(kind: "dance")),
    ]
    private static let parts: [Part] = [.camera, .tags, .steps, .buttons]

    private static func begin(
        _ challenge: Challenge, for purpose: ActiveChallenge.Purpose? = nil, canType: Bool = true, at uptime: Int = 0
    ) -> ActiveChallenge {
        ActiveChallenge(
            challenge, for: purpose ?? .session(ring, index: 0), isUp: true, canType: canType,
            chance: SeededGenerator(seed: 1), uptime: uptime)
    }

    private static func devices(_ health: [Part: Health] = [:]) -> ChallengeDevices {
        ChallengeDevices(kinds: Set(Challenge.Kind.allCases), health)
    }

    private static let broken = Health(.unusable(reason: "gone"))
    private static let pulledOut = broken.adding(.pulledOut(until: .latest))

    // MARK: every challenge can be done

    /// Does the assignment, if its device works. Returns the result.
    private static func act(
        on active: inout ActiveChallenge, _ devices: ChallengeDevices, at uptime: Int
    ) -> Progress {
        let assignment = active.assignment
        guard devices[assignment.kind] == .usable || assignment.kind == .math else { return .nothing }
        func apply(_ action: ActiveChallenge.Action) -> Progress {
            active.apply(action, enrolled: enrolled, uptime: uptime)
        }
        switch assignment {
        case .code(let labels):
            let code = SeenCode(digests: [CodeDigest(labels[0])], byteCount: 8)
            return active.match([code], isDark: false, takenUptime: uptime, enrolled: enrolled, uptime: uptime).0
        case .tag(let labels): return apply(.tag([CodeDigest(labels[0])]))
        case .steps: return apply(.step(uptime: uptime))
        case .pattern(let buttons): return apply(.press(buttons[active.progress(at: uptime).pressedCount ?? 0]))
        case .sum(let sum, _): return apply(.answer(sum.result, to: sum.number))
        case .impossible: return .nothing
        }
    }

    /// A ring that only the emergency exit ends is a trap, whatever devices break and work again.
    @Test(arguments: 0..<500) func challenge_canBeDone_whateverIsMissing(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        let challenge = Self.challenges[seed % Self.challenges.count]
        var (health, uptime) = ([Part: Health](), 0)
        func changeHealth(_ chance: inout SeededGenerator) {
            let states = [.ok, Self.broken, Self.pulledOut]
            for part in Self.parts where chance.number(in: 0...3) == 0 {
                health[part] = states[chance.number(in: 0...2)]
            }
            // The replacement is pressed or typed on what works.
            if challenge.kind != .pattern { health[.buttons] = .ok }
        }
        changeHealth(&chance)
        var active = Self.begin(challenge, canType: challenge.kind == .pattern || chance.number(in: 0...1) == 0)
        for round in 0..<500 {
            if round < 50, chance.number(in: 0...9) == 0 { changeHealth(&chance) }
            let devices = Self.devices(health)
            _ = active.update(uptime: uptime, devices)
            let progress = Self.act(on: &active, devices, at: uptime)
            #expect(progress != .wrong)
            if progress == .done { return }
            if let next = active.nextUptime, next > .min { #expect(next > uptime - 30_000) }
            uptime += progress == .nothing ? 30_000 : 400
        }
        Issue.record("\(challenge) is not done: \(active.assignment)")
    }

    // MARK: devices

    private static let limits: [(Health?, isConfigured: Bool, milliseconds: Int, count: Int)] = [
        (nil, false, 0, 5), (broken, true, 0, 5), (pulledOut, true, 600_000, 10),
    ]

    @Test(arguments: limits, challenges.prefix(4))
    func device_isReplaced_afterItsTime(
        limit: (Health?, isConfigured: Bool, milliseconds: Int, count: Int), challenge: Challenge
    ) throws {
        let part = try #require(challenge.kind?.device)
        let kinds = Set(Challenge.Kind.allCases).subtracting(limit.isConfigured ? [] : [challenge.kind ?? .math])
        let devices = ChallengeDevices(kinds: kinds, limit.0.map { [part: $0] } ?? [:])
        var active = Self.begin(challenge, at: 1000)
        let due = 1000 + limit.milliseconds
        if limit.milliseconds > 0 {
            #expect(!active.update(uptime: 1000, devices) && active.nextUptime == due)
            #expect(!active.update(uptime: due - 1, devices) && active.fallback == nil)
        }
        #expect(active.update(uptime: due, devices) == true)
        #expect(active.replacement == Challenge(.sums(level: 3, count: limit.count, limitSeconds: 60)))
        guard case .sum(_, left: limit.count) = active.assignment else {
            Issue.record("\(active.assignment)")
            return
        }
        #expect(active.kind == challenge.kind && !active.showsPersonUp && active.solvedSumCount == nil)
        // When the device works again, so does the challenge; a camera has to deliver a frame.
        _ = active.match([], isDark: false, takenUptime: due, enrolled: [], uptime: due)
        _ = active.update(uptime: due, Self.devices())
        #expect(active.replacement == nil && active.fallback == nil)
    }

    /// A driver may not notice that its camera hangs.
    @Test func cameraWithoutFrames_isReplacedAfterAMinute_andUsedAgainAtItsNextFrame() {
        var active = Self.begin(Self.challenges[0])
        #expect(!active.update(uptime: 59_999, Self.devices()) && active.update(uptime: 60_000, Self.devices()))
        let (progress, _) = active.match([], isDark: true, takenUptime: 61_000, enrolled: [], uptime: 61_000)
        #expect(progress == .nothing && active.fallback == nil && active.wantsLight && active.wantsCamera)
        // A camera that has delivered and breaks is awaited for a minute.
        let devices = Self.devices([.camera: Self.broken])
        #expect(!active.update(uptime: 120_999, devices) && active.update(uptime: 121_000, devices))
    }

    /// Without a keypad, a pattern replaces the challenge.
    @Test func replacement_isPressed_ifNothingCanBeTyped() {
        var active = Self.begin(Self.challenges[0], canType: false)
        #expect(active.update(uptime: 0, Self.devices([.camera: Self.broken])) && active.wantsButtons)
        #expect(active.replacement == Challenge(.pattern(length: 5)))
    }

    @Test func replacedChallenge_saysWhy() {
        let sums = DeviceState.broken.replacement(isTyped: true)
        func text(_ kind: Challenge.Kind, _ state: DeviceState) -> String {
            ReplacedChallenge(kind: kind, state: state, replacement: sums).text
        }
        #expect(text(.tag, .broken).hasSuffix("instead of the tag (the tag reader does not work)"))
        #expect(text(.tag, .pulledOut).hasSuffix("tag after ten minutes (the tag reader does not work)"))
        #expect(text(.qr, .missing).hasSuffix("(\(Challenge.Kind.qr.lack))"))
        let roulette = Challenge(.roulette(Array(Self.challenges.prefix(3))))
        #expect(roulette.kinds == [.qr, .tag, .steps] && Self.challenges[5].kinds.isEmpty)
        #expect(Self.devices()[.roulette] == .missing && Self.devices()[nil] == .missing)
    }

    // MARK: actions and time

    @Test func action_ofAnotherChallenge_isIgnored() {
        var active = Self.begin(Self.challenges[1])
        let others: [ActiveChallenge.Action] = [.answer(1, to: nil), .press(.stop), .step(uptime: 0)]
        #expect(others.allSatisfy { active.apply($0, enrolled: Self.enrolled, uptime: 0) == .nothing })
        #expect(!active.isTouched && !active.isActive(uptime: 0) && active.showsPersonUp)
        #expect(active.apply(.tag([CodeDigest("bathroom")]), enrolled: Self.enrolled, uptime: 5) == .wrong)
        #expect(active.isActive(uptime: 30_004) && !active.isActive(uptime: 30_005))
        #expect(active.timeoutUptime == nil && active.codeLabels.isEmpty && !active.hasStandingCode)
        #expect(active.match([], isDark: true, takenUptime: 5, enrolled: [], uptime: 5).0 == .nothing)
    }

    /// A pattern takes the buttons away from snooze, and an unlocking may be forgotten.
    @Test func challengeAhead_andPattern_timeOut() {
        let ahead = Self.begin(Self.challenges[1], for: .unlock("work", index: 0), at: 7)
        #expect(ahead.timeoutUptime == 300_007 && ahead.session == nil && !ahead.isFor(Self.ring))
        let pattern = Self.begin(Self.challenges[3], at: 7)
        #expect(pattern.timeoutUptime == 300_007 && pattern.isFor(Self.ring))
    }

    @Test func progress_isThatOfTheTask() {
        let progress = Self.challenges.map { Self.begin($0).progress(at: 1000) }
        #expect(progress[2] == TaskProgress(total: 10))
        #expect(progress[3] == TaskProgress(total: 4, pressedCount: 0))
        #expect(progress[4] == TaskProgress(total: 2, limitSeconds: 60, leftMilliseconds: 59_000))
        #expect([0, 1, 5].allSatisfy { progress[$0] == TaskProgress() })
        let kinds = Self.challenges.map { Self.begin($0).assignment.kind }
        #expect(kinds == [.qr, .tag, .steps, .pattern, .math, nil])
    }

    @Test func sum_changesAfterItsTimeLimit_andLockOutKeepsTheChallengeActive() {
        var active = Self.begin(Self.challenges[4])
        #expect(active.nextUptime == 60_000 && active.solvedSumCount == 0)
        let before = active.assignment
        #expect(active.update(uptime: 60_000, Self.devices()) && active.assignment != before)
        for _ in 0..<3 { _ = active.apply(.answer(-1, to: nil), enrolled: [], uptime: 60_000) }
        #expect(active.lockMilliseconds(uptime: 60_001) == 29_999 && active.isActive(uptime: 89_999))
        #expect(Self.begin(Self.challenges[0]).lockMilliseconds(uptime: 0) == 0)
    }
}
