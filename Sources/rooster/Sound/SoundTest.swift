// `rooster sound test`: a sound on the way that an alarm takes, for a few seconds.

import Devices
import LinuxDevices

struct SoundTest {
    private let id: String
    private let seconds: Int
    private let volume: Double
    private let order: RouteOrder
    private let sounds: SoundCatalogue

    init(_ arguments: Arguments, _ sounds: SoundCatalogue) throws(Refusal) {
        id = arguments.words.count > 1 ? arguments.words[1] : BuiltInSound.standard.id
        seconds =
            try arguments.value("--seconds", "a whole number from 1 to 600") {
                Int($0).flatMap { (1...600).contains($0) ? $0 : nil }
            } ?? 5
        volume =
            try arguments.value("--volume", "a number from 0.01 to 1") {
                Double($0).flatMap { (0.01...1).contains($0) ? $0 : nil }
            } ?? 0.8
        order = arguments.value("--speaker").map { .listed([$0]) } ?? .standard
        self.sounds = sounds
    }

    func run() throws(Refusal) {
        let entries = sounds.entries()
        guard let entry = entries.first(where: { $0.id == id }) else {
            throw .refused("there is no sound \(id.debugDescription): 'rooster sound list' shows all")
        }
        let list = SystemCards(order)
        let cards = try SpeakersCommand.systemCards(list)
        let missing = order.namesWithoutRoute(among: cards.map(\.route))
        if let name = missing.first {
            throw .refused("there is no speaker \(name.debugDescription): 'rooster speakers' shows all")
        }
        var settings = SpeakerSettings(cards: list)
        settings.order = order
        settings.sounds = sounds
        settings.mixerDirectory = StateDirectory.make()
        let playback = Playback(reason: "test", sound: id, ramp: Ramp(volume: volume, seconds: 0, startUptime: 0))
        let audition = Audition(
            name: entry.name, playback: playback, seconds: seconds, settings: settings, cards: cards)
        let signals = StopSignals()
        var stop: Int32?
        try audition.run { milliseconds in
            stop = signals.wait(milliseconds: milliseconds)
            return stop == nil
        }
        if let stop { signals.end(by: stop) }
    }
}
