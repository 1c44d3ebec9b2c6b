// `bench ring`: the whole service, from the second at which an alarm is due, and from the request that ends it.

import Alarms
import Fixtures
import Glibc
import JSON

enum RingBenchmark {
    static let benchmark = Benchmark(
        name: "ring", summary: "from an alarm's due second to the first frame at the card, and from a stop to silence"
    ) {
        let evening = try Evening()
        try evening.pass()
        return [
            BenchmarkResult("ring/due-to-first-frame", evening.beginnings, bar: Bar(p99: 10, longest: 50)),
            BenchmarkResult("ring/stop-to-silence", evening.silences, bar: Bar(p99: 30)),
        ]
    }
}

/// A service with a thousand alarms that are quiet, and some that ring one a second.
private final class Evening {
    /// Some may not count: on a busy machine one runs into the next.
    private static let ringCount = 520

    private(set) var beginnings: [Double] = []
    private(set) var silences: [Double] = []
    private let service: RingingService
    /// The second of the first ring. The card is opened some time before.
    private let first = time(nil) + 20

    private var seconds: Range<Int> { first..<first + Evening.ringCount }

    init() throws {
        var file = try QuietAlarms.file(count: 1000)
        file.alarms += (first..<first + Evening.ringCount).map { Alarm("ring-\($0)", ringingAt: $0) }
        service = try RingingService(file)
    }

    func pass() throws {
        try RingingService.check(before: first)
        for second in seconds { try ring(at: second) }
        service.process.kill()
        guard beginnings.allSatisfy({ $0 >= 0 }) else {
            throw BenchmarkRefusal.wrongAnswer("it rang \(-(beginnings.min() ?? 0)) ms before it was due")
        }
    }

    private func ring(at second: Int) throws {
        let heard = try service.ring(at: second)
        // A clock that is being slewed shows the second a little later or earlier than it would have.
        let due = bootNanoseconds(atSecondsSince1970: second)
        beginnings.append(milliseconds(from: due, to: heard))
        usleep(UInt32.random(in: 50_000...300_000))
        let asked = bootNanoseconds()
        let answer = try service.client.done(#"{"do":"stop"}"#)
        let answered = bootNanoseconds()
        guard answer["state"] == .string("stopped") else {
            throw BenchmarkRefusal.wrongAnswer("a stop did not stop: \(answer)")
        }
        // On a machine that is late with all it does, the next may ring by now, and nothing is silent.
        guard answered < due + 950_000_000 else { return remark("ring \(second - first) ran into the next") }
        let stopped = try service.silence()
        // Silence that nobody has asked for yet is none to be counted.
        guard stopped >= asked else { return remark("ring \(second - first) ran dry before it was to stop") }
        silences.append(milliseconds(from: asked, to: stopped))
    }
}
