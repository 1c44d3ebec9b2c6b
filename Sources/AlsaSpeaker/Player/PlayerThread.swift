// A thread that opens a card, plays on it, and lets it go.

import Glibc
import Sound
import System

struct PlayerThread: Sendable {
    enum PlayerEvent: Sendable {
        case opened(rate: Int)
        case failed(RouteFailure)
        case closed
        /// It plays, but all else on the machine may come before it: the system's error number.
        case noPriority(errorNumber: Int32)
    }

    let card: Card
    let configuration: AlsaConfiguration?
    let link: PlayerLink
    let emit: @Sendable (PlayerEvent) -> Void

    /// Whoever has told of a failure waits so long to be let go.
    private static let goodbyeMilliseconds = 10_000.0

    func start() throws(SystemCallError) {
        try startThread(named: "player \(card.route.id)") { run() }
    }

    private func run() {
        if !play() {
            // Its owner hears of it, and ends it.
            let end = Uptime.now + PlayerThread.goodbyeMilliseconds
            while !link.isEnded, Uptime.now < end { link.wait(milliseconds: end - Uptime.now) }
        }
        emit(.closed)
    }

    /// Plays until its owner has had enough, or tells of what has failed and answers that it has. Nothing of the card is left
    /// open when this returns.
    private func play() -> Bool {
        do throws(RouteFailure) {
            let stream = try open()
            return link.isEnded || play(on: stream)
        } catch {
            emit(.failed(error))
            return false
        }
    }

    private func play(on stream: CardStream) -> Bool {
        // One that hangs in this keeps nobody from the next card: what has failed is told of before.
        defer { stream.stop() }
        let number = useRealTimePriority()
        if number != 0 { emit(.noPriority(errorNumber: number)) }
        let player = Player(stream)
        emit(.opened(rate: player.format.rate))
        do throws(RouteFailure) {
            try playLoop(player, stream)
            return true
        } catch {
            emit(.failed(error))
            return false
        }
    }

    private func playLoop(_ player: Player, _ stream: CardStream) throws(RouteFailure) {
        var descriptors = link.descriptors(and: stream.descriptors())
        while !link.isEnded {
            if let pending = link.takePending() {
                if let sound = pending { player.play(sound) } else { try player.mute() }
            }
            if link.takeInterruption() { player.interrupt() }
            let pause = try player.feedCard(at: Uptime.now)
            link.publish(takenFrames: player.takenFrames, firstHeardFrame: player.firstHeardFrame)
            // A card that is asleep says so all the time: it is asked again in a while, and not at once.
            guard !player.isAsleep else {
                link.wait(milliseconds: pause)
                continue
            }
            guard link.wait(&descriptors, milliseconds: pause) else { continue }
            try player.recover(stream.troubleOfDescriptors())
            // A descriptor that tells of trouble all the time must not keep the machine from all else either.
            link.wait(milliseconds: Player.pauseAfterTrouble)
        }
    }

    /// The first of the card's devices that opens.
    private func open() throws(RouteFailure) -> CardStream {
        var first: RouteFailure?
        for device in card.devices where !link.isEnded {
            do throws(RouteFailure) {
                return try CardStream(device, configuration)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .gone
    }
}
