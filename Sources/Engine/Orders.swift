// What is ordered as a function of the state: no other code starts or stops a sound, a camera or a timer.

import Alarms

/// The orders that were given last. Each is given again only when it changes.
struct Orders: Sendable {
    var sound: SoundOrder?
    var nearSound: String?
    var symbologies: Set<String>?
    var lamps = LampOrder()
    var senses: Set<Sense> = []
    var wake: Wake?
    var assignment: Assignment?
    /// Whether the status says something that is no longer so.
    var isStatusStale = true
}

extension Int? {
    /// The earlier of two deadlines, as far as there are any.
    fileprivate func orSooner(_ other: Int?) -> Int? {
        guard let self, let other else { return self ?? other }
        return Swift.min(self, other)
    }
}

extension Equatable {
    /// Becomes another. Answers whether it was not that already.
    fileprivate mutating func change(to other: Self) -> Bool {
        defer { self = other }
        return self != other
    }
}

extension Engine {
    /// So long before something is heard the speaker is opened: its first note is to be on time.
    static let readyMilliseconds = 10_000

    /// What will be heard in a moment.
    @inline(__always)  // A call from where the engine changes would copy all of it.
    func nearSound() -> String? {
        if let next = sessions.nextSound, next.uptime - Engine.readyMilliseconds <= clock.uptime { return next.sound }
        guard let ring = agenda.due.first?.occurrence, ring.at.milliseconds - Engine.readyMilliseconds <= clock.now
        else {
            return nil
        }
        return agenda.alarms[ring.alarm]?.alarm.ring.sound
    }

    /// When the engine wants to be called.
    private func nextWake() -> Wake {
        var wake = Wake()
        // First for the speaker to be opened, then to ring.
        let ahead = told.nearSound == nil ? Engine.readyMilliseconds : 0
        wake.soundWallMilliseconds = agenda.due.first.map { clock.wall($0.occurrence.at.milliseconds) - ahead }
        wake.soundUptimeMilliseconds = sessions.nextSound.map { $0.uptime - ahead }
        wake.wallMilliseconds = wake.soundWallMilliseconds
            .orSooner(agenda.nextLock.map { clock.wall($0.milliseconds) })
            .orSooner(sessions.isEmpty ? preflight.evening.map { clock.wall($0.milliseconds) } : nil)
        wake.uptimeMilliseconds = wake.soundUptimeMilliseconds
            .orSooner(unansweredUptime).orSooner(emergencyUptime).orSooner(buttons.nextDeadline)
            .orSooner(attempts.nextDeadline)
            .orSooner(commit.nextDeadline).orSooner(preflight.firstLookUptime).orSooner(codeLook?.untilUptime)
        return wake
    }

    mutating func giveSound() {
        if let (occurrence, route) = sessions.hearCurrent(at: clock.uptime) {
            note(.audioStarted(occurrence, route: route, latencyMilliseconds: nil))
        }
        if told.sound.change(to: sessions.soundOrder) {
            effects.append(.sound(told.sound))
            told.isStatusStale = true
        }
    }

    /// What the camera is to read: the codes that can end what rings, or any that may be enrolled.
    @inline(__always) private var wantedSymbologies: Set<String>? {
        if let attempt = attempts.current, attempt.wantsCamera {
            let codes = agenda.codes.filter { attempt.codeLabels.contains($0.label) }
            return Set(codes.map(\.symbology)).union([EnrolledCode.usualSymbology])
        }
        return codeLook?.purpose.kinds.contains(.qr) == true ? attempts.symbologies : nil
    }

    /// What is listened to: for what is asked, or what would begin the challenge of what rings.
    private func wantedSenses(for assignment: Assignment?) -> Set<Sense> {
        if let codeLook { return codeLook.purpose.kinds.contains(.tag) ? [.tagReader] : [] }
        let kind = assignment.map(\.kind) ?? sessions.current?.openChallenge?.kind
        return switch kind {
        // The keypad is grabbed only while a sum is asked: until then its keys may be meant for another program.
        case .math? where assignment != nil: [.keypad]
        case .steps?: [.stepSensor]
        case .tag?: [.tagReader]
        default: []
        }
    }

    private var lampOrder: LampOrder {
        let isAsked = attempts.current != nil
        let status: StatusLight =
            if let held = emergencyLight {
                held
            } else if attempts.current?.wantsButtons == true {
                // Dark between two shows of the pattern: no other blinking is to be taken for a part of it.
                .dark
            } else if sessions.current != nil {
                isAsked ? .asked : .ringing
            } else if !sessions.isEmpty {
                .snoozed
            } else if preflight.isBroken {
                .notReady
            } else {
                agenda.settings.isEnabled && agenda.due.first != nil ? .armed : .dark
            }
        return LampOrder(isCameraLit: attempts.current?.wantsLight == true, status: status)
    }

    mutating func giveOrders() {
        let sound = nearSound()
        if told.nearSound.change(to: sound) { effects.append(.readySpeaker(sound: sound)) }
        // The camera is on only while somebody has to show a code, its lamp only while that is to be done in the dark.
        let attempt = attempts.current
        let assignment = attempt?.assignment
        if told.symbologies.change(to: wantedSymbologies) { effects.append(.camera(reading: told.symbologies)) }
        if told.lamps.change(to: lampOrder) {
            effects.append(.lamps(told.lamps))
            told.isStatusStale = true
        }
        if told.senses.change(to: wantedSenses(for: assignment)) { effects.append(.listen(told.senses)) }
        sessions.challenge(attempt?.session)
        if told.assignment.change(to: assignment) {
            if let assignment = told.assignment { effects.append(.tell(.challenge(assignment))) }
            told.isStatusStale = true
        }
        if told.isStatusStale.change(to: false) { effects.append(.statusChanged) }
        let wake = nextWake()
        if told.wake.change(to: wake) { effects.append(.wake(wake)) }
    }
}
