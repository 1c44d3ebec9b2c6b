// A sound card in memory.

import Sound

package enum CardFault: Hashable, Sendable {
    /// The card opens, and consumes no frames.
    case stalls
    /// The card opens, and consumes too few frames to be heard.
    case trickles
    /// The card never opens. A pending request completes when the fault is over.
    case opensNever
    /// The card does not open, with this error number.
    case refuses(errorNumber: Int32)
    /// All playback fails with this error number, and the card does not open again.
    case breaks(errorNumber: Int32)
    /// The card plays, but closes only when the fault is over.
    case closesNever
}

package struct SimulatedCard: Hashable, Sendable {
    package var route: Route
    package var openMilliseconds: Int
    package var isPlugged = true
    /// The card's fault, if it has one.
    package var fault: CardFault?

    /// Creates a card that is plugged in and works.
    package init(_ route: Route, openMilliseconds: Int = 20) {
        self.route = route
        self.openMilliseconds = openMilliseconds
    }

    /// The number of frames that the card consumes per millisecond when it is open.
    var framesPerMillisecond: Int {
        switch fault {
        case _ where !isPlugged: 0
        case nil, .closesNever, .opensNever, .refuses: SimulatedAttempt.framesPerMillisecond
        case .trickles: 1
        case .stalls, .breaks: 0
        }
    }

    /// The result of trying the card.
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
    /// The source of the sound.
    package var output: ActiveOutput
    /// The sound's id; nil for the buzzer.
    package var sound: String?
    /// The level below full volume.
    package var decibels: Double
}

struct SimulatedAttempt: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The card opens at that time, or never if nil.
        case opening(readyUptime: Int?)
        case open
        /// The attempt is silent. The card is free at that time, or never if nil.
        case closing(doneUptime: Int?)
    }

    /// The number of frames that a playing card consumes per millisecond.
    static let framesPerMillisecond = 48
    /// The number of frames that are always queued for the card.
    static let queuedFrames = 20 * framesPerMillisecond
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

    /// Counts the frames until `uptime`. The caller does so before it changes the rate or the state.
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

    /// The time at which opening or closing ends.
    var dueUptime: Int? {
        switch state {
        case .opening(let due), .closing(let due): due
        case .open: nil
        }
    }

    /// True if the card stays busy for an unknown time.
    var isStuck: Bool { state == .closing(doneUptime: nil) }

    var isHeard: Bool { state == .open && playback != nil && firstHeardFrame.map { frames >= $0 } ?? false }
}
