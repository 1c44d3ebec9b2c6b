// The speaker: its order, its reports, and its health during a ring.

import Alarms
import Engine
import Health
import Sound
import Text

/// Decides the speaker's order. A ring takes precedence over readiness, and readiness over silence.
package struct SpeakerMachine: Sendable {
    /// The ring that the engine wants played; nil if none.
    package private(set) var ring: SoundOrder?
    /// True while the shaker shakes. Such a ring may have no sound.
    private var isFelt = false
    /// The sound of a ring that begins soon; nil if none.
    private(set) var nearSound: String?
    private var testedSound: String?
    private var ordered = SpeakerOrder.silent
    private var ringHealth = RingHealth()
    /// The problems with the alarms' sounds at the last check.
    var soundProblems: [String] = []
    /// The number of polls since polling began; nil if the speaker is not polled.
    private var pollCount: Int?

    package init() {}

    package var order: SpeakerOrder {
        if let ring { return .play(Playback(ring)) }
        if let nearSound { return .ready(sound: nearSound, isNear: true) }
        return testedSound.map { .ready(sound: $0) } ?? .silent
    }

    package mutating func orders(for effect: Effect) -> [DeviceOrder] {
        switch effect {
        case .sound(let order?):
            ring = order
            return newOrders() + [.checkRingSound(order.ring.sound)] + beginPolling()
        case .sound(nil):
            ring = nil
            ringHealth = RingHealth()
            return newOrders() + [.alarmClock]
        case .shake(let order):
            isFelt = order != nil
            return isFelt ? beginPolling() : [.alarmClock]
        case .readySpeaker(let sound):
            nearSound = sound
            return newOrders()
        default: return []
        }
    }

    private mutating func beginPolling() -> [DeviceOrder] {
        defer { pollCount = pollCount ?? 0 }
        return pollCount == nil ? [.pollSpeaker] : []
    }

    /// True while a ring is heard or felt.
    var isRinging: Bool { ring != nil || isFelt }

    /// Returns the order if it differs from the last one.
    private mutating func newOrders() -> [DeviceOrder] {
        let order = order
        guard order != ordered else { return [] }
        ordered = order
        return [.speaker(order)]
    }

    /// Handles a report. `status` is the speaker's status with this report.
    package mutating func handle(_ report: SpeakerReport, _ status: @autoclosure () -> SpeakerStatus) -> Reaction {
        var reaction = Reaction()
        if let line = LogLine(report) { reaction.lines.append(line) }
        if let input = Input(report) { reaction.inputs.append(input) }
        // Between rings, a preflight reports a card that came or went, well before the next ring.
        if ring == nil {
            reaction.startsPreflight = report == .routesChanged
        } else {
            reaction.inputs.append(.health(.speaker, health(status())))
        }
        return reaction
    }

    /// Reports the health once a second during a ring, because a speaker without a card emits no reports.
    /// Sets the alarm clock every 20 seconds, which wakes a machine that is suspended during the ring.
    /// Returns nil when the ring is over.
    mutating func poll(_ status: @autoclosure () -> SpeakerStatus) -> Reaction? {
        guard let count = pollCount, isRinging else {
            pollCount = nil
            return nil
        }
        pollCount = count + 1
        var reaction = Reaction(inputs: ring == nil ? [] : [.health(.speaker, health(status()))])
        if count % SpeakerMachine.pollsPerAlarmClock == 0 { reaction.orders.append(.alarmClock) }
        return reaction
    }

    static let pollMilliseconds = 1000
    private static let pollsPerAlarmClock = 20

    /// Returns the speaker's health during a ring, with the sounds that cannot be played.
    mutating func health(_ status: SpeakerStatus) -> Health {
        ringHealth.health(status).addingSoundProblems(soundProblems)
    }

    // MARK: the preflight's test

    /// Opens the speaker silently. Call it only if nothing rings.
    mutating func beginTest() -> [DeviceOrder] {
        testedSound = nearSound ?? RingSettings().sound
        return newOrders()
    }

    mutating func endTest() -> [DeviceOrder] {
        testedSound = nil
        return newOrders()
    }
}

extension Playback {
    fileprivate init(_ order: SoundOrder) {
        self.init(
            reason: "\(order.occurrence)", sound: order.ring.sound,
            ramp: Ramp(
                volume: order.ring.volume, seconds: order.ring.rampSeconds, startUptime: order.rampStartUptime))
    }
}

extension Input {
    /// Creates the input for the engine; nil if the report concerns only the log or the preflight.
    package init?(_ report: SpeakerReport) {
        switch report {
        case .started(let output, let latency):
            self = .audioStarted(route: "\(output)", latencyMilliseconds: latency)
        // The latency after a change of route is unknown.
        case .changed(_, let output, _): self = .audioStarted(route: "\(output)", latencyMilliseconds: nil)
        case .failed(let route, let failure): self = .audioFailed(route: route, reason: "\(failure)")
        case .warning, .routesChanged: return nil
        }
    }
}

extension LogLine {
    /// Creates a line for the log; nil if nothing is wrong.
    init?(_ report: SpeakerReport) {
        switch report {
        case .started, .routesChanged: return nil
        case .changed(let old, let new, let why):
            let instead = old.map { " instead of \($0)" } ?? ""
            switch why {
            case .better: self.init(.info, "\(new) plays again\(instead)")
            case .nothingElse: self.init(.warning, "\(new) plays\(instead)")
            case .failed, .suspected: self.init(.warning, "\(new) plays\(instead) (\(why))")
            }
        case .failed(let route, let failure): self.init(.warning, "\(route) does not play (\(failure))")
        case .warning(let text): self.init(.warning, text.capitalisedFirst)
        }
    }
}
