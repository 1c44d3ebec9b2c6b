// `bench ring`: the whole service, from the due second to sound, and from a stop to silence.

import Alarms
import Fixtures
import Glibc
import JSON

enum RingBenchmark {
    static let benchmark = Benchmark(
        name: "ring", summary: "from the due second to the first frame, and stop to silence"
    ) {
        let evening = try Evening()
        try evening.pass()
        return [
            BenchmarkResult("ring/due-to-first-frame", evening.beginnings, bar: Bar(p99: 10, longest: 50)),
            BenchmarkResult("ring/stop-to-silence", evening.silences, bar: Bar(p99: 30)),
        ]
    }
}

/// A service with a thousand quiet alarms, and others that ring once a second.
private final class Evening {
    /// A few rings more than needed: on a busy machine a ring may run into the next, and does not count.
    private static let ringCount = 520

    private(set) var beginnings: [Double] = []
    private(set) var silences: [Double] = []
    private let service: RingingService
    /// The second of the first ring. The service opens the card some seconds before.
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
            throw BenchmarkRefusal.wrongAnswer("a ring began \(-(beginnings.min() ?? 0)) ms before it was due")
        }
    }

    private func ring(at second: Int) throws {
        let heard = try service.ring(at: second)
        // The reading follows the ring: a clock that is being slewed may reach the second early or late.
        let due = bootNanoseconds(atSecondsSince1970: second)
        beginnings.append(milliseconds(from: due, to: heard))
        usleep(UInt32.random(in: 50_000...300_000))
        let asked = bootNanoseconds()
        let answer = try service.client.done(#"{"do":"stop"}"#)
        let answered = bootNanoseconds()
        guard answer["state"] == .string("stopped") else {
            throw BenchmarkRefusal.wrongAnswer("a stop did not stop: \(answer)")
        }
        // On a slow machine the next alarm may already ring, and the card is never silent.
        guard answered < due + 950_000_000 else { return remark("Ring \(second - first) overlapped the next") }
        let stopped = try service.silence()
        // A silence before the request is not an effect of it.
        guard stopped >= asked else { return remark("Ring \(second - first) ended before the stop") }
        silences.append(milliseconds(from: asked, to: stopped))
    }
}
