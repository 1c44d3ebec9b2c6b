// The speaker: its order, its reports, and its health during a ring.

import Alarms
import Engine
import Sound

/// Decides what the speaker does: a ring comes before readiness, and readiness before silence.
package struct SpeakerMachine: Sendable {
    /// The ring that the engine wants heard.
    package private(set) var ring: SoundOrder?
    /// The sound that is heard soon.
    private(set) var nearSound: String?
    private var testedSound: String?
    private var ordered = SpeakerOrder.silent
    private var ringHealth = RingHealth()
    /// Problems with the alarms' sounds, as they were last found.
    var soundProblems: [String] = []
    /// How often the speaker was polled during these rings; nil while it is not polled.
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
            var orders = newOrders() + [.checkRingSound(order.ring.sound)]
            if pollCount == nil { orders.append(.pollSpeaker) }
            pollCount = pollCount ?? 0
            return orders
        case .sound(nil):
            ring = nil
            ringHealth = RingHealth()
            return newOrders() + [.alarmClock]
        case .readySpeaker(let sound):
            nearSound = sound
            return newOrders()
        default: return []
        }
    }

    /// The order, if it is another than the last one.
    private mutating func newOrders() -> [DeviceOrder] {
        let order = order
        guard order != ordered else { return [] }
        ordered = order
        return [.speaker(order)]
    }

    /// `status` is the speaker's status with this report.
    package mutating func handle(_ report: SpeakerReport, _ status: @autoclosure () -> SpeakerStatus) -> Reaction {
        var reaction = Reaction()
        if let line = LogLine(report) { reaction.lines.append(line) }
        if let input = Input(report) { reaction.inputs.append(input) }
        // A speaker that is unplugged in the afternoon is reported then, and one that works again too.
        if ring == nil {
            reaction.startsPreflight = report == .routesChanged
        } else {
            reaction.inputs.append(.health(.speaker, health(status())))
        }
        return reaction
    }

    /// Reports the health once a second during a ring, for a speaker without a card reports nothing. Returns nil when the ring
    /// is over. A machine that is put to sleep during a ring is woken by its alarm clock, which is set again now and then.
    mutating func poll(_ status: @autoclosure () -> SpeakerStatus) -> Reaction? {
        guard let count = pollCount, ring != nil else {
            pollCount = nil
            return nil
        }
        pollCount = count + 1
        var reaction = Reaction(inputs: [.health(.speaker, health(status()))])
        if count % SpeakerMachine.pollsPerAlarmClock == 0 { reaction.orders.append(.alarmClock) }
        return reaction
    }

    static let pollMilliseconds = 1000
    private static let pollsPerAlarmClock = 20

    /// The speaker's health during a ring, with sounds that cannot be played.
    mutating func health(_ status: SpeakerStatus) -> Health {
        ringHealth.health(status).addingSoundProblems(soundProblems)
    }

    // MARK: the preflight's test

    /// Opens the speaker silently. No ring may be heard meanwhile.
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
    /// The input for the engine; nil if the report is only for the log.
    package init?(_ report: SpeakerReport) {
        switch report {
        case .started(let output, let latency):
            self = .audioStarted(route: "\(output)", latencyMilliseconds: latency)
        // The latency of a change of route is not known.
        case .changed(_, let output, _): self = .audioStarted(route: "\(output)", latencyMilliseconds: nil)
        case .failed(let route, let failure): self = .audioFailed(route: route, reason: "\(failure)")
        case .warning, .routesChanged: return nil
        }
    }
}

extension LogLine {
    /// A line for the log; nil if nothing is wrong.
    init?(_ report: SpeakerReport) {
        switch report {
        case .started, .routesChanged: return nil
        case .changed(let old, let new, let why):
            self.init(.warning, "Heard on \(new) instead of \(old.map { "\($0)" } ?? "nothing"): \(why)")
        case .failed(let route, let failure): self.init(.warning, "Not heard on \(route): \(failure)")
        case .warning(let text): self.init(.warning, text)
        }
    }
}
