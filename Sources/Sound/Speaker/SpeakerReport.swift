// What a speaker tells, and how it and its routes are.

package enum ActiveOutput: Hashable, Sendable {
    /// A card, by its route's id.
    case route(Route.ID)
    case buzzer
}

extension ActiveOutput: CustomStringConvertible {
    package var description: String {
        switch self {
        case .route(let id): id
        case .buzzer: "buzzer"
        }
    }
}

/// Something that has become of an order.
package enum SpeakerReport: Hashable, Sendable {
    /// What was ordered is heard: a card has taken frames of it, at most so long after the order.
    case started(ActiveOutput, latencyMilliseconds: Int)
    /// It is heard from somewhere else now, and why it was not left where it was.
    case changed(from: ActiveOutput?, to: ActiveOutput, RouteChange)
    case failed(Route.ID, RouteFailure)
    /// A card came or went while nothing was to be heard.
    case routesChanged
    /// Something is not as the owner wants it, and something else takes its place: in words.
    case warning(String)
}

/// Why a sound is heard from somewhere else.
package enum RouteChange: Hashable, Sendable {
    case failed(RouteFailure)
    /// What was heard before has not taken frames for a while.
    case suspected
    /// The new one is better, and has been in good health long enough.
    case better
    /// There was nothing to be heard before.
    case nothingElse
}

extension RouteChange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let failure): failure.description
        case .suspected: "it does not play"
        case .better: "a better one is in good health"
        case .nothingElse: "nothing was heard"
        }
    }
}

package struct SpeakerStatus: Hashable, Sendable {
    /// All routes that are there, the best one first.
    package var routes: [RouteStatus]
    /// What makes the sound, if anything does.
    package var activeOutput: ActiveOutput?
    /// How far what is heard is below the loudest that there is; nothing while nothing is heard.
    package var decibels: Double?
    /// Names that its owner has put before whatever works, and that no route has.
    package var missing: [String] = []
    /// Why what takes frames may be too soft, or not heard at all, in words.
    package var warnings: [String] = []
    /// Whether a card takes frames and the sound that was ordered is made: nothing is left to be done before it is heard.
    package var isReady = false

    package init(routes: [RouteStatus] = [], output: ActiveOutput? = nil, decibels: Double? = nil) {
        self.routes = routes
        activeOutput = output
        self.decibels = decibels
    }
}

package struct RouteStatus: Hashable, Sendable {
    package enum RouteHealth: Hashable, Sendable {
        /// Nothing: it is not in use.
        case unknown
        /// It is being opened, or has not taken frames yet.
        case trying
        /// It takes frames.
        case good
        /// It failed when it was tried last.
        case failed(RouteFailure)
    }

    package var route: Route
    package var health: RouteHealth

    package init(_ route: Route, _ health: RouteHealth) {
        self.route = route
        self.health = health
    }
}
