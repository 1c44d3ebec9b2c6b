// What rings.

/// Plays what is ordered on the best route that is proven to play, and goes to another when it is not.
public protocol Speaker: Sendable {
    /// Says what is to be heard from now on, in the place of every order before. It returns at once.
    func order(_ order: SpeakerOrder)
    /// Gives a short signal: a sound that is playing is interrupted for 150 ms, once in a second at most. While nothing is to be
    /// played, the buzzer pulses once in this rhythm. It returns at once.
    func signal(_ signal: Rhythm)
    /// Falls silent for good. The reports end when all that was changed for a sound is put back, as far as that can be.
    func end()
    /// What becomes of the orders, for one listener.
    var reports: AsyncStream<SpeakerReport> { get }
    /// How it is now.
    var status: SpeakerStatus { get }
    /// Whether it has moved since this was asked last, and nothing that hangs keeps it from being heard: one that has not will not
    /// ring either.
    func isAlive() -> Bool
}

/// How a speaker is.
public struct SpeakerStatus: Hashable, Sendable {
    /// All routes that are there, the best one first.
    public var routes: [RouteStatus]
    /// What makes the sound, if anything does.
    public var voice: Voice?
    /// How far what is heard is below the loudest that there is; nothing while nothing is heard.
    public var decibels: Double?
    /// Names that its owner has put before whatever works, and that no route has.
    public var missing: [String] = []
    /// Why what takes frames may be too soft, or not heard at all, in words.
    public var troubles: [String] = []
    /// Whether a card takes frames and the sound that was ordered is made: nothing is left to be done before it is heard.
    public var isReady = false

    /// A speaker with these routes.
    public init(routes: [RouteStatus] = [], voice: Voice? = nil, decibels: Double? = nil) {
        self.routes = routes
        self.voice = voice
        self.decibels = decibels
    }
}

/// How a route is.
public struct RouteStatus: Hashable, Sendable {
    /// What is known of it.
    public enum Health: Hashable, Sendable {
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
    public var health: Health

    /// A route in that state.
    public init(_ route: Route, _ health: Health) {
        self.route = route
        self.health = health
    }
}
