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
    let control: PlayerControl
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
            while !control.isEnded, Uptime.now < end { control.wait(milliseconds: end - Uptime.now) }
        }
        emit(.closed)
    }

    /// Plays until its owner has had enough, or tells of what has failed and answers that it has. Nothing of the card is left
    /// open when this returns.
    private func play() -> Bool {
        do throws(RouteFailure) {
            let stream = try open()
            return control.isEnded || play(on: stream)
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
        var descriptors = control.descriptors(and: stream.descriptors())
        while !control.isEnded {
            if let sound = control.takePending() {
                if sound === PlayedSound.silence { try player.mute() } else { player.play(sound) }
            }
            if control.takeInterruption() { player.interrupt() }
            let pause = try player.feedCard(at: Uptime.now)
            control.publish(takenFrames: player.takenFrames, firstHeardFrame: player.firstHeardFrame)
            // A card that is asleep says so all the time: it is asked again in a while, and not at once.
            guard !player.isAsleep else {
                control.wait(milliseconds: pause)
                continue
            }
            guard control.wait(&descriptors, milliseconds: pause) else { continue }
            try player.recover(stream.pollError())
            // A descriptor that tells of trouble all the time must not keep the machine from all else either.
            control.wait(milliseconds: Player.pauseAfterError)
        }
    }

    /// The first of the card's devices that opens.
    private func open() throws(RouteFailure) -> CardStream {
        var first: RouteFailure?
        for device in card.devices where !control.isEnded {
            do throws(RouteFailure) {
                return try CardStream(device, configuration)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? .gone
    }
}
