// The silent test of a card: whether it would play if a ring needed it.

import CAlsa
import Glibc
import Sound
import Synchronization
import System

package enum CardCheck: Hashable, Sendable {
    /// The card consumed frames.
    case plays
    case fails(RouteFailure)

    var health: RouteStatus.RouteHealth {
        switch self {
        case .plays: .good
        case .fails(let failure): .failed(failure)
        }
    }

    /// The time for a card to open, and then to consume frames.
    private static let openMilliseconds = 1500
    private static let playMilliseconds = 500

    /// Tests all cards in parallel, and returns when each has played or timed out. The test is silent.
    package static func results(of cards: [Card], _ configuration: AlsaConfiguration? = nil) -> [Route.ID: CardCheck] {
        alsa_keep_quiet()
        var checks: [(card: Card, check: RunningCheck)] = []
        var results: [Route.ID: CardCheck] = [:]
        for card in cards {
            do throws(SystemCallError) {
                checks.append((card, try RunningCheck(card, configuration)))
            } catch {
                results[card.route.id] = .fails(.system(.start, errorNumber: error.errorNumber))
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

extension CardCheck {
    /// Evaluates the frames that a card has consumed since it was opened, at its nominal rate; nil while it
    /// has time to consume more. Less than a quarter of real time is a failure.
    init?(frames: Int, rate: Int, milliseconds: Int, of playMilliseconds: Int) {
        if frames * 4000 >= rate * max(milliseconds, playMilliseconds) {
            self = .plays
        } else if milliseconds >= playMilliseconds {
            self = .fails(.stalled(milliseconds: milliseconds))
        } else {
            return nil
        }
    }
}

private final class RunningCheck: Sendable {
    private enum State {
        case opening
        case open(sinceUptime: Int, rate: Int)
        case failed(RouteFailure)
    }

    private let control: PlayerControl
    private let state = Mutex(State.opening)
    private let wakeUp: WakeUp

    init(_ card: Card, _ configuration: AlsaConfiguration?) throws(SystemCallError) {
        control = try PlayerControl()
        wakeUp = try WakeUp()
        try PlayerThread(card: card, configuration: configuration, control: control) { [self] event in
            state.withLock { state in
                switch event {
                case .opened(let rate): state = .open(sinceUptime: Uptime.milliseconds, rate: rate)
                case .failed(let failure): state = .failed(failure)
                case .closed, .noPriority: break
                }
            }
            wakeUp.signal()
        }.start()
    }

    func result(opensBefore limit: Int, playsWithin playMilliseconds: Int) -> CardCheck {
        defer { control.end() }
        while true {
            let now = Uptime.milliseconds
            switch state.withLock({ $0 }) {
            case .failed(let failure): return .fails(failure)
            case .open(let since, let rate):
                let frames = control.position.frames
                if let check = CardCheck(frames: frames, rate: rate, milliseconds: now - since, of: playMilliseconds) {
                    return check
                }
                wakeUp.wait(milliseconds: 10)
            case .opening where now >= limit: return .fails(.openHangs(milliseconds: 1500))
            case .opening: wakeUp.wait(milliseconds: Double(limit - now))
            }
        }
    }
}
