// The deadlines of the engine's parts, and the earliest of them.

import Agenda
import CivilTime

/// The time at which a part of the engine must be processed next, by either clock.
struct Deadline: Hashable, Sendable {
    /// By the best-known time, in milliseconds since 1970.
    private(set) var wallMilliseconds = Int.max
    private(set) var uptime = Int.max

    static let never = Deadline()
    /// At once, because another part has changed and this part depends on it.
    static let now = Deadline(uptime: .min)

    /// `nil` means never.
    static func wall(_ milliseconds: Int?) -> Deadline { Deadline(wallMilliseconds: milliseconds ?? .max) }

    /// `nil` means never.
    static func uptime(_ uptime: Int?) -> Deadline { Deadline(uptime: uptime ?? .max) }

    func orEarlier(_ other: Deadline) -> Deadline {
        Deadline(
            wallMilliseconds: min(wallMilliseconds, other.wallMilliseconds), uptime: min(uptime, other.uptime))
    }

    func hasCome(at clock: Clock) -> Bool { wallMilliseconds <= clock.now || uptime <= clock.uptime }
}

/// A part of the engine that has deadlines. If several deadlines have passed, they are processed in this
/// order.
private enum TimedPart: CaseIterable {
    case rings, notices, sessions, bedtime, buttons, emergencyExit, codeScan, pairing, challenge, preflight, locks,
        writes,
        commands

    static let all = allCases
}

extension Engine {
    private func nextDeadline(of part: TimedPart) -> Deadline {
        switch part {
        case .rings: agenda.nextRingDeadline.orEarlier(agenda.listeningDeadline)
        case .notices: agenda.nextNoticeDeadline
        case .sessions: sessions.nextDeadline(at: clock.uptime, isSnoozePending: writes.hasPendingChange)
        case .bedtime: bedtimeDeadline
        case .buttons: buttons.nextDeadline
        case .emergencyExit: emergencyDeadline
        case .codeScan: scanDeadline
        case .pairing: pairingDeadline
        case .challenge: challengeDeadline
        case .preflight: preflightDeadline
        case .locks: agenda.nextLockDeadline.orEarlier(agenda.nextLeftOutDeadline)
        case .writes: writes.nextDeadline
        case .commands: writes.hasNextCommand ? .now : .never
        }
    }

    private mutating func process(_ part: TimedPart) {
        switch part {
        case .rings: ringDue()
        case .notices: giveNotices()
        case .sessions:
            ringTest()
            endPauses()
            endUnanswered()
        case .bedtime: remindOfBedtime()
        case .buttons: updateButtons()
        case .emergencyExit: endByEmergencyExit()
        case .codeScan: expireScan()
        case .pairing: updatePairing()
        case .challenge: updateChallenge()
        case .preflight: startDuePreflight()
        case .locks:
            recordLocks()
            recordLeftOut()
        case .writes: expireWrites()
        case .commands: decideQueued()
        }
    }

    /// Processes each part whose deadline has come.
    mutating func processDeadlines() {
        var next = TimedPart.all.startIndex
        while let due = firstDue(from: next) {
            process(TimedPart.all[due])
            next = due + 1
        }
    }

    /// Returns the first part from an index on whose deadline has come. One call reads all deadlines, because
    /// each call from a mutating method copies the engine.
    private func firstDue(from start: Int) -> Int? {
        TimedPart.all[start...].firstIndex { nextDeadline(of: $0).hasCome(at: clock) }
    }

    /// The next wake: the earliest deadline of all parts, and of the speaker and the lamp, whose orders
    /// `emitOrders` derives.
    func nextWake() -> Wake {
        let speaker = speakerDeadline
        let next = TimedPart.all.reduce(speaker) { $0.orEarlier(nextDeadline(of: $1)) }
        return Wake(next: WakeTimes(next, clock), sound: WakeTimes(speaker, clock))
    }

    /// The time of the next sound or sunrise. If the speaker is not open for a sound yet, the time to open it.
    private var speakerDeadline: Deadline {
        let ahead = emitted.nearSound == nil ? Engine.readyMilliseconds : 0
        return .wall(agenda.due.firstInstant.map { $0.milliseconds - ahead })
            .orEarlier(.uptime(sessions.nextSound(at: clock.uptime).map { $0.uptime - ahead }))
            .orEarlier(sunriseDeadline)
    }
}

extension WakeTimes {
    fileprivate init(_ deadline: Deadline, _ clock: Clock) {
        self.init(
            wallMilliseconds: deadline.wallMilliseconds == .max ? nil : clock.wall(deadline.wallMilliseconds),
            uptimeMilliseconds: deadline.uptime == .max ? nil : deadline.uptime)
    }
}
