// How a speaker is, in words that say what to do.

import Devices
import Engine

/// How a speaker is while it rings. Each try of a card may fail otherwise than the one before, which would be news each time:
/// what it has failed for first is said of it for as long as it rings.
struct RingHealth {
    private var failures: [Route.ID: String] = [:]

    /// How it is now.
    mutating func health(_ status: SpeakerStatus) -> Health {
        for route in status.routes { failures[route.route.id] = failures[route.route.id] ?? Health.failure(of: route) }
        switch status.voice {
        case .route(let id)?:
            let better = status.routes.prefix { $0.route.id != id }.filter { $0.health != .good }
            return Health(status, heardBy: id, inPlaceOf: better.compactMap { failures[$0.route.id] })
        case .buzzer?: return Health(.warning, "Only the buzzer is heard: \(words(status))")
        case nil: return Health(.broken, "Nothing is heard: \(words(status))")
        }
    }

    private func words(_ status: SpeakerStatus) -> String {
        Health.failures(of: status) { failures[$0.route.id] }
    }
}

extension Health {
    /// How a speaker is that was told to be ready.
    init(readying status: SpeakerStatus) {
        guard let first = status.routes.firstIndex(where: { $0.health == .good }) else {
            let advice = status.routes.isEmpty ? "" : "; 'rooster speakers' says what to do"
            self.init(.broken, "No speaker can be heard: \(Health.failures(of: status, Health.failure(of:)))\(advice)")
            return
        }
        let failures = status.routes[..<first].compactMap(Health.failure(of:))
        self.init(status, heardBy: status.routes[first].route.id, inPlaceOf: failures)
    }

    /// How a speaker is that one of its routes is heard by: what its owner has put first is to be heard, and as loud as it can.
    fileprivate init(_ status: SpeakerStatus, heardBy id: Route.ID, inPlaceOf failures: [String]) {
        let others = status.missing.map { "there is no speaker \($0.debugDescription)" } + failures
        let name = status.routes.first { $0.route.id == id }?.route.name ?? id
        let place = others.isEmpty ? [] : ["\(others.joined(separator: "; ")): \(name) takes the place"]
        let words = place + status.troubles
        self = words.isEmpty ? .ok : Health(.warning, words.joined(separator: "; "))
    }

    /// The same, where not all that alarms ring with is as they were set.
    func hearing(_ problems: [String]?) -> Health {
        let others = problems ?? ["The disk with the sounds does not answer: another takes their place"]
        guard grade != .broken, !others.isEmpty else { return self }
        return Health(.warning, ((grade == .ok ? [] : [words]) + others).joined(separator: "; "))
    }

    fileprivate static func failures(of status: SpeakerStatus, _ failure: (RouteStatus) -> String?) -> String {
        guard !status.routes.isEmpty else { return "there is no sound card: plug one in" }
        return status.routes.map { failure($0) ?? "\($0.route.name) has not played yet" }.joined(separator: "; ")
    }

    fileprivate static func failure(of status: RouteStatus) -> String? {
        guard case .failed(let failure) = status.health else { return nil }
        return "\(status.route.name): \(failure.cause)"
    }
}
