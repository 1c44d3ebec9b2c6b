// `bench idle`: wake-ups and memory of a service while nothing happens.

import Fixtures
import Glibc
import JSON

enum IdleBenchmark {
    static let benchmark = Benchmark(
        name: "idle", summary: "wake-ups in a quiet minute, and memory"
    ) {
        let setups = [
            try IdleSetup("10", alarms: 10), try IdleSetup("1000", alarms: 1000),
            try IdleSetup("1000-after-a-ring", alarms: 1000, hasRung: true),
            // The service runs as under systemd. The watchdog must be the only wake-up.
            try IdleSetup("1000-under-a-watchdog", alarms: 1000, isWatched: true),
            // A follower of every topic, such as a page that is open all night.
            try IdleSetup("1000-with-a-follower", alarms: 1000, isFollowed: true),
        ]
        // After this time the work of the start is over.
        sleep(settlingSeconds)
        let processes = setups.map(\.service.id)
        let before = try processes.map(ProcessFigures.wakeUps)
        sleep(60)
        let after = try processes.map(ProcessFigures.wakeUps)
        let residents = try processes.map(ProcessFigures.residentMegabytes)
        for setup in setups { try setup.sayWhatIsOdd() }
        let wakeUps = zip(setups, zip(before, after)).map { setup, counts in
            BenchmarkResult(
                "idle/wake-ups-\(setup.name)", [Double(counts.1 - counts.0)], unit: "a minute",
                bar: setup.isWatched ? 12 : 0)
        }
        let resident = zip(setups, residents).map { setup, megabytes in
            BenchmarkResult("idle/resident-\(setup.name)", [megabytes], unit: "MB", bar: 20)
        }
        return wakeUps + resident
    }

    private static let settlingSeconds: UInt32 = 15
}

private struct IdleSetup {
    let name: String
    let isWatched: Bool
    let service: ServiceProcess
    private let follower: Client?

    /// Starts a service on the machine's own cards. If `hasRung`, it has the null device and has rung on
    /// it, so that everything that a ring needs is in memory. `isWatched` adds systemd's watchdog.
    init(
        _ name: String, alarms count: Int, hasRung: Bool = false, isWatched: Bool = false, isFollowed: Bool = false
    ) throws {
        (self.name, self.isWatched) = (name, isWatched)
        let home = try ServiceHome(
            try QuietAlarms.file(count: count), hasRung ? .null : .machines, isWatched: isWatched)
        service = try ServiceProcess(in: home)
        follower = isFollowed ? try service.client() : nil
        if let follower { try follower.done(#"{"do":"follow","topics":["status","records","prompts","level"]}"#) }
        guard hasRung else { return }
        let client = try service.client()
        try client.done(#"{"do":"testRing","delaySeconds":0}"#)
        for _ in 0..<10 {
            sleep(1)
            guard try client.done(#"{"do":"status"}"#)["status.speaker.output"] == .null else {
                try client.done(#"{"do":"stop"}"#)
                return
            }
        }
        throw BenchmarkRefusal.wrongAnswer("a test ring was not heard")
    }

    func sayWhatIsOdd() throws {
        if isWatched, service.countFeedings() < 4 {
            throw BenchmarkRefusal.wrongAnswer("the watchdog got too few heartbeats")
        }
        let status = try service.client().done(#"{"do":"status"}"#)["status"]
        guard status?["sessions"] == .array([]) else { throw BenchmarkRefusal.wrongAnswer("an alarm rang") }
        if status?["trusted"] != .bool(true) {
            remark(
                "idle/\(name): this machine's clock is not trusted, so Rooster polls it now and then")
        }
    }
}
