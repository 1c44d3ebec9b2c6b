// `bench engine`: the time for an input, and its growth with the number of alarms.

import Alarms
import CivilTime
import Engine
import Glibc

enum EngineBenchmark {
    static let benchmark = Benchmark(
        name: "engine", summary: "an input of the engine, by the number of alarms"
    ) {
        var results: [BenchmarkResult] = []
        for count in [few, 1000, 100_000] {
            var (timer, ring) = try measure(alarms: count)
            // The time for a timer may grow with the logarithm of the number of alarms, and no faster.
            if let least = results.first?.ours.median {
                timer.bar = Bar(median: least * log2(Double(count)) / log2(Double(few)))
            }
            results += [timer, ring]
        }
        return results
    }

    private static let few = 10

    private static let roundCount = 400

    /// Measures a timer with nothing due, and the mean input of a ring until it is stopped.
    private static func measure(alarms count: Int) throws -> (timer: BenchmarkResult, ring: BenchmarkResult) {
        var benchmarked = BenchmarkedEngine(alarms: count)
        var idle: [Double] = []
        var rings: [Double] = []
        for round in -20..<roundCount {
            let idleTime = benchmarked.timeOfTimer()
            let ringTime = try benchmarked.timeOfRing()
            guard round >= 0 else { continue }
            idle.append(idleTime)
            rings.append(ringTime)
        }
        return (
            BenchmarkResult("engine/timer-nothing-due-\(count)", idle, unit: "ns"),
            BenchmarkResult("engine/input-of-a-ring-\(count)", rings, unit: "ns")
        )
    }
}

/// An engine with alarms all day, every third with a tag challenge, and a disk that commits at once.
private struct BenchmarkedEngine {
    private var engine: Engine
    private var moment = Moment(wallMilliseconds: 1_768_170_000_000, uptimeMilliseconds: 60_000)
    private var wake = Wake()
    private var keeping: Int?
    private var isHeard = false
    private var requestCount = 0
    private var inputCount = 0

    private static let tag = EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("00ff"))

    init(alarms count: Int) {
        let since = Instant(secondsSince1970: moment.wallMilliseconds / 1000 - 1)
        let entries = (0..<count).map { index in
            let position = ScheduleState(revision: index + 1, cursor: since)
            var alarm = Alarm(id: "alarm-\(index)")
            let second = index * 7919 % 86_400
            alarm.time = ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
            alarm.recurrence = Recurrence(.daily)
            if index % 3 == 0 { alarm.challenges = [Challenge(.tag(labels: [BenchmarkedEngine.tag.label]))] }
            return Entry(millisecondsSince1970: since.secondsSince1970 * 1000, .alarmSaved(alarm, position))
        }
        var settings = Settings()
        settings.preflight = .off
        let quiet = Entry(millisecondsSince1970: 0, .settingsSaved(settings))
        let tag = Entry(millisecondsSince1970: 0, .codeEnrolled(BenchmarkedEngine.tag))
        engine = Engine(replaying: [quiet, tag] + entries)
        give(.start(Start(isClockTrusted: true, zone: .utc, kinds: [.tag], seed: 1)))
        settle()
    }

    private mutating func give(_ input: Input) {
        inputCount += 1
        for effect in engine.handle(input, at: moment) {
            switch effect {
            case .commit(_, let number): keeping = number
            case .wake(let wake): self.wake = wake
            case .sound(let order): isHeard = order != nil
            default: break
            }
        }
    }

    private mutating func settle() {
        while let number = keeping {
            keeping = nil
            give(.committed(number))
        }
    }

    private mutating func pass(_ milliseconds: Int) {
        moment.wallMilliseconds += milliseconds
        moment.uptimeMilliseconds += milliseconds
    }

    private mutating func time(_ work: (inout BenchmarkedEngine) -> Void) -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        work(&self)
        return start.duration(to: clock.now) / .nanoseconds(1)
    }

    mutating func timeOfTimer() -> Double {
        time { $0.give(.timer) }
    }

    /// Starts at the timer at which the speaker is made ready.
    mutating func timeOfRing() throws -> Double {
        var (rang, time) = (false, 0.0)
        inputCount = 0
        for _ in 0..<BenchmarkedEngine.timersMax where !rang {
            pass(max(0, (wake.next.wallMilliseconds ?? 0) - moment.wallMilliseconds))
            time += self.time { benchmarked in
                benchmarked.give(.timer)
                rang = benchmarked.isHeard
                benchmarked.settle()
                while benchmarked.isHeard {
                    benchmarked.requestCount += 1
                    benchmarked.give(.command(.stop, RequestHeader("\(benchmarked.requestCount)", by: .page)))
                    benchmarked.settle()
                    if benchmarked.isHeard { benchmarked.give(.tag([BenchmarkedEngine.tag.digest])) }
                    benchmarked.settle()
                }
            }
        }
        guard rang else { throw BenchmarkRefusal.wrongAnswer("no alarm rang") }
        return time / Double(inputCount)
    }

    /// The limit on timers before a ring. A ring normally needs fewer.
    private static let timersMax = 10
}
