// Tries a card in silence: whether it would play, should it have to.

import CAlsa
import Devices
import Glibc
import Synchronization

/// What a card did when it was tried.
public enum CardCheck: Hashable, Sendable {
    /// It took frames.
    case plays
    /// It did not.
    case fails(RouteFailure)

    /// How long a card may take to open, and then to take its first frames.
    private static let openMilliseconds = 1500
    private static let playMilliseconds = 500

    /// Tries all cards at once, and returns when each has played or had its time. Nothing is heard.
    public static func results(of cards: [Card], _ configuration: AlsaConfiguration? = nil) -> [Route.ID: CardCheck] {
        alsa_keep_quiet()
        var checks: [(card: Card, check: RunningCheck)] = []
        var results: [Route.ID: CardCheck] = [:]
        for card in cards {
            do throws(RouteFailure) {
                checks.append((card, try RunningCheck(card, configuration)))
            } catch {
                results[card.route.id] = .fails(error)
            }
        }
        let begin = Uptime.milliseconds
        for (card, check) in checks {
            results[card.route.id] = check.result(
                opensBefore: begin + openMilliseconds, playsWithin: playMilliseconds)
        }
        return results
    }
}

/// A card that is being tried.
private final class RunningCheck: Sendable {
    private enum State {
        case opening
        case open(sinceUptime: Int, rate: Int)
        case failed(RouteFailure)
    }

    private let link: PlayerLink
    private let state = Mutex(State.opening)
    private let wakeUp: WakeUp

    init(_ card: Card, _ configuration: AlsaConfiguration?) throws(RouteFailure) {
        link = try PlayerLink()
        wakeUp = try WakeUp()
        try PlayerThread(card: card, configuration: configuration, link: link) { [self] news in
            state.withLock { state in
                switch news {
                case .opened(let rate): state = .open(sinceUptime: Uptime.milliseconds, rate: rate)
                case .failed(let failure): state = .failed(failure)
                case .closed, .noPriority: break
                }
            }
            wakeUp.ring()
        }.start()
    }

    func result(opensBefore limit: Int, playsWithin playMilliseconds: Int) -> CardCheck {
        defer { link.end() }
        while true {
            let now = Uptime.milliseconds
            switch state.withLock({ $0 }) {
            case .failed(let failure): return .fails(failure)
            // A trickle of frames is no sound.
            case .open(_, let rate) where link.position.frames * 4000 >= rate * playMilliseconds: return .plays
            case .open(let since, _) where now - since >= playMilliseconds:
                return .fails(.stalled(milliseconds: now - since))
            case .opening where now >= limit: return .fails(.openHangs(milliseconds: 1500))
            case .open: wakeUp.wait(milliseconds: 10)
            case .opening: wakeUp.wait(milliseconds: Double(limit - now))
            }
        }
    }
}
