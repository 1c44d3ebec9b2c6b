// The next ring of one alarm: our search beside Foundation's and libical's, from the same instants.

import Alarms
import CivilTime

/// One alarm whose next ring every finder computes.
struct PlanCase: Sendable {
    let name: String
    let rule: PlanRule
    /// The peers that also compute it, each with its bar.
    let peers: [PlanPeer]

    /// The alarm's rule, in the forms that the finders need.
    struct PlanRule: Sendable {
        var time: ClockTime
        var recurrence: String
        /// The days of `recurrence` if weekdays can express it, otherwise none.
        var weekdays: WeekdaySet
        let zoneName = "America/New_York"
    }

    /// A peer, and the least ratio of its time to ours.
    struct PlanPeer: Sendable {
        let make: @Sendable (PlanRule) throws -> any RingFinder
        let bar: Double

        static let calendarSearch = PlanPeer(make: { try CalendarSearchFinder($0) }, bar: 100)
        static let iCal = PlanPeer(make: { ICalFinder($0) }, bar: 10)
    }

    static let all = [
        PlanCase(
            name: "plan/next-weekdays-0700",
            rule: PlanRule(
                time: time(7, 0), recurrence: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
                weekdays: .weekdays),
            peers: [.calendarSearch, .iCal]),
        PlanCase(
            name: "plan/next-daily-0230",
            rule: PlanRule(time: time(2, 30), recurrence: "FREQ=DAILY", weekdays: .everyDay),
            peers: [.calendarSearch, .iCal]),
        PlanCase(
            name: "plan/next-last-friday-0700",
            rule: PlanRule(time: time(7, 0), recurrence: "FREQ=MONTHLY;BYDAY=-1FR", weekdays: []), peers: [.iCal]),
    ]

    private static func time(_ hour: Int, _ minute: Int) -> ClockTime {
        ClockTime(hour: hour, minute: minute) ?? .midnight
    }

    private static let rounds = 200
    private static let instantsPerRound = 200

    func measure() throws -> BenchmarkResult {
        var zones = ZoneCatalogue()
        let zone = try zones.zone(named: rule.zoneName)
        let finder = ScheduleFinder(name: name, schedule: try schedule(in: zone))
        let instants = instants(finder, zone)
        let finders = [finder] + (try peers.map { try $0.make(rule) })
        try check(finders, agreeOn: instants)

        let works = finders.map { finder in
            { (round: Int) in
                let first = round * PlanCase.instantsPerRound % (instants.count - PlanCase.instantsPerRound)
                return instants[first..<first + PlanCase.instantsPerRound].reduce(0) { sum, instant in
                    sum &+ (finder.next(after: instant)?.secondsSince1970 ?? 0)
                }
            }
        }
        let rounds = Rounds.interleaved(PlanCase.rounds, of: works)
        guard rounds.allSatisfy({ $0.checksums == rounds[0].checksums }) else {
            throw BenchmarkRefusal.wrongAnswer("\(name): the results differ between runs")
        }
        let measurements = zip(finders, rounds).map { finder, rounds in
            Measurement(
                name: finder.name, unit: "ns",
                samples: rounds.nanoseconds.map { $0 / Double(PlanCase.instantsPerRound) })
        }
        return BenchmarkResult(
            measurements[0],
            peers: zip(peers, measurements.dropFirst()).map { .init(measurement: $1, bar: $0.bar) })
    }

    private func schedule(in zone: Zone) throws -> Schedule {
        var alarm = Alarm(id: name)
        alarm.time = rule.time
        alarm.recurrence = try Recurrence(parsing: rule.recurrence)
        return Schedule(alarm, in: zone, savedAt: PlanCase.years[0])
    }

    private static let years = [2023, 2027].map { year in
        Instant(secondsSince1970: (CivilDate(year: year, month: 1, day: 1) ?? .first).dayNumber * 86_400)
    }

    /// Returns instants from four years, of all weeks and times of day. Their order gives no finder a
    /// chance to continue from its last answer. The finders differ about rings in a gap, so instants
    /// before such a ring are left out.
    private func instants(_ finder: some RingFinder, _ zone: Zone) -> [Instant] {
        let length = PlanCase.years[1].secondsSince1970 - PlanCase.years[0].secondsSince1970
        return (0..<5000).map { PlanCase.years[0].advanced(by: $0 * 7_919_317 % length) }.filter { instant in
            finder.next(after: instant).map { zone.local($0).time == rule.time } ?? true
        }
    }

    private func check(_ finders: [any RingFinder], agreeOn instants: [Instant]) throws {
        for instant in instants {
            let answers = finders.map { $0.next(after: instant) }
            if let odd = answers.firstIndex(where: { $0 != answers[0] }) {
                throw BenchmarkRefusal.wrongAnswer(
                    "\(name) after \(instant): \(answers[0].map { "\($0)" } ?? "never") by Rooster, "
                        + "\(answers[odd].map { "\($0)" } ?? "never") by \(finders[odd].name)")
            }
        }
    }
}

protocol RingFinder {
    var name: String { get }
    /// Returns the first ring strictly after `instant`, or nil if there is none.
    func next(after instant: Instant) -> Instant?
}

struct ScheduleFinder: RingFinder {
    let name: String
    let schedule: Schedule

    func next(after instant: Instant) -> Instant? {
        schedule.next(after: instant)?.occurrence.at
    }
}

enum PlanBenchmark {
    static let benchmark = Benchmark(name: "plan", summary: "the next ring of one alarm, and of 10,000") {
        try PlanCase.all.map { try $0.measure() } + [try ReplanTime.measure()]
    }
}
