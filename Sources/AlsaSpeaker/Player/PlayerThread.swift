// The thread that opens a card, plays on it, and closes it.

import Glibc
import Sound
import System

struct PlayerThread: Sendable {
    enum PlayerEvent: Sendable {
        case opened(rate: Int)
        case failed(RouteFailure)
        case closed
        /// The card plays, but without real-time priority: the system's error number.
        case noPriority(errorNumber: Int32)
    }

    let card: Card
    let configuration: AlsaConfiguration?
    let control: PlayerControl
    let emit: @Sendable (PlayerEvent) -> Void

    /// After a failure, the time in which the owner must end the player.
    private static let goodbyeMilliseconds = 10_000.0

    func start() throws(SystemCallError) {
        try startThread(named: "player \(card.route.id)") { run() }
    }

    private func run() {
        if !play() {
            // The owner receives the failure and ends the player.
            let end = Uptime.now + PlayerThread.goodbyeMilliseconds
            while !control.isEnded, Uptime.now < end { control.wait(milliseconds: end - Uptime.now) }
        }
        emit(.closed)
    }

    /// Plays until the owner ends the player (true) or the card fails (false, reported). The card is closed
    /// then.
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
        // Stopping may hang. The failure was reported before, so that the next card can be opened.
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
            // A suspended card's descriptors stay ready, so the card is polled at intervals instead.
            guard !player.isAsleep else {
                control.wait(milliseconds: pause)
                continue
            }
            guard control.wait(&descriptors, milliseconds: pause) else { continue }
            try player.recover(stream.pollError())
            // A descriptor that stays ready with an error must not use up the CPU.
            control.wait(milliseconds: Player.pauseAfterError)
        }
    }

    /// Opens the first of the card's devices that can be opened.
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
