// What is ordered as a function of the state: no other code starts or stops a sound, a camera or a timer.

import Alarms
import CivilTime

/// The orders that were given last. Each is given again only when it changes.
struct Orders: Sendable {
    var sound: SoundOrder?
    var nearSound: String?
    var isCameraOn = false
    var isLampOn = false
    var wake: Wake?
    var assignment: Assignment?
}

extension Equatable {
    /// Becomes another. Answers whether it was not that already.
    fileprivate mutating func change(to other: Self) -> Bool {
        defer { self = other }
        return self != other
    }
}

extension Engine {
    /// What is heard: the first of the sessions that has challenges, else the first. It is as loud as the loudest that waits, and
    /// has risen as soon as the first of them would have: a soft alarm hides no loud one.
    var soundOrder: SoundOrder? {
        guard let session = current, let voice = voices[session.occurrence] else { return nil }
        var order = SoundOrder(
            occurrence: session.occurrence, ring: session.terms.ring, rampStartUptime: voice.rampStartUptime)
        var sounding = (session: session, turn: voice.turn)
        for other in ledger.sessions where other.occurrence != session.occurrence {
            guard let voice = voices[other.occurrence], voice.isRinging else { continue }
            order.ring.volume = max(order.ring.volume, other.terms.ring.volume)
            order.ring.rampSeconds = min(order.ring.rampSeconds, other.terms.ring.rampSeconds)
            order.rampStartUptime = min(order.rampStartUptime, voice.rampStartUptime)
            if !other.terms.challenges.isEmpty, sounding.session.terms.challenges.isEmpty || voice.turn < sounding.turn
            {
                sounding = (other, voice.turn)
            }
        }
        order.ring.sound = sounding.session.terms.ring.sound
        return order
    }

    /// So long before something is heard the speaker is opened: its first note is to be on time.
    static let readyMilliseconds = 10_000

    /// When the next ring is due.
    private mutating func nextDue() -> Int? { due.first().map { clock.wall($0.occurrence.at.milliseconds) } }

    /// When something that is silent is heard next, if nothing else is.
    private var nextVoiceUptime: Int? {
        [voices.values.compactMap(\.pausedUntilUptime).min(), testRing?.atUptime].compactMap(\.self).min()
    }

    /// What will be heard in a moment.
    mutating func nearSound() -> String? {
        let near = Engine.readyMilliseconds
        if let until = nextVoiceUptime, until - near <= clock.uptime {
            let session = ledger.sessions.first { voices[$0.occurrence]?.pausedUntilUptime == until }
            return (session?.terms.ring ?? testRing?.ring)?.sound
        }
        guard let due = nextDue(), due - near <= clock.wall(clock.now), let ring = self.due.first() else { return nil }
        return ledger.alarms[ring.occurrence.alarm]?.alarm.ring.sound
    }

    /// When the engine wants to be called.
    private mutating func nextWake() -> Wake {
        var wake = Wake()
        // First for the speaker to be opened, then to ring.
        let ahead = told.nearSound == nil ? Engine.readyMilliseconds : 0
        wake.soundWallMilliseconds = nextDue().map { $0 - ahead }
        wake.soundUptimeMilliseconds = nextVoiceUptime.map { $0 - ahead }
        let instants = [ledger.sessions.isEmpty ? preflightAt : nil, nextLock()].compactMap(\.self)
        let walls = [wake.soundWallMilliseconds] + instants.map { clock.wall($0.milliseconds) }
        wake.wallMilliseconds = walls.compactMap(\.self).min()
        wake.uptimeMilliseconds =
            [
                wake.soundUptimeMilliseconds, firstLookUptime, givingUpUptime, emergencyUptime, attempt?.nextUptime,
                outbox.retryUptime, outbox.patienceUptime,
                desk.waitingSinceUptime.map { $0 + Outbox.patienceMilliseconds },
            ].compactMap(\.self).min()
        return wake
    }

    mutating func giveSound() {
        if heard?.occurrence != current?.occurrence {
            heard = current.map { ($0.occurrence, clock.uptime) }
            if heard == nil { audibleRoute = nil }
            // The sound goes on without a pause: the speaker does not say again that it plays.
            if let heard, let audibleRoute {
                note(.audioStarted(heard.occurrence, route: audibleRoute, latencyMilliseconds: nil))
            }
        }
        if told.sound.change(to: soundOrder) {
            effects.append(.sound(told.sound))
            outbox.isStatusStale = true
        }
    }

    mutating func giveOrders() {
        let sound = nearSound()
        if told.nearSound.change(to: sound) { effects.append(.readySpeaker(sound: sound)) }
        // The camera is on only while somebody has to show a code, the lamp only while that is to be done in the dark.
        let (isCameraOn, isLampOn) = (attempt?.wantsCamera == true, attempt?.wantsLight == true)
        if told.isCameraOn.change(to: isCameraOn) { effects.append(.camera(isOn: isCameraOn)) }
        if told.isLampOn.change(to: isLampOn) { effects.append(.lamp(isOn: isLampOn)) }
        if told.assignment.change(to: attempt?.assignment) {
            if let assignment = told.assignment { effects.append(.tell(.challenge(assignment))) }
            outbox.isStatusStale = true
        }
        if outbox.isStatusStale.change(to: false) { effects.append(.statusChanged) }
        let wake = nextWake()
        if told.wake.change(to: wake) { effects.append(.wake(wake)) }
    }
}
