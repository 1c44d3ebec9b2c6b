// How a speaker and its routes are.

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
    package var troubles: [String] = []
    /// Whether a card takes frames and the sound that was ordered is made: nothing is left to be done before it is heard.
    package var isReady = false

    package init(routes: [RouteStatus] = [], voice: ActiveOutput? = nil, decibels: Double? = nil) {
        self.routes = routes
        self.activeOutput = voice
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
