// The silent try of all speakers, which shows the owner which ones work.

import Engine
import Sound

/// The progress of a try of all speakers.
struct SpeakerProbe: Sendable {
    private enum Stage: Hashable, Sendable {
        /// A preflight has cards open.
        case waitingForPreflight
        /// The cards are not yet known after the start, or not yet closed after a preflight.
        case settling
        case trying
    }

    /// The stage; nil if no try is in progress.
    private var stage: Stage?
    /// The number of polls left in this stage.
    private var pollsLeft = 0
    /// The health of each card; nil until all cards have played or timed out.
    private var found: [Route.ID: RouteStatus.RouteHealth]?

    /// The least time before the next ring for a try. A try takes two seconds, and the service opens a card
    /// ten seconds before a ring.
    static let nearMilliseconds = 60_000
    private static let settlingPollsMax = 20

    enum Step: Hashable, Sendable {
        case wait
        case tryCards
        case done(SpeakerStatus)
    }

    /// Begins a try. Returns false if one is in progress.
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

    /// Advances the try by one poll. `isRingNear` is true during a ring, and shortly before one.
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

    /// Returns this status with the results of the try. A card that a ring has opened meanwhile keeps its
    /// own.
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
