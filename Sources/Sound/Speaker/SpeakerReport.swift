// The reports of a speaker, and its status and its routes' health.

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

/// An event in carrying out an order.
package enum SpeakerReport: Hashable, Sendable {
    /// The sound is heard: a card has consumed frames of it, at most this long after the order.
    case started(ActiveOutput, latencyMilliseconds: Int)
    /// The sound is heard from another output. The `RouteChange` is the reason.
    case changed(from: ActiveOutput?, to: ActiveOutput, RouteChange)
    case failed(Route.ID, RouteFailure)
    /// A card was added or removed while no sound was ordered.
    case routesChanged
    /// A text for the owner: a resource is not as configured, and a substitute is used.
    case warning(String)
}

/// The reason why a sound moved to another output.
package enum RouteChange: Hashable, Sendable {
    case failed(RouteFailure)
    /// The previous output has consumed no frames for a while.
    case suspected
    /// The new output is better and has been healthy long enough.
    case better
    /// No sound was heard before.
    case nothingElse
}

extension RouteChange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let failure): failure.cause
        case .suspected: "does not play"
        case .better: "a better speaker works"
        case .nothingElse: "nothing was heard before"
        }
    }
}

package struct SpeakerStatus: Hashable, Sendable {
    /// All routes that exist, the best one first.
    package var routes: [RouteStatus]
    /// The output that makes the sound, if any.
    package var activeOutput: ActiveOutput?
    /// The current level relative to the loudest possible; nil while no sound is heard.
    package var decibels: Double?
    /// Configured names, ahead of the best working route, that match no route.
    package var missing: [String] = []
    /// Texts on why the playing output may be too soft or silent.
    package var warnings: [String] = []
    /// True if a card consumes frames and the ordered sound is rendered, so that nothing delays it.
    package var isReady = false
    /// True if there is a buzzer for the case that no route plays.
    package var hasBuzzer = false

    package init(routes: [RouteStatus] = [], output: ActiveOutput? = nil, decibels: Double? = nil) {
        self.routes = routes
        activeOutput = output
        self.decibels = decibels
    }
}

package struct RouteStatus: Hashable, Sendable {
    package enum RouteHealth: Hashable, Sendable {
        /// Not in use.
        case unknown
        /// Opening, or open without a first frame.
        case trying
        /// Consuming frames.
        case good
        case failed(RouteFailure)
    }

    package var route: Route
    package var health: RouteHealth

    package init(_ route: Route, _ health: RouteHealth) {
        self.route = route
        self.health = health
    }
}
