// The speaker: its order, its reports and its health.

import Engine
import Sound

/// All demands on the speaker: a ring comes before everything, and everything before silence.
package struct SpeakerDemand: Sendable {
    package var ring: SoundOrder?
    package var nearSound: String?
    var testedSound: String?

    package init() {}

    package var order: SpeakerOrder {
        if let ring { return .play(Playback(ring)) }
        if let nearSound { return .ready(sound: nearSound, isNear: true) }
        return testedSound.map { .ready(sound: $0) } ?? .silent
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
    /// The input for the engine; nil where the report is only for the log.
    package init?(_ report: SpeakerReport) {
        switch report {
        case .started(let voice, let latency):
            self = .audioStarted(route: "\(voice)", latencyMilliseconds: latency)
        // The latency of a change of route is not known.
        case .changed(_, let voice, _): self = .audioStarted(route: "\(voice)", latencyMilliseconds: nil)
        case .failed(let route, let failure): self = .audioFailed(route: route, reason: "\(failure)")
        case .warning, .routesChanged: return nil
        }
    }
}

extension LogLine {
    /// A line for the log; nil where all is well.
    init?(_ report: SpeakerReport) {
        switch report {
        case .started, .routesChanged: return nil
        case .changed(let old, let new, let why):
            self.init(.warning, "Heard on \(new) instead of \(old.map { "\($0)" } ?? "nothing"): \(why)")
        case .failed(let route, let failure): self.init(.warning, "Not heard on \(route): \(failure)")
        case .warning(let words): self.init(.warning, words)
        }
    }
}

/// A speaker's health during a ring. Each attempt at a card may fail in another way, which would be a new health each time:
/// each route's first failure is kept for as long as it rings.
struct RingHealth {
    private var failures: [Route.ID: SpeakerFailure] = [:]

    mutating func health(_ status: SpeakerStatus) -> Health {
        for route in status.routes where failures[route.route.id] == nil {
            failures[route.route.id] = SpeakerFailure(route)
        }
        let tried = status.routes.map {
            failures[$0.route.id] ?? SpeakerFailure(name: $0.route.name, reason: nil)
        }
        switch status.activeOutput {
        case .route(let id)?:
            let better = status.routes.prefix { $0.route.id != id }.filter { $0.health != .good }
            return Health(status, heardBy: id, inPlaceOf: better.compactMap { failures[$0.route.id] })
        case .buzzer?: return Health(.buzzerOnly(tried))
        case nil: return Health(.silent(tried))
        }
    }
}

extension Health {
    /// The health of a speaker that was told to be ready.
    init(readying status: SpeakerStatus) {
        guard let first = status.routes.firstIndex(where: { $0.health == .good }) else {
            self.init(
                .unready(
                    status.routes.map { SpeakerFailure($0) ?? SpeakerFailure(name: $0.route.name, reason: nil) }))
            return
        }
        let failures = status.routes[..<first].compactMap(SpeakerFailure.init)
        self.init(status, heardBy: status.routes[first].route.id, inPlaceOf: failures)
    }

    /// The health of a speaker that is heard by one of its routes. The owner's first choice should be heard, and as loud as it
    /// can be.
    fileprivate init(_ status: SpeakerStatus, heardBy id: Route.ID, inPlaceOf failures: [SpeakerFailure]) {
        self.init()
        if !status.missing.isEmpty || !failures.isEmpty {
            let name = status.routes.first { $0.route.id == id }?.route.name ?? id
            causes.append(.replaced(by: name, missing: status.missing, failures: failures))
        }
        causes += status.warnings.map(Cause.mixer)
    }

    /// This health with problems of the alarms' sounds; nil where their disk has not answered.
    func addingSoundProblems(_ problems: [String]?) -> Health {
        guard grade != .broken else { return self }
        var health = self
        health.causes += problems.map { $0.map(Cause.sound) } ?? [.soundsUnread]
        return health
    }
}

extension SpeakerFailure {
    fileprivate init?(_ status: RouteStatus) {
        guard case .failed(let failure) = status.health else { return nil }
        self.init(name: status.route.name, reason: "\(failure.cause)")
    }
}
