// Planning a whole file anew and asking every alarm for its next ring, as after each edit or step of the clock.

import Alarms
import CivilTime
import JSON

enum Replanning {
    private static let now = Instant(secondsSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z
    private static let sizes = [10, 100, 1000, 10_000, 100_000]

    static func measure() throws -> BenchmarkResult {
        let work = try replan(SampleAlarms.file(count: 10_000), times: 1)
        let rounds = try steady(Rounds.interleaved(200, of: [work]))
        let milliseconds = rounds[0].nanoseconds.map { $0 / 1_000_000 }
        return BenchmarkResult(
            ours: Measurement(name: "plan/replan-10000", unit: "ms", samples: milliseconds), bar: 20)
    }

    /// From a nightstand to a hundred hotels: what an alarm takes should not depend on how many there are.
    static func measureGrowth() throws -> [BenchmarkResult] {
        // Small files are planned several times a round, or the caches would be cold for them alone.
        let times = sizes.map { max(1, 10_000 / $0) }
        let works = try zip(sizes, times).map { try replan(SampleAlarms.file(count: $0), times: $1) }
        let all = try steady(Rounds.interleaved(30, of: works))
        return zip(zip(sizes, times), all).map { work, rounds in
            let alarms = Double(work.0 * work.1)
            return BenchmarkResult(
                ours: Measurement(
                    name: "plan/growth-\(work.0)", unit: "ns/alarm", samples: rounds.nanoseconds.map { $0 / alarms }))
        }
    }

    private static func replan(_ file: AlarmsFile, times: Int) throws -> (_ round: Int) -> Int {
        // The zones have been read: a service that plans anew keeps its catalogue.
        var zones = ZoneCatalogue()
        let zone = try zones.zone(named: "America/New_York")
        return { _ in
            var checksum = 0
            for _ in 0..<times {
                let plan = Plan(file, deviceZone: zone, zones: &zones, from: now)
                for schedule in plan.schedules {
                    checksum &+= schedule.next(after: now)?.occurrence.at.secondsSince1970 ?? 0
                }
            }
            return checksum
        }
    }

    /// The rounds, if each came to the same: the same file has the same next rings.
    private static func steady(_ all: [Rounds]) throws -> [Rounds] {
        guard all.allSatisfy({ Set($0.checksums).count == 1 && $0.checksums[0] != 0 }) else {
            throw BenchmarkRefusal.wrongAnswer("planning the same file again gave other rings, or none")
        }
        return all
    }
}
