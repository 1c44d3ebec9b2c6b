// A new plan of a whole file with every alarm's next ring, as after each edit or step of the clock.

import Alarms
import CivilTime

enum ReplanTime {
    private static let now = Instant(secondsSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    static func measure() throws -> BenchmarkResult {
        let rounds = Rounds.interleaved(200, of: [try replan(SampleAlarms.file(count: 10_000))])[0]
        // The same file must give the same next rings.
        guard Set(rounds.checksums).count == 1, rounds.checksums[0] != 0 else {
            throw BenchmarkRefusal.wrongAnswer("planning the same file again gave other rings, or no rings")
        }
        return BenchmarkResult("plan/replan-10000", rounds.nanoseconds.map { $0 / 1_000_000 }, bar: 20)
    }

    private static func replan(_ file: AlarmsFile) throws -> (_ round: Int) -> Int {
        // The zones are read in advance, because a service keeps its catalogue.
        var zones = ZoneCatalogue()
        let zone = try zones.zone(named: "America/New_York")
        return { _ in
            Plan(file, deviceZone: zone, zones: &zones, from: now).schedules.reduce(0) { checksum, schedule in
                checksum &+ (schedule.next(after: now)?.occurrence.at.secondsSince1970 ?? 0)
            }
        }
    }
}
