// The cards of a speaker and their mixers, as its thread manages them.

import Devices
import Sound
import Synchronization
import System

extension SpeakerThread {
    mutating func handleCards(_ result: Result<[Card], AlsaError>) {
        switch result {
        case .failure(let error):
            // Keep the cards of the last successful list: they may still exist.
            warnOnce("The list of sound cards may be out of date (\(error))")
            if cards != nil { return }
            cards = []
        case .success(let new): cards = new
        }
        // A card may already be playing before its mixer is known.
        raiseMixers()
        mixers.cardsFound((cards ?? []).compactMap(settings.mixer))
        handle(.routes((cards ?? []).map(\.route)))
        if cache.order != .silent { warnOfMissing() }
    }

    func card(_ id: Route.ID) -> Card? { cards?.first { $0.route.id == id } }

    /// Restores the mixers of closed cards. If a ring is near, they stay raised for the next attempt.
    func restoreMixers() {
        guard !isRingNear else { return }
        mixers.restore(allBut: Set(attempts.filter { $0.value.rate != nil }.map(\.key.route)))
    }

    /// Restores the mixers of cards that are not closed yet, and retries those that failed.
    mutating func restoreAgain() {
        guard let next = nextRestoreUptime, next <= Uptime.now else { return }
        nextRestoreUptime = nil
        mixers.restore(allBut: [])
        mixers.restoreAgain()
    }

    /// Raises the mixers of all open cards if a ring is near or playing, unless mixers are left alone.
    func raiseMixers() {
        guard isRingNear, settings.mixerDecibels != nil else { return }
        for (attempt, opened) in attempts where opened.rate != nil {
            if let setting = card(attempt.route).flatMap(settings.mixer) { mixers.raise(setting) }
        }
    }

    mutating func raiseAgain() {
        guard isRingNear else {
            nextRaiseUptime = nil
            return
        }
        let now = Uptime.now
        guard nextRaiseUptime.map({ $0 <= now }) ?? true else { return }
        nextRaiseUptime = now + SpeakerThread.raiseMilliseconds
        mixers.raiseAgain()
    }

    mutating func pollCards() {
        guard case .play = cache.order else {
            (polledUptime, nextPollUptime) = (nil, nil)
            return
        }
        let isOnACard = if case .route? = routing.status.activeOutput { true } else { false }
        let pause = isOnACard ? SpeakerThread.pollBesideMilliseconds : SpeakerThread.pollMilliseconds
        let now = Uptime.now
        // The order itself polled the cards.
        var looked = polledUptime ?? now
        if now >= looked + pause {
            monitor.poll()
            looked = now
        }
        (polledUptime, nextPollUptime) = (looked, looked + pause)
    }

    mutating func warnOfMissing() {
        guard let cards else { return }
        for name in settings.order.namesWithoutRoute(among: cards.map(\.route)) {
            warnOnce("The configured speaker \(name.debugDescription) is not there: others play instead")
        }
        if cards.isEmpty { warnOnce("There is no sound card: plug one in") }
    }
}

extension SpeakerSettings {
    /// Returns the mixer setting of a card for a ring, or nil if it has no mixer. It exists even if the
    /// owner leaves mixers alone, so that a crash under another configuration can be repaired.
    func mixer(of card: Card) -> MixerSetting? {
        card.mixer.map { mixer in
            MixerSetting(
                device: mixer, card: card.route.id, configuration: configuration, decibels: mixerDecibels ?? 0)
        }
    }
}

/// A thread that reports the list of cards at its start, after each change, and when polled.
final class CardMonitor: Sendable {
    private let list: any CardList
    private let callback: @Sendable (Result<[Card], AlsaError>) -> Void
    private let wakeUp: WakeUp
    private let isOver = Atomic(false)

    init(_ list: any CardList, callback: @escaping @Sendable (Result<[Card], AlsaError>) -> Void)
        throws(SystemCallError)
    {
        self.list = list
        self.callback = callback
        wakeUp = try WakeUp()
    }

    func start() throws(SystemCallError) {
        try startThread(named: "cards") { [self] in run() }
    }

    /// Polls the cards: udev may not have reported a change.
    func poll() { wakeUp.signal() }

    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    private func run() {
        var descriptors = wakeUp.descriptors(and: list.changeDescriptor.map { [$0] } ?? [])
        while !isOver.load(ordering: .acquiring) {
            callback(Result { () throws(AlsaError) in try list.cards() })
            if wakeUp.wait(&descriptors, milliseconds: nil) { list.drainChanges() }
        }
    }
}
