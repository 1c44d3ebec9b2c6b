// The state of one route, and the times of routing.

/// A route and the phase of its current attempt.
///
/// ```
/// resting ──► opening ──► open ──► closing ──► resting
///                └───────────────────┘
/// ```
struct RouteState: Hashable, Sendable {
    enum RoutePhase: Hashable, Sendable {
        case resting
        /// A late attempt continues, since some cards take seconds to open. Others open beside it.
        case opening(RouteAttempt, sinceUptime: Int, isLate: Bool)
        case open(RouteAttempt, PlaybackEvidence)
        /// The card may still be in use.
        case closing(RouteAttempt, sinceUptime: Int)
    }

    /// Evidence that an open route's card consumes frames: position, rate, last progress.
    struct PlaybackEvidence: Hashable, Sendable {
        private(set) var position = CardPosition(frames: 0)
        /// The frames per second that the card should consume.
        private let rate: Int
        /// The start of the window over which the rate is measured, and the card's position then.
        private var markUptime: Int
        private var markFrames = 0
        /// When the card last consumed frames fast enough to be playing. At first, when it was opened.
        var movedUptime: Int
        private var hasMoved = false
        /// The start of the unbroken period in which the card has consumed frames.
        var healthySinceUptime: Int?
        /// True if the card has made no progress for 200 ms, so that another route is opened beside it.
        var isSuspect = false

        init(rate: Int, openedUptime uptime: Int) {
            self.rate = rate
            (markUptime, movedUptime) = (uptime, uptime)
        }

        /// Applies a sample of the card's position. The card moves if it consumes frames at a quarter of
        /// real time or faster. A slower trickle is not audible.
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
            // A card that consumes large blocks gets a whole window; a recovery shows at the next sample.
            if moves || elapsed >= RoutingTimes.paceWindow { (markUptime, markFrames) = (uptime, position.frames) }
        }

        /// Records that the attempt is silent from now on: its next sound has not been heard yet.
        mutating func mute() { position.firstHeardFrame = nil }

        /// The time without progress after which the card has failed. A card that never moved gets longer,
        /// because it may still start.
        var stallMilliseconds: Int { hasMoved ? RoutingTimes.timeout : RoutingTimes.firstFrameTimeout }

        var isPlaying: Bool { healthySinceUptime != nil }

        /// True if the card has consumed a frame of the sound.
        var isHeard: Bool { position.firstHeardFrame.map { position.frames > $0 } ?? false }
    }

    var route: Route
    var phase = RoutePhase.resting
    /// False once the card is gone. The entry remains until its attempt is closed, or the card is back.
    var isPresent = true
    /// The number of failures since the route was last healthy.
    var failureCount = 0
    var failedUptime = 0
    var failure: RouteFailure?

    init(_ route: Route) {
        self.route = route
    }

    /// The current attempt. Its number is unique within a speaker.
    var attempt: RouteAttempt? {
        switch phase {
        case .resting: nil
        case .opening(let attempt, _, _), .open(let attempt, _), .closing(let attempt, _): attempt
        }
    }

    var evidence: PlaybackEvidence? {
        if case .open(_, let evidence) = phase { evidence } else { nil }
    }

    /// True if the route is open and its card consumes frames.
    var isPlaying: Bool { evidence?.isPlaying ?? false }

    /// True if the attempt may still turn out to play.
    var mayStillPlay: Bool {
        switch phase {
        case .opening(_, _, let isLate): !isLate
        case .open(_, let evidence): !evidence.isSuspect
        case .resting, .closing: false
        }
    }

    /// True if the route is open and not suspect.
    var isOpenAndHealthy: Bool {
        if case .open(_, let evidence) = phase { !evidence.isSuspect } else { false }
    }

    var isInUse: Bool {
        switch phase {
        case .opening, .open: true
        case .resting, .closing: false
        }
    }

    /// True if the route is being closed because it was not needed, not because it failed. It may be opened
    /// again once its card is free.
    var isClosingUnneeded: Bool {
        if case .closing = phase { failureCount == 0 } else { false }
    }

    func healthyMilliseconds(at uptime: Int) -> Int {
        evidence?.healthySinceUptime.map { uptime - $0 } ?? -1
    }

    /// Returns when the route may be opened again, with exponential backoff. If nothing else plays
    /// (`isUrgent`), the backoff is short.
    func retryUptime(isUrgent: Bool) -> Int {
        guard failureCount > 0 else { return .min }
        let rest = RoutingTimes.firstBackoff << min(failureCount - 1, 10)
        return failedUptime + min(rest, isUrgent ? RoutingTimes.urgentBackoffMax : RoutingTimes.backoffMax)
    }

    func mayOpen(at uptime: Int, isUrgent: Bool) -> Bool {
        isPresent && phase == .resting && uptime >= retryUptime(isUrgent: isUrgent)
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
    /// The sampling interval of a card that plays. The later a stop is noticed, the less time the next
    /// route has. A card that has not yet proved that it plays is sampled more often.
    static let sampling = 50
    static let eagerSampling = 25
    /// A card without progress for this long is suspect, and the next route is opened beside it. If this
    /// were longer, the next card could not be audible 500 ms after the last frame. It needs 150 ms to open,
    /// 75 until the last frame is known, and 75 until it has proved that it plays. If this were shorter,
    /// cards that report their position only every 170 ms would be suspect.
    static let suspect = 200
    /// The window over which a card's rate is measured.
    static let paceWindow = 100
    /// A route still opening after this time is late. A card that played and stops for this long has failed.
    static let timeout = 500
    /// The times after which a route that is not open has failed, and an open card without a first frame.
    static let openTimeout = 30_000
    static let firstFrameTimeout = 5000
    /// While nothing plays, the interval between opening one route and the next.
    static let stagger = 200
    /// The buzzer starts after this time without sound: slightly before half a second.
    static let buzzer = 450
    /// The interval between attempts to start or stop a buzzer that fails.
    static let buzzerBackoff = 1000
    /// A route that replaces the buzzer must first have consumed frames for this long.
    static let afterBuzzer = 250
    /// A route that replaces a worse one must first have consumed frames for this long.
    static let better = 5000
    static let firstBackoff = 250
    static let urgentBackoffMax = 1000
    static let backoffMax = 30_000
    /// A route whose card is not released after this time is opened again all the same.
    static let closeTimeout = 30_000
}
