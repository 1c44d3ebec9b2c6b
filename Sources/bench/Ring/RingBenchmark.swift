// `bench ring`: how soon a ring is heard when it is due, and how soon it is silent.

import Devices
import Glibc
import LinuxDevices

enum RingBenchmark {
    static let benchmark = Benchmark(
        name: "ring", summary: "from the due time to the first frame at the card, and from an order to silence"
    ) {
        let card = try MeasuredCard()
        let ours = try Rooster(card)
        var (starts, cold, silences) = ([Double](), [Double](), [Double]())
        for _ in 0..<600 {
            starts.append(try ours.ring(isReady: true))
            silences.append(try ours.silence())
        }
        for _ in 0..<100 {
            cold.append(try ours.ring(isReady: false))
            silences.append(try ours.silence())
        }
        guard starts.allSatisfy({ $0 >= 0 }) else { throw Refusal.wrongAnswer("it rang before it was due") }
        let peers = [
            try AplayRings(card, startedBy: .timer).measured(500, name: "aplay-started-by-a-timer"),
            try AplayRings(card, startedBy: .pythonLoop).measured(500, name: "aplay-started-by-a-python-loop"),
        ].map { BenchmarkResult.Peer(measurement: $0) }
        func result(_ name: String, _ samples: [Double], bar: Double?, _ peers: [BenchmarkResult.Peer])
            -> BenchmarkResult
        {
            BenchmarkResult(ours: Measurement(name: name, unit: "ms", samples: samples), bar: bar, peers: peers)
        }
        return [
            result("ring/due-to-first-frame", starts, bar: 10, peers),
            result("ring/due-to-first-frame-unprepared", cold, bar: nil, peers),
            result("ring/order-to-silence", silences, bar: 30, []),
        ]
    }
}

/// Our own way to ring.
private final class Rooster {
    private let card: MeasuredCard
    private let speaker: LinuxSpeaker
    private var count = 0

    init(_ card: MeasuredCard) throws {
        self.card = card
        var settings = SpeakerSettings(cards: OneCard())
        settings.configuration = card.configuration
        speaker = try LinuxSpeaker.start(settings)
    }

    /// How many milliseconds after the due time the card was given the first frame that is heard.
    func ring(isReady: Bool) throws -> Double {
        count += 1
        if isReady {
            speaker.order(.ready(sound: "chimes01"))
            _ = try card.wait(for: "a speaker that is ready") { speaker.status.isReady ? true : nil }
        }
        let due = bootNanoseconds() + Int.random(in: 20_000_000...60_000_000)
        sleep(untilNanoseconds: due)
        let ramp = Ramp(volume: 0.8, seconds: 0, startUptime: due / 1_000_000)
        speaker.order(.play(Playback(reason: "\(count)", sound: "chimes01", ramp: ramp)))
        let heard = try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
        return Double(heard - due) / 1_000_000
    }

    /// How many milliseconds after the order the card was stopped.
    func silence() throws -> Double {
        usleep(UInt32.random(in: 20_000...60_000))
        let before = card.stoppedNanoseconds
        let ordered = bootNanoseconds()
        speaker.order(.silent)
        let stopped = try card.wait(for: "silence") {
            card.stoppedNanoseconds == before ? nil : card.stoppedNanoseconds
        }
        _ = try card.wait(for: "a card that is let go") { card.isClosed ? true : nil }
        // The last of what it tells of itself is on its way.
        usleep(10_000)
        return Double(stopped - ordered) / 1_000_000
    }
}

private struct OneCard: CardList {
    func cards() -> [Card] { [Card(Route(id: MeasuredCard.device, kind: .analogue), devices: [MeasuredCard.device])] }

    var changeDescriptor: Int32? { nil }

    func noteChange() {}
}
