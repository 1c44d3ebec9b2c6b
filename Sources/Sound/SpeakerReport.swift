// What a speaker tells.

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

/// Something that has become of an order.
package enum SpeakerReport: Hashable, Sendable {
    /// What was ordered is heard: a card has taken frames of it, at most so long after the order.
    case started(ActiveOutput, latencyMilliseconds: Int)
    /// It is heard from somewhere else now, and why it was not left where it was.
    case changed(from: ActiveOutput?, to: ActiveOutput, RouteChange)
    case failed(Route.ID, RouteFailure)
    /// A card came or went while nothing was to be heard.
    case routesChanged
    /// Something is not as the owner wants it, and something else takes its place: in words.
    case warning(String)
}

/// Why a sound is heard from somewhere else.
package enum RouteChange: Hashable, Sendable {
    case failed(RouteFailure)
    /// What was heard before has not taken frames for a while.
    case suspected
    /// The new one is better, and has been in good health long enough.
    case better
    /// There was nothing to be heard before.
    case nothingElse
}

extension RouteChange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .failed(let failure): failure.description
        case .suspected: "it does not play"
        case .better: "a better one is in good health"
        case .nothingElse: "nothing was heard"
        }
    }
}
