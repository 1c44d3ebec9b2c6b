// Trying all speakers in silence, for an owner who wants to know which of them can be heard.

import Engine
import Sound

/// The progress of a try of all speakers.
struct SpeakerProbe: Sendable {
    private enum Stage: Hashable, Sendable {
        /// A preflight has cards open.
        case waitingForPreflight
        /// Cards are not yet known after the start, or not yet closed after a preflight.
        case settling
        case trying
    }

    /// Nil while no try is under way.
    private var stage: Stage?
    /// How many polls are left in this stage.
    private var pollsLeft = 0
    /// How each card was found; nil until all cards have played or had their time.
    private var found: [Route.ID: RouteStatus.RouteHealth]?

    /// No card is tried when something rings within so long: the service opens one ten seconds before a ring, and a try takes two.
    static let nearMilliseconds = 60_000
    private static let settlingPollsMax = 20

    /// The next step of a try.
    enum Step: Hashable, Sendable {
        case wait
        case tryCards
        case done(SpeakerStatus)
    }

    /// Begins a try. Returns false if one is under way.
    mutating func begin() -> Bool {
        guard stage == nil else { return false }
        stage = .waitingForPreflight
        pollsLeft = PreflightMachine.cameraPollsMax
        return true
    }

    mutating func cardsFound(_ healths: [Route.ID: RouteStatus.RouteHealth]) {
        if isTryingCards { found = healths }
    }

    var isTryingCards: Bool { stage == .trying }

    /// Goes on with the try. `isRingNear`: something rings, or will in a moment.
    mutating func poll(_ status: SpeakerStatus, isPreflightRunning: Bool, isRingNear: Bool) -> Step {
        if stage == .waitingForPreflight, !isPreflightRunning || pollsLeft == 0 {
            stage = .settling
            pollsLeft = SpeakerProbe.settlingPollsMax
        }
        if stage == .settling {
            let isSettling = !isRingNear && (status.routes.isEmpty || status.isInUse)
            if !isSettling || pollsLeft == 0 {
                guard !isRingNear, !status.isInUse else { return end(with: status) }
                stage = .trying
                pollsLeft = PreflightMachine.pollsMax
                return .tryCards
            }
        }
        if stage == .trying, found != nil || pollsLeft == 0 {
            return end(with: status.withUnusedRoutes(as: found ?? [:]))
        }
        pollsLeft -= 1
        return .wait
    }

    private mutating func end(with status: SpeakerStatus) -> Step {
        self = SpeakerProbe()
        return .done(status)
    }
}

extension SpeakerStatus {
    fileprivate var isInUse: Bool { routes.contains(where: \.isInUse) }

    /// A card that was opened for a ring meanwhile is as the ring finds it.
    fileprivate func withUnusedRoutes(as found: [Route.ID: RouteStatus.RouteHealth]) -> SpeakerStatus {
        var status = self
        for index in routes.indices where !routes[index].isInUse {
            status.routes[index].health = found[routes[index].route.id] ?? routes[index].health
        }
        return status
    }
}

extension RouteStatus {
    fileprivate var isInUse: Bool {
        switch health {
        case .trying, .good: true
        case .unknown, .failed: false
        }
    }
}
