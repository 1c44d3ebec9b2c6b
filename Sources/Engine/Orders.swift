// The orders to devices, as functions of the state. No other code starts a sound, a camera or a timer.

import Alarms
import Challenges

/// The last orders. An order is emitted only if it differs.
struct Orders: Sendable {
    var sound: SoundOrder?
    var shaking: ShakeOrder?
    var sunrise: Sunrise?
    var nearSound: NearSound?
    var symbologies: Set<String>?
    var lamps = LampOrder()
    var inputDevices: Set<InputDevice> = []
    var wake: Wake?
    var assignment: Assignment?
    /// The sessions that ask whether their owner is awake.
    var asking: [Occurrence] = []
    /// True if the status has changed since `.statusChanged` was emitted.
    var isStatusStale = true
}

/// A ring that begins within `readyMilliseconds`.
struct NearSound: Hashable, Sendable {
    /// The sound for which the speaker is opened; nil if the ring is only felt.
    var sound: String?
}

extension Equatable {
    /// Sets a value. Returns whether it has changed.
    fileprivate mutating func set(to other: Self) -> Bool {
        defer { self = other }
        return self != other
    }
}

extension Engine {
    /// The time before a sound at which the speaker is opened, so that the first note is not late.
    static let readyMilliseconds = 10_000

    /// The sound of the ring that begins within `readyMilliseconds`; nil if none does.
    @inline(__always)  // A call from where the engine changes would copy all of it.
    func nearSound() -> NearSound? {
        if let next = sessions.nextSound(at: clock.uptime), next.uptime - Engine.readyMilliseconds <= clock.uptime {
            return nearSound(of: next.ring)
        }
        guard let at = agenda.due.firstInstant, at.milliseconds - Engine.readyMilliseconds <= clock.now,
            let ring = agenda.due.first?.occurrence
        else { return nil }
        return agenda.alarms[ring.alarm].map { nearSound(of: $0.alarm.ring) }
    }

    @inline(__always)
    private func nearSound(of ring: RingSettings) -> NearSound {
        guard ring.isSilent else { return NearSound(sound: ring.sound) }
        return NearSound(sound: hasShaker && ring.shakes ? nil : RingSettings().sound)
    }

    mutating func emitSound() {
        if let (occurrence, route) = sessions.updateHeard(at: clock.uptime) {
            record(.audioStarted(occurrence, route: route, latencyMilliseconds: nil))
        }
        if emitted.sound.set(to: sessions.soundOrder(at: clock.uptime, hasShaker: hasShaker) ?? chimeOrder) {
            effects.append(.sound(emitted.sound))
            emitted.isStatusStale = true
            if emitted.sound == nil { sessions.play(by: nil) }
        }
        if emitted.shaking.set(to: challengeState.hasShaker ? sessions.shakeOrder(at: clock.uptime) : nil) {
            effects.append(.shake(emitted.shaking))
            emitted.isStatusStale = true
        }
        if emitted.shaking != nil { record(sessions.newlyShaken(at: clock.uptime).map(Fact.shakerStarted)) }
    }

    /// Lets the sessions ask whose wake-up check has come. While another session rings, no device answers it.
    private mutating func emitQuestions() {
        let asking = sessions.isAnyRinging ? [] : sessions.asking(at: clock.uptime)
        let before = emitted.asking
        guard emitted.asking.set(to: asking.map(\.occurrence)) else { return }
        for occurrence in emitted.asking where !before.contains(occurrence) {
            effects.append(.prompt(.check(occurrence)))
        }
        let labels = asking.flatMap(\.terms.challenges).filter { $0.kind == .qr }.flatMap(\.labels)
        checkSearch = labels.isEmpty ? nil : CodeSearch(labels: labels, isUp: false, uptime: clock.uptime)
        emitted.isStatusStale = true
    }

    /// The symbologies that the camera reads: those of the codes that are wanted, or all in a scan.
    @inline(__always) private var wantedSymbologies: Set<String>? {
        let active = challengeState.current.flatMap { $0.wantsCamera ? $0.codeLabels : nil }
        if let labels = checkSearch?.labels ?? active {
            let codes = agenda.codes.filter { (labels + (active ?? [])).contains($0.label) }
            return Set(codes.map(\.symbology)).union([EnrolledCode.usualSymbology])
        }
        return codeScan?.purpose.kinds.contains(.qr) == true ? challengeState.symbologies : nil
    }

    /// Returns the input devices of the current challenge, or the one that begins the next challenge.
    private func wantedInputDevices(for assignment: Assignment?) -> Set<InputDevice> {
        let sensor: Set<InputDevice> = agenda.isListening ? [.stepSensor] : []
        if let codeScan { return codeScan.purpose.kinds.contains(.tag) ? sensor.union([.tagReader]) : sensor }
        let kind = challengeState.current.map(\.kind) ?? sessions.current?.openChallenge?.kind
        // A device that works again is used at once, so it stays on while sums replace its challenge.
        var devices: Set<InputDevice> =
            switch kind {
            case .steps?: [.stepSensor]
            case .tag?: sensor.union([.tagReader])
            default: sensor
            }
        // The keypad is grabbed only while a sum is asked. Until then another program may use its keys.
        if case .sum? = assignment { devices.insert(.keypad) }
        if !emitted.asking.isEmpty { devices.formUnion([.keypad, .tagReader]) }
        return devices
    }

    private var lampOrder: LampOrder {
        let isAsked = challengeState.current != nil
        let status: StatusLight =
            if let held = emergencyLight {
                held
            } else if challengeState.current?.wantsButtons == true {
                // The lamp is dark between two displays of the pattern: other blinking would look like part
                // of it.
                .dark
            } else if sessions.isAnyRinging {
                isAsked ? .asked : .ringing
            } else if !emitted.asking.isEmpty {
                .checking
            } else if !sessions.isEmpty {
                .snoozed
            } else if pairing.wantsPresses {
                .pairing
            } else if preflight.isBroken {
                .notReady
            } else {
                agenda.settings.isEnabled && agenda.due.firstInstant != nil ? .armed : .dark
            }
        let isDark = challengeState.current?.wantsLight == true || checkSearch?.isDark == true
        return LampOrder(isCameraLit: isDark, status: status)
    }

    mutating func emitOrders() {
        emitQuestions()
        let (before, near) = (emitted.nearSound, nearSound())
        emitted.nearSound = near
        if before?.sound != near?.sound { effects.append(.readySpeaker(sound: near?.sound)) }
        // The camera is on only while a code must be shown, and its lamp only in the dark.
        let active = challengeState.current
        let assignment = active?.assignment
        if emitted.symbologies.set(to: wantedSymbologies) { effects.append(.camera(reading: emitted.symbologies)) }
        if emitted.lamps.set(to: lampOrder) {
            effects.append(.lamps(emitted.lamps))
            emitted.isStatusStale = true
        }
        emitSunrise()
        if emitted.inputDevices.set(to: wantedInputDevices(for: assignment)) {
            effects.append(.enableInputs(emitted.inputDevices))
        }
        sessions.challenge(active?.session)
        if emitted.assignment.set(to: assignment) {
            if let assignment = emitted.assignment { effects.append(.prompt(.challenge(assignment))) }
            emitted.isStatusStale = true
        }
        if emitted.isStatusStale.set(to: false) { effects.append(.statusChanged) }
        let wake = nextWake()
        if emitted.wake.set(to: wake) { effects.append(.wake(wake)) }
    }
}
