// `rooster sound test`: a sound on the way that an alarm takes, for a few seconds.

import Devices
import Glibc
import LinuxDevices
import Synchronization

struct SoundTest {
    private let id: String
    private let seconds: Int
    private let volume: Double
    private let order: RouteOrder
    private let sounds: SoundCatalogue

    /// How long it may take until something is heard.
    private static let patienceMilliseconds = 3000
    private static let lookMicroseconds: UInt32 = 20_000

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
        let speaker: LinuxSpeaker
        do {
            speaker = try LinuxSpeaker.start(settings)
        } catch {
            throw .refused("\(error)")
        }
        try play(entry, on: speaker, cards)
    }

    private func play(_ entry: SoundCatalogue.Entry, on speaker: LinuxSpeaker, _ cards: [Card]) throws(Refusal) {
        let told = ToldReports(speaker)
        speaker.order(
            .play(
                Playback(reason: "test", sound: id, ramp: Ramp(volume: volume, seconds: 0, startUptime: 0))))
        var heardFor = 0
        var waited = 0
        while heardFor < seconds * 1000 {
            usleep(SoundTest.lookMicroseconds)
            let step = Int(SoundTest.lookMicroseconds) / 1000
            for report in told.take() {
                switch report {
                case .started(let voice, _): print("\(entry.name) on \(name(voice, cards))")
                case .changed(_, let voice, let why): print("now on \(name(voice, cards)): \(why)")
                case .failed(let route, let failure):
                    complain("rooster: \(name(.route(route), cards)): \(failure)")
                case .warning(let words): complain("rooster: \(words)")
                }
            }
            if speaker.status.voice == nil { waited += step } else { (heardFor, waited) = (heardFor + step, 0) }
            if waited > SoundTest.patienceMilliseconds {
                throw .refused("nothing is heard: 'rooster speakers' shows what works")
            }
        }
        speaker.order(.silent)
        // What the cards have not played yet is taken back on other threads.
        usleep(SoundTest.lookMicroseconds * 5)
    }

    private func name(_ voice: Voice, _ cards: [Card]) -> String {
        guard case .route(let id) = voice, let card = cards.first(where: { $0.route.id == id }) else {
            return "\(voice)"
        }
        return "\(card.route.configuredName) (\(card.route.name))"
    }
}

/// What a speaker has told and nobody has taken yet.
private final class ToldReports: Sendable {
    private let reports = Mutex<[SpeakerReport]>([])

    init(_ speaker: LinuxSpeaker) {
        let stream = speaker.reports
        Task { [self] in
            for await report in stream { reports.withLock { $0.append(report) } }
        }
    }

    func take() -> [SpeakerReport] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
