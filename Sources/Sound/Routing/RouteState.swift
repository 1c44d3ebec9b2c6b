// What routing knows of one route.

/// A route, and how far it has come on its way to sound.
///
/// ```
/// resting ──► opening ──► open ──► closing ──► resting
///                └───────────────────┘
/// ```
struct RouteState: Hashable, Sendable {
    enum RoutePhase: Hashable, Sendable {
        case resting
        /// One that is late is not given up: a card may take seconds. But others have their turn meanwhile.
        case opening(RouteAttempt, sinceUptime: Int, isLate: Bool)
        case open(RouteAttempt, PlaybackEvidence)
        /// Its card may still be in use.
        case closing(RouteAttempt, sinceUptime: Int)
    }

    /// What an open route's card has shown.
    struct PlaybackEvidence: Hashable, Sendable {
        private(set) var position = CardPosition(frames: 0)
        /// How many frames it is to take in a second.
        private let rate: Int
        /// From when on, and from which frame on, it is seen how fast it takes them.
        private var markUptime: Int
        private var markFrames = 0
        /// When it was last seen to take frames as fast as a card that plays, or was opened.
        var movedUptime: Int
        private var hasMoved = false
        /// Since when it has taken frames without a break.
        var healthySinceUptime: Int?
        /// It has not taken frames for so long that another had better be at hand.
        var isSuspect = false

        init(rate: Int, openedUptime uptime: Int) {
            self.rate = rate
            (markUptime, movedUptime) = (uptime, uptime)
        }

        /// Applies a sample of its card's position. It moves when it takes frames at least a quarter as fast as they are
        /// played: what only trickles into a card is not heard.
        mutating func sample(at new: CardPosition?, _ uptime: Int) {
            if let new {
                position = CardPosition(
                    frames: max(position.frames, new.frames), firstHeardFrame: new.firstHeardFrame)
            }
            let elapsed = uptime - markUptime
            let window = min(max(elapsed, RoutingTimes.eagerSampling), RoutingTimes.paceWindow)
            let neededFrames = max(1, rate * window / 4000)
            let moves = position.frames - markFrames >= neededFrames
            if moves {
                (movedUptime, hasMoved, isSuspect) = (uptime, true, false)
                healthySinceUptime = healthySinceUptime ?? uptime
            }
            // A card that takes many frames at a time is given time for them; one that comes to itself is soon seen to.
            if moves || elapsed >= RoutingTimes.paceWindow { (markUptime, markFrames) = (uptime, position.frames) }
        }

        /// It is silent from now on: what comes next has not been heard yet.
        mutating func mute() { position.firstHeardFrame = nil }

        /// Without moving for so long it has failed. One that never has may yet begin to.
        var stallMilliseconds: Int { hasMoved ? RoutingTimes.timeout : RoutingTimes.firstFrameTimeout }

        var isPlaying: Bool { healthySinceUptime != nil }

        /// Its card has taken frames of what is to be heard.
        var isHeard: Bool { position.firstHeardFrame.map { position.frames > $0 } ?? false }
    }

    var route: Route
    var phase = RoutePhase.resting
    /// A route that is gone is kept until its card is let go, or until there is another in its place.
    var isPresent = true
    /// How often it failed since it was last in good health.
    var failureCount = 0
    var failedUptime = 0
    var failure: RouteFailure?

    init(_ route: Route) {
        self.route = route
    }

    var attempt: RouteAttempt? {
        switch phase {
        case .resting: nil
        case .opening(let attempt, _, _), .open(let attempt, _), .closing(let attempt, _): attempt
        }
    }

    /// No two tries have the same.
    var attemptNumber: Int? {
        switch phase {
        case .resting: nil
        case .opening(let attempt, _, _), .open(let attempt, _), .closing(let attempt, _): attempt.number
        }
    }

    var evidence: PlaybackEvidence? {
        if case .open(_, let evidence) = phase { evidence } else { nil }
    }

    /// It is open, and its card takes frames.
    var isPlaying: Bool { evidence?.isPlaying ?? false }

    /// It may yet turn out to play.
    var mayStillPlay: Bool {
        switch phase {
        case .opening(_, _, let isLate): !isLate
        case .open(_, let evidence): !evidence.isSuspect
        case .resting, .closing: false
        }
    }

    /// It is open, and nothing speaks against it.
    var isOpenAndHealthy: Bool {
        if case .open(_, let evidence) = phase { !evidence.isSuspect } else { false }
    }

    var isInUse: Bool {
        switch phase {
        case .opening, .open: true
        case .resting, .closing: false
        }
    }

    /// It was let go because it was of no use, and may be tried again as soon as its card is free.
    var isClosingUnneeded: Bool {
        if case .closing = phase { failureCount == 0 } else { false }
    }

    func healthyMilliseconds(at uptime: Int) -> Int {
        evidence?.healthySinceUptime.map { uptime - $0 } ?? -1
    }

    /// When it may be tried again, with exponential backoff. Where nothing else plays, that is soon.
    func retryUptime(isUrgent: Bool) -> Int {
        guard failureCount > 0 else { return .min }
        let rest = RoutingTimes.firstBackoff << min(failureCount - 1, 10)
        return failedUptime + min(rest, isUrgent ? RoutingTimes.urgentBackoffMax : RoutingTimes.backoffMax)
    }

    func mayOpen(at uptime: Int, isUrgent: Bool) -> Bool {
        isPresent && attemptNumber == nil && uptime >= retryUptime(isUrgent: isUrgent)
    }

    var health: RouteStatus.RouteHealth {
        switch phase {
        case .open(_, let evidence) where evidence.isPlaying: .good
        case .opening, .open: failure.map { .failed($0) } ?? .trying
        case .resting, .closing: failure.map { .failed($0) } ?? .unknown
        }
    }
}

/// The timeouts and backoffs of routing, in milliseconds.
enum RoutingTimes {
    /// The position of a card that plays is looked at so often: the later it is seen to stop, the less time the next route
    /// has. One that has yet to show that it plays is looked at more often still.
    static let sampling = 50
    static let eagerSampling = 25
    /// After so long without a frame, the next route is opened beside it. Later, it could not be heard half a second after the
    /// last frame: 150 milliseconds to open, 75 until the last frame is known, and as many until the new card has shown that it
    /// plays. Sooner, cards would be suspected that tell only every 170 milliseconds how far they are.
    static let suspect = 200
    /// Over so long it is seen how fast a card takes frames.
    static let paceWindow = 100
    /// A route that is not open for so long is late. One that takes no frames any more for so long has failed.
    static let timeout = 500
    /// One that is not open for so long, or has not taken its first frame, has failed.
    static let openTimeout = 30_000
    static let firstFrameTimeout = 5000
    /// When nothing plays, so long after one route the next is opened beside it.
    static let stagger = 200
    /// The buzzer starts after so long without a sound: a little before half a second is over.
    static let buzzer = 450
    /// A buzzer that fails is tried again so much later.
    static let buzzerBackoff = 1000
    /// What follows the buzzer has to take frames for so long.
    static let afterBuzzer = 250
    /// What follows a worse route has to take frames for so long.
    static let better = 5000
    static let firstBackoff = 250
    static let urgentBackoffMax = 1000
    static let backoffMax = 30_000
    /// A card that is not let go for so long is tried again all the same.
    static let closeTimeout = 30_000
}
