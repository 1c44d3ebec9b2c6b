// A sound card that exists in memory only.

import Sound

package enum CardFault: Hashable, Sendable {
    /// It opens, and takes no frames.
    case stalls
    /// It opens, and takes so few frames that nothing is heard.
    case trickles
    /// It never opens. What was asked of it is answered when the fault is over.
    case opensNever
    /// It does not open, with the system's error number.
    case refuses(errorNumber: Int32)
    /// Whatever plays on it fails with the system's error number, and it does not open again.
    case breaks(errorNumber: Int32)
    /// It plays, but is let go only when the fault is over.
    case closesNever
}

package struct SimulatedCard: Hashable, Sendable {
    package var route: Route
    package var openMilliseconds: Int
    package var isPlugged = true
    /// What is wrong with it, if anything is.
    package var fault: CardFault?

    /// A card that is there and in order.
    package init(_ route: Route, openMilliseconds: Int = 20) {
        self.route = route
        self.openMilliseconds = openMilliseconds
    }

    /// How many frames it takes in a millisecond when it is open.
    var framesPerMillisecond: Int {
        switch fault {
        case _ where !isPlugged: 0
        case nil, .closesNever, .opensNever, .refuses: SimulatedAttempt.framesPerMillisecond
        case .trickles: 1
        case .stalls, .breaks: 0
        }
    }

    /// How it is found when it is tried.
    var health: RouteStatus.RouteHealth {
        switch fault {
        case _ where !isPlugged: .failed(.gone)
        case nil, .closesNever: .good
        case .refuses(let number), .breaks(let number): .failed(.system(.open, errorNumber: number))
        case .opensNever: .failed(.openHangs(milliseconds: 1500))
        case .stalls, .trickles: .failed(.stalled(milliseconds: 500))
        }
    }

    var plays: Bool { framesPerMillisecond == SimulatedAttempt.framesPerMillisecond }
}

package struct AudibleSound: Hashable, Sendable {
    /// What it comes from.
    package var output: ActiveOutput
    /// The sound's id; the buzzer has but one noise.
    package var sound: String?
    /// How far it is below the loudest that there is.
    package var decibels: Double
}

struct SimulatedAttempt: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// It opens then, or never.
        case opening(readyUptime: Int?)
        case open
        /// It is silent, and its card is free then, or never.
        case closing(doneUptime: Int?)
    }

    /// How many frames a card takes in a millisecond that plays.
    static let framesPerMillisecond = 48
    /// How many frames are on their way to the card at any time.
    static let queuedFrames = 20 * framesPerMillisecond
    /// How long it takes to let a card go.
    static let closeMilliseconds = 5

    let attempt: RouteAttempt
    let cardIndex: Int
    var state: State
    var playback: Playback?
    var firstHeardFrame: Int?
    private var frames = 0
    private var countedUptime: Int

    init(_ attempt: RouteAttempt, onCard cardIndex: Int, _ state: State, at uptime: Int) {
        (self.attempt, self.cardIndex, self.state) = (attempt, cardIndex, state)
        countedUptime = uptime
    }

    /// Counts the frames up to that time: to be called before anything changes that they depend on.
    mutating func count(to uptime: Int, framesPerMillisecond: Int) {
        if state == .open { frames += (uptime - countedUptime) * framesPerMillisecond }
        countedUptime = uptime
    }

    var position: CardPosition { CardPosition(frames: frames, firstHeardFrame: firstHeardFrame) }

    mutating func sound(_ playback: Playback) {
        if self.playback == nil { firstHeardFrame = frames + SimulatedAttempt.queuedFrames }
        self.playback = playback
    }

    mutating func mute() {
        (playback, firstHeardFrame) = (nil, nil)
    }

    /// When it has come to its end of opening or closing.
    var dueUptime: Int? {
        switch state {
        case .opening(let due), .closing(let due): due
        case .open: nil
        }
    }

    /// Whether it is not let go of, for all that is known.
    var isStuck: Bool { state == .closing(doneUptime: nil) }

    var isHeard: Bool { state == .open && playback != nil && firstHeardFrame.map { frames >= $0 } ?? false }
}
