// The audible sounds: the real routing on simulated cards.

import Challenges
import Devices
import Engine
import SimulatedDevices
import Sound

/// The loudspeakers and the buzzer of a simulated machine.
final class MachineSpeakers {
    private var cards: [SimulatedCard]
    /// The speaker of the service. It has no cards while the service is down.
    private var speaker = SimulatedSpeaker([], hasBuzzer: false)
    private let hasBuzzer: Bool
    private(set) var heard: [AudibleSound] = []

    static let cardCount = 2

    init(_ chance: inout SeededGenerator) {
        // Some cards are slow to open.
        let milliseconds = (0..<MachineSpeakers.cardCount).map { _ in chance.pick([20, 40, 400, 3000]) }
        hasBuzzer = chance.number(in: 0...1) == 0
        cards = [
            SimulatedCard(Route(id: "Speaker", kind: .usb), openMilliseconds: milliseconds[0]),
            SimulatedCard(Route(id: "Headphones", kind: .analogue), openMilliseconds: milliseconds[1]),
        ]
    }

    func start(at uptime: Int) {
        speaker = SimulatedSpeaker(cards, hasBuzzer: hasBuzzer, uptime: uptime)
        speaker.order(.silent)
    }

    func order(_ order: SpeakerOrder) { speaker.order(order) }

    var status: SpeakerStatus { speaker.routing.status }

    func stop() {
        (speaker, heard) = (SimulatedSpeaker([], hasBuzzer: false), [])
    }

    func change(_ index: Int, isPlugged: Bool, _ fault: CardFault?) {
        (cards[index].isPlugged, cards[index].fault) = (isPlugged, fault)
        speaker.change(cards[index].route.id) { card in (card.isPlugged, card.fault) = (isPlugged, fault) }
    }

    func advance(to uptime: Int) -> [SpeakerReport] {
        let reports = speaker.advance(to: uptime).map(\.report)
        heard = speaker.heard
        return reports
    }

    /// Advances to the next report or change of sound. Returns its time, or nil if none comes by `end`.
    func nextChangeUptime(until end: Int) -> Int? { speaker.advanceUnchanged(to: end) }

    /// The longest silence that is allowed while a sound is ordered; nil if no route works.
    var silenceMillisecondsMax: Int? {
        if hasBuzzer { return MachineSpeakers.gapMilliseconds }
        guard cards.contains(where: { $0.isPlugged && $0.fault == nil }) else { return nil }
        // A slow card is closed if another plays before it is open, and opened again if that one fails. Its
        // time then counts twice.
        return MachineSpeakers.cardMilliseconds + 2 * (cards.map(\.openMilliseconds).max() ?? 0)
    }

    /// The time from one route to the next, or from silence to the buzzer.
    private static let gapMilliseconds = 500
    /// The time until a card is known to be silent.
    private static let cardMilliseconds = 1500
}
