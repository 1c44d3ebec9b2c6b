// The events that routing handles, and the actions that it returns.

/// One attempt to play by a route, from the order to open it until it is closed.
package struct RouteAttempt: Hashable, Sendable {
    package var route: Route.ID
    /// The attempt's number. An event of an earlier attempt is not applied to this one.
    package var number: Int

    /// Hashes the number alone: it is unique within a speaker.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// Compares the numbers first: they differ more often than the route's string, and faster.
    package static func == (a: RouteAttempt, b: RouteAttempt) -> Bool { a.number == b.number && a.route == b.route }
}

/// The progress of a card within an attempt.
package struct CardPosition: Hashable, Sendable {
    /// The number of frames that the card has consumed since it was opened, by its own count.
    package var frames: Int
    /// The first of them that belongs to a sound; nil while all of them are silent.
    package var firstHeardFrame: Int?

    package init(frames: Int, firstHeardFrame: Int? = nil) {
        self.frames = frames
        self.firstHeardFrame = firstHeardFrame
    }
}

/// A sample of the position of an open route's card.
package struct CardSample: Hashable, Sendable {
    package var attempt: RouteAttempt
    package var position: CardPosition

    package init(_ attempt: RouteAttempt, _ position: CardPosition) {
        (self.attempt, self.position) = (attempt, position)
    }
}

package enum RoutingEvent: Hashable, Sendable {
    /// A new order replaces the last one.
    case ordered(SpeakerOrder)
    /// The complete list of the routes that exist.
    case routes([Route])
    /// A route is open and silent. Its card should consume this many frames a second.
    case opened(RouteAttempt, rate: Int)
    /// Opening or playing has failed.
    case failed(RouteAttempt, RouteFailure)
    /// An attempt has released its card.
    case closed(RouteAttempt)
    /// The positions of the cards of all open routes. Due at each wake.
    case sampled([CardSample])
    /// The buzzer's answer to its last order: whether it carried the order out.
    case buzzed(isOn: Bool, isDone: Bool)
}

/// An action for the driver. Actions are carried out in their order.
package enum RoutingAction: Hashable, Sendable {
    /// Opens a route and feeds it silence. The driver replies with `opened` or `failed`, possibly late.
    case open(RouteAttempt)
    case play(RouteAttempt, Playback)
    /// Feeds silence again, and takes back the frames that the card has not consumed.
    case mute(RouteAttempt)
    /// Closes a route, which is silent at once. The driver replies with `closed`, possibly late.
    case close(RouteAttempt)
    /// Starts or stops the buzzer. The driver replies with `buzzed`.
    case buzz(Bool)
    case report(SpeakerReport)
}
