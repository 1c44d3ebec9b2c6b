// The random histories of orders and faults for the simulated speaker.

import Oracles
import Sound

@testable import SimulatedDevices

/// A random history of orders and faults that checks the audible output at each millisecond.
struct SpeakerFixture {
    static let routes: [Route] = [
        Route(id: "Device", kind: .usb), Route(id: "Headphones", kind: .analogue), Route(id: "vc4hdmi0", kind: .hdmi),
    ]

    /// True if the buzzer sometimes breaks as well.
    let breaksBuzzer: Bool
    var random: SeededRandom
    var speaker: SimulatedSpeaker
    var order = SpeakerOrder.silent
    var reports: [SimulatedSpeaker.Report] = []
    /// The time of the last sound or order.
    var heardUptime = 0
    /// The time since which a card or the buzzer could play.
    var hopeUptime: Int?
    var longestGap = 0
    var broken: [String] = []

    init(seed: UInt64, hasBuzzer: Bool, breaksBuzzer: Bool = false) {
        self.breaksBuzzer = breaksBuzzer
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 0...3, using: &random)
        var cards: [SimulatedCard] = []
        for route in SpeakerFixture.routes.shuffled(using: &random).prefix(count) {
            // Some cards are slow, such as a screen that wakes up or a wireless loudspeaker.
            let slowest = [60, 60, 60, 4000].randomElement(using: &random) ?? 60
            cards.append(SimulatedCard(route, openMilliseconds: Int.random(in: 1...slowest, using: &random)))
        }
        self.random = random
        speaker = SimulatedSpeaker(cards, hasBuzzer: hasBuzzer)
    }

    /// The opening time of the slowest card.
    var slowestMilliseconds: Int { speaker.cards.map(\.openMilliseconds).max() ?? 0 }

    mutating func happen() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: take(.silent)
        case 1: take(.ready(sound: "chimes01"))
        case 2, 3:
            let ramp = Ramp(volume: 0.8, seconds: 30, startUptime: speaker.uptime)
            take(.play(Playback(reason: "\(random.next() % 3)", sound: "chimes01", ramp: ramp)))
        case 4 where breaksBuzzer:
            // A sounding buzzer does not break: it could not be stopped, and routing could not help that.
            if !speaker.heard.contains(where: { $0.output == .buzzer }) { speaker.isBuzzerBroken.toggle() }
        default:
            guard let card = speaker.cards.randomElement(using: &random) else { return }
            let faults: [CardFault?] = [
                nil, nil, nil, .stalls, .trickles, .opensNever, .refuses(errorNumber: 16), .breaks(errorNumber: 5),
                .closesNever,
            ]
            let fault = faults.randomElement(using: &random) ?? nil
            let isPlugged = Int.random(in: 0..<4, using: &random) > 0
            speaker.change(card.route.id) { ($0.fault, $0.isPlugged) = (fault, isPlugged) }
        }
    }

    mutating func take(_ new: SpeakerOrder) {
        if case .play = new, case .play = order {} else { heardUptime = speaker.uptime }
        order = new
        speaker.order(new)
    }

    /// Advances the time and checks the output at each millisecond.
    mutating func listen(milliseconds: Int) {
        for _ in 0..<milliseconds {
            reports += speaker.advance(to: speaker.uptime + 1)
            check()
        }
    }

    mutating func check() {
        let heard = speaker.heard
        if heard.count > 1 { broken.append("\(speaker.uptime): \(heard) at once") }
        guard case .play = order else {
            if !heard.isEmpty { broken.append("\(speaker.uptime): \(heard) though nothing was ordered") }
            return
        }
        if !heard.isEmpty { heardUptime = speaker.uptime }
        let hasBuzzer = speaker.routing.hasBuzzer && !breaksBuzzer
        let isAnyWell = hasBuzzer || speaker.cards.contains { $0.isPlugged && $0.fault == nil }
        if !isAnyWell { hopeUptime = nil } else if hopeUptime == nil { hopeUptime = speaker.uptime }
        guard let hopeUptime else { return }
        longestGap = max(longestGap, speaker.uptime - max(hopeUptime, heardUptime))
    }
}
