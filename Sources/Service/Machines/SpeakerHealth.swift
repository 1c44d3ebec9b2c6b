// The health of a speaker during a ring, and in a test.

import Engine
import Health
import Sound

/// A speaker's health during a ring. Each attempt at a card may fail in another way, and each would be a new
/// health. Therefore the first failure of each route is kept until the ring ends.
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
    /// The health of a speaker that was ordered to be ready.
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

    /// The health of a speaker that plays through a route. `failures` are those of better routes.
    fileprivate init(_ status: SpeakerStatus, heardBy id: Route.ID, inPlaceOf failures: [SpeakerFailure]) {
        self.init()
        if !status.missing.isEmpty || !failures.isEmpty {
            let name = status.routes.first { $0.route.id == id }?.route.name ?? id
            causes.append(.replaced(by: name, missing: status.missing, failures: failures))
        }
        causes += status.warnings.map(Cause.mixer)
    }

    /// Returns this health with the problems of the alarms' sounds; nil means that their disk did not
    /// answer.
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
