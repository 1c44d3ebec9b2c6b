// The sounds in the room: the real routing, on simulated cards.

import Devices
import Engine
import SimulatedDevices
import Sound

/// The loudspeakers of a simulated bedside, and the buzzer.
final class Bedroom {
    private var cards: [SimulatedCard]
    /// Without cards while the service does not run.
    private var speaker = SimulatedSpeaker([], hasBuzzer: false)
    private let hasBuzzer: Bool
    private(set) var heard: [AudibleSound] = []

    static let cardCount = 2

    init(_ chance: inout SeededGenerator) {
        // Some cards take their time to open.
        let milliseconds = (0..<Bedroom.cardCount).map { _ in chance.pick([20, 40, 400, 3000]) }
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

    /// Advances while no sound changes. Returns when one does, if that is before `end`.
    func nextChangeUptime(until end: Int) -> Int? { speaker.advanceUnchanged(to: end) }

    /// How long it may be silent while a sound is ordered; nil where no route works.
    var silenceMillisecondsMax: Int? {
        if hasBuzzer { return Bedroom.gapMilliseconds }
        guard cards.contains(where: { $0.isPlugged && $0.fault == nil }) else { return nil }
        // A slow card that is closed while it opens, because another plays, is opened a second time when that one fails.
        return Bedroom.cardMilliseconds + 2 * (cards.map(\.openMilliseconds).max() ?? 0)
    }

    /// From one route to the next, and from nothing to the buzzer; and until a card is known to give nothing.
    private static let gapMilliseconds = 500
    private static let cardMilliseconds = 1500
}
