// `bench ring`: the whole service, from the second at which an alarm is due, and from the request that ends it.

import Alarms
import CivilTime
import Fixtures
import Glibc
import JSON

enum RingBenchmark {
    static let benchmark = Benchmark(
        name: "ring", summary: "from an alarm's due second to the first frame at the card, and from a stop to silence"
    ) {
        let evening = try Evening()
        try evening.passes()
        return [
            BenchmarkResult(
                ours: Measurement(name: "ring/due-to-first-frame", unit: "ms", samples: evening.beginnings),
                bar: Bar(p99: 10, longest: 50)),
            BenchmarkResult(
                ours: Measurement(name: "ring/stop-to-silence", unit: "ms", samples: evening.silences),
                bar: Bar(p99: 30)),
        ]
    }
}

/// A service with a thousand alarms that are quiet, and some that ring one a second.
private final class Evening {
    /// Some may not count: on a busy machine one runs into the next.
    static let ringCount = 520

    let card: MeasuredCard
    private(set) var beginnings: [Double] = []
    private(set) var silences: [Double] = []
    private let service: ServiceProcess
    private let client: Client
    /// The second of the first ring. The card is opened some time before.
    private let first = time(nil) + 20

    init() throws {
        var file = try QuietAlarms.file(count: 1000)
        for index in 0..<Evening.ringCount {
            var alarm = Alarm(id: "ring-\(index)")
            let second = first + index
            (alarm.date, alarm.time) = (CivilDate(dayNumber: second / 86_400), QuietAlarms.clockTime(second))
            file.alarms.append(alarm)
        }
        let home = try ServiceHome(file, .measured)
        guard let card = home.card else { throw BenchmarkRefusal.wrongAnswer("there is no card to ring with") }
        self.card = card
        service = try ServiceProcess(in: home)
        client = try service.client()
    }

    func passes() throws {
        guard bootNanoseconds() < bootNanoseconds(atSecondsSince1970: first) else {
            throw BenchmarkRefusal.wrongAnswer("it took too long to begin")
        }
        for index in 0..<Evening.ringCount { try ring(at: first + index) }
        service.kill()
        guard beginnings.allSatisfy({ $0 >= 0 }) else {
            throw BenchmarkRefusal.wrongAnswer("it rang \(-(beginnings.min() ?? 0)) ms before it was due")
        }
    }

    private func ring(at second: Int) throws {
        // A clock that is being slewed shows the second a little later or earlier than it would have.
        sleep(untilNanoseconds: bootNanoseconds(atSecondsSince1970: second) - 1_000_000)
        let due = bootNanoseconds(atSecondsSince1970: second)
        let heard = try card.wait(for: "the first frame") { card.firstHeardNanoseconds }
        beginnings.append(milliseconds(from: due, to: heard))
        usleep(UInt32.random(in: 50_000...300_000))
        let asked = bootNanoseconds()
        client.say(Array("{\"do\":\"stop\"}\n".utf8))
        let answer = try client.hear()
        let answered = bootNanoseconds()
        guard answer["state"] == .string("stopped") else {
            throw BenchmarkRefusal.wrongAnswer("a stop did not stop: \(answer)")
        }
        // On a machine that is late with all it does, the next may ring by now, and nothing is silent.
        guard answered < due + 950_000_000 else { return remark("ring \(second - first) ran into the next") }
        let stopped = try card.wait(for: "silence") {
            card.firstHeardNanoseconds == nil ? card.stoppedNanoseconds : nil
        }
        // Silence that nobody has asked for yet is none to be counted.
        guard stopped >= asked else { return remark("ring \(second - first) ran dry before it was to stop") }
        silences.append(milliseconds(from: asked, to: stopped))
    }

    private func milliseconds(from begin: Int, to end: Int) -> Double { Double(end - begin) / 1_000_000 }
}
