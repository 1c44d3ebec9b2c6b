// `bench speaker`: the time from an order to sound, to silence, and from a failing card to the next.

import AlsaSpeaker
import Glibc
import Sound

enum SpeakerBenchmark {
    static let benchmark = Benchmark(
        name: "speaker", summary: "from the order to the first frame, silence and the next card"
    ) {
        let folder = try ScratchFolder(in: "/tmp")
        let (card, spare) = (try MeasuredCard("card", in: folder), try MeasuredCard("spare", in: folder))
        let configuration = try MeasuredCard.configuration(of: [card, spare], in: folder)
        let ours = try Rooster([card], configuration)
        var (starts, silences) = ([Double](), [Double]())
        for _ in 0..<600 {
            starts.append(try ours.ring())
            silences.append(try ours.silence())
        }
        let both = try Rooster([card, spare], configuration)
        let losses = try (0..<200).map { _ in try both.loss(to: spare, by: .gone) }
        // Loudspeakers and screens that have to wake up are as slow.
        spare.needToOpen(milliseconds: slowMilliseconds)
        let stalls = try (0..<100).map { _ in try both.loss(to: spare, by: .stalls) }
        let trickles = try (0..<100).map { _ in try both.loss(to: spare, by: .trickles) }
        guard starts.allSatisfy({ $0 >= 0 }) else {
            throw BenchmarkRefusal.wrongAnswer("a ring began before its order")
        }
        return [
            BenchmarkResult("speaker/order-to-first-frame", starts, bar: Bar(p99: 10, longest: 50)),
            BenchmarkResult("speaker/order-to-silence", silences, bar: Bar(p99: 30)),
            BenchmarkResult("speaker/card-lost-to-next-route", losses, bar: Bar(longest: 500)),
            BenchmarkResult("speaker/card-stalls-to-slow-route", stalls, bar: Bar(longest: 500)),
            BenchmarkResult("speaker/card-trickles-to-slow-route", trickles, bar: Bar(longest: 500)),
        ]
    }

    /// The time that a slow card takes to open.
    private static let slowMilliseconds: Int32 = 150
}

private final class Rooster {
    private let card: MeasuredCard
    private let speaker: LinuxSpeaker
    private var count = 0

    init(_ cards: [MeasuredCard], _ configuration: AlsaConfiguration) throws {
        card = cards[0]
        var settings = SpeakerSettings(cards: BenchmarkCards(names: cards.map(\.device)))
        settings.configuration = configuration
        settings.order = .listed(cards.map(\.device))
        speaker = try LinuxSpeaker.start(settings)
    }

    /// Plays a sound. Returns the milliseconds from the due time to the first audible frame.
    func ring() throws -> Double {
        count += 1
        speaker.order(.ready(sound: "chimes01", isNear: true))
        try card.wait(for: "the speaker to be ready") { speaker.status.isReady ? true : nil }
        let due = bootNanoseconds() + Int.random(in: 20_000_000...60_000_000)
        sleep(untilNanoseconds: due)
        let ramp = Ramp(volume: 0.8, seconds: 0, startUptime: due / 1_000_000)
        speaker.order(.play(Playback(reason: "\(count)", sound: "chimes01", ramp: ramp)))
        let heard = try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
        return milliseconds(from: due, to: heard)
    }

    /// Breaks the card while it plays. Returns the milliseconds until the next card is audible.
    func loss(to next: MeasuredCard, by fault: MeasuredCard.Fault) throws -> Double {
        _ = try ring()
        usleep(UInt32.random(in: 20_000...400_000))
        let lost = bootNanoseconds()
        card.fail(fault)
        let heard = try next.wait(for: "the first frame at the next card") { next.firstHeardNanoseconds }
        speaker.order(.silent)
        for card in [card, next] { try card.wait(for: "a card to be released") { card.isClosed ? true : nil } }
        card.fail(nil)
        usleep(10_000)
        return milliseconds(from: lost, to: heard)
    }

    /// Stops the sound. Returns the milliseconds from the order until the card was stopped.
    func silence() throws -> Double {
        usleep(UInt32.random(in: 20_000...60_000))
        let before = card.stoppedNanoseconds
        let ordered = bootNanoseconds()
        speaker.order(.silent)
        let stopped = try card.wait(for: "silence") {
            card.stoppedNanoseconds == before ? nil : card.stoppedNanoseconds
        }
        try card.wait(for: "a card to be released") { card.isClosed ? true : nil }
        // The card's last reports are still on their way.
        usleep(10_000)
        return milliseconds(from: ordered, to: stopped)
    }
}

private struct BenchmarkCards: CardList {
    let names: [String]

    func cards() -> [Card] { names.map { Card(Route(id: $0, kind: .analogue), devices: [$0]) } }

    var changeDescriptor: Int32? { nil }

    func drainChanges() {}
}
