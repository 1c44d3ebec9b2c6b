// How a speaker and its routes are.

/// How a speaker is.
public struct SpeakerStatus: Hashable, Sendable {
    /// All routes that are there, the best one first.
    public var routes: [RouteStatus]
    /// What makes the sound, if anything does.
    public var activeOutput: ActiveOutput?
    /// How far what is heard is below the loudest that there is; nothing while nothing is heard.
    public var decibels: Double?
    /// Names that its owner has put before whatever works, and that no route has.
    public var missing: [String] = []
    /// Why what takes frames may be too soft, or not heard at all, in words.
    public var troubles: [String] = []
    /// Whether a card takes frames and the sound that was ordered is made: nothing is left to be done before it is heard.
    public var isReady = false

    /// A speaker with these routes.
    public init(routes: [RouteStatus] = [], voice: ActiveOutput? = nil, decibels: Double? = nil) {
        self.routes = routes
        self.activeOutput = voice
        self.decibels = decibels
    }
}

/// How a route is.
public struct RouteStatus: Hashable, Sendable {
    /// What is known of it.
    public enum RouteHealth: Hashable, Sendable {
        /// Nothing: it is not in use.
        case unknown
        /// It is being opened, or has not taken frames yet.
        case trying
        /// It takes frames.
        case good
        /// It failed when it was tried last.
        case failed(RouteFailure)
    }

    /// Which.
    public var route: Route
    /// How it is.
    public var health: RouteHealth

    /// A route in that state.
    public init(_ route: Route, _ health: RouteHealth) {
        self.route = route
        self.health = health
    }
}
