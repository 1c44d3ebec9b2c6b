// `bench start`: the time from a service's start until it is armed, and until its ring continues.

import Alarms
import Fixtures
import Glibc
import JSON

enum StartBenchmark {
    static let benchmark = Benchmark(
        name: "start", summary: "from the start of roosterd to ready, and to a resumed ring"
    ) {
        let (rearmed, heard) = try ringing()
        return [
            BenchmarkResult("start/armed-1000", try quiet(), bar: 200),
            BenchmarkResult("start/ringing-again-armed-1000", rearmed, bar: 200),
            BenchmarkResult("start/ringing-again-heard-1000", heard, bar: Bar(longest: 1000)),
        ]
    }

    private static let startCount = 100
    private static let alarmCount = 1000

    /// Starts a service with a thousand alarms, none of them due, again and again.
    private static func quiet() throws -> [Double] {
        let home = try ServiceHome(try QuietAlarms.file(count: alarmCount), .machines)
        return try (0..<startCount).map { _ in try ServiceProcess(in: home).readyMilliseconds }
    }

    /// Kills and restarts a service again and again while the last of a thousand and one alarms rings.
    private static func ringing() throws -> (armed: [Double], heard: [Double]) {
        var file = try QuietAlarms.file(count: alarmCount)
        let second = time(nil) + 5
        var alarm = Alarm("rings", ringingAt: second)
        alarm.ring.ringSeconds = 43_200
        file.alarms.append(alarm)
        let home = try ServiceHome(file, .measured)
        let card = try home.measuredCard()
        var service = try ServiceProcess(in: home)
        sleep(untilNanoseconds: bootNanoseconds(atSecondsSince1970: second))
        _ = try card.wait(for: "the first ring") { card.firstHeardNanoseconds }
        var (armed, heard) = ([Double](), [Double]())
        for _ in 0..<startCount {
            usleep(UInt32.random(in: 50_000...500_000))
            service.kill()
            card.forgetWhatIsHeard()
            service = try ServiceProcess(in: home)
            armed.append(service.readyMilliseconds)
            let first = try card.wait(for: "the resumed ring") { card.firstHeardNanoseconds }
            heard.append(milliseconds(from: service.startNanoseconds, to: first))
        }
        let status = try service.client().done(#"{"do":"status"}"#)["status"]
        guard status?["sessions.0.alarm"] == .string("rings") else {
            throw BenchmarkRefusal.wrongAnswer("another alarm rings than before the restart")
        }
        return (armed, heard)
    }
}
