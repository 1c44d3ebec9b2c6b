// What routing is told, and what it wants done.

/// One try to play by a route, from the wish to open it until it is closed.
package struct RouteAttempt: Hashable, Sendable {
    package var route: Route.ID
    /// Which of all tries: what is told of an earlier one is not taken for this.
    package var number: Int

    /// No two of one speaker's tries have the same number.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// The same for all that a speaker looks at while it rings.
    package static func == (a: RouteAttempt, b: RouteAttempt) -> Bool { a.number == b.number && a.route == b.route }
}

/// How far a card has come in a try.
package struct CardPosition: Hashable, Sendable {
    /// How many frames it has taken, by its own count, since it was opened.
    package var frames: Int
    /// Which of them was the first of what is to be heard; nothing while all of them are silent.
    package var firstHeardFrame: Int?

    package init(frames: Int, firstHeardFrame: Int? = nil) {
        self.frames = frames
        self.firstHeardFrame = firstHeardFrame
    }
}

/// How far the card of an open route has come.
package struct CardSample: Hashable, Sendable {
    package var attempt: RouteAttempt
    package var position: CardPosition

    package init(_ attempt: RouteAttempt, _ position: CardPosition) {
        (self.attempt, self.position) = (attempt, position)
    }
}

package enum RoutingEvent: Hashable, Sendable {
    /// Something else is to be heard from now on.
    case ordered(SpeakerOrder)
    /// These routes are there, and no others.
    case routes([Route])
    /// A route is open, and silent; its card is to take so many frames in a second.
    case opened(RouteAttempt, rate: Int)
    /// Opening or playing does not go on.
    case failed(RouteAttempt, RouteFailure)
    /// A try has let go of its card.
    case closed(RouteAttempt)
    /// How far the cards of all open routes have come. It is due at each wake.
    case sampled([CardSample])
    /// The buzzer does as it was told when it was to start or to stop, or does not.
    case buzzed(isOn: Bool, isDone: Bool)
}

/// Something to do. Actions are carried out in the order in which they are given.
package enum RoutingAction: Hashable, Sendable {
    /// Opens a route, and lets it take silence. The answer is `opened` or `failed`, however late.
    case open(RouteAttempt)
    case play(RouteAttempt, Playback)
    /// Lets it take silence again, and takes back what it has not taken yet.
    case mute(RouteAttempt)
    /// Lets a route go: it is silent at once. The answer is `closed`, however late.
    case close(RouteAttempt)
    /// Starts or stops the buzzer. The answer is `buzzed`.
    case buzz(Bool)
    case report(SpeakerReport)
}
