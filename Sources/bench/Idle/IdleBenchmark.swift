// `bench idle`: what a service costs while nothing happens, beside others that wait all day on such machines.

import Glibc
import JSON

enum IdleBenchmark {
    static let benchmark = Benchmark(
        name: "idle", summary: "a minute in which nothing is due, with 10 and 1,000 alarms; and memory, in megabytes"
    ) {
        let houses = [
            try IdleSetup("10", alarms: 10), try IdleSetup("1000", alarms: 1000),
            try IdleSetup("1000-after-a-ring", alarms: 1000, hasRung: true),
            // As systemd runs it: nothing else may wake it.
            try IdleSetup("1000-under-a-watchdog", alarms: 1000, isWatched: true),
            // As somebody's page does all night: it follows all that there is.
            try IdleSetup("1000-with-a-follower", alarms: 1000, isFollowed: true),
        ]
        let peers = try [IdlePeer.mosquitto, IdlePeer.mpd].compactMap { try $0() }
        // What belongs to the start is over by then.
        sleep(Minute.settlingSeconds)
        let all = houses.map { ($0.name, $0.service.process.id) } + peers.map { ($0.name, $0.process.id) }
        let minutes = try withExtendedLifetime(peers) { try Minute.ofAll(all) }
        for house in houses { try house.sayWhatIsOdd() }
        return results(of: Array(zip(houses, minutes)), beside: Array(minutes.dropFirst(houses.count)))
    }

    private static func results(
        of ours: [(house: IdleSetup, minute: Minute)], beside peers: [Minute]
    ) -> [BenchmarkResult] {
        func results(
            _ what: String, _ unit: String, bar: Bar? = nil, watched watchedBar: Bar? = nil,
            _ figure: (Minute) -> Double
        ) -> [BenchmarkResult] {
            ours.map { house, minute in
                BenchmarkResult(
                    ours: Measurement(name: "idle/\(what)-\(minute.name)", unit: unit, samples: [figure(minute)]),
                    bar: house.isWatched ? watchedBar : bar,
                    // Once is enough.
                    peers: house.name != ours[0].house.name
                        ? []
                        : peers.map {
                            .init(measurement: Measurement(name: $0.name, unit: unit, samples: [figure($0)]))
                        })
            }
        }
        return results("wake-ups", "a minute", bar: 0, watched: 12) { Double($0.voluntary) }
            + results("context-switches", "a minute", bar: 0) { Double($0.all) }
            + results("resident", "MB", bar: 20, watched: 20) { Double($0.memory.resident) / 1_000_000 }
            + results("proportional", "MB") { Double($0.memory.proportional) / 1_000_000 }
            + results("unshared", "MB") { Double($0.memory.unshared) / 1_000_000 }
            + results("threads", "") { Double($0.threads) }
    }
}

/// What a process did in a minute, and what it had at its end.
private struct Minute {
    let name: String
    let voluntary: Int
    let all: Int
    let threads: Int
    let memory: Memory

    static let settlingSeconds: UInt32 = 15

    /// Of several processes: the same minute.
    static func ofAll(_ processes: [(name: String, id: pid_t)]) throws -> [Minute] {
        let before = try processes.map { try Switches(of: $0.id) }
        sleep(60)
        let after = try processes.map { try Switches(of: $0.id) }
        return try zip(processes, zip(before, after)).map { process, switches in
            let (before, after) = switches
            return Minute(
                name: process.name, voluntary: after.voluntary - before.voluntary, all: after.all - before.all,
                threads: after.threads, memory: try Memory(of: process.id))
        }
    }
}

/// A service to which nothing happens.
private struct IdleSetup {
    let name: String
    let isWatched: Bool
    let service: ServiceProcess
    /// Somebody who follows all that there is.
    private let follower: ServiceClient?

    /// On the machine's own devices; or on one that it has played on already, so that it has all in memory that it needs to
    /// ring. One that is watched says every 15 seconds that it is alive.
    init(
        _ name: String, alarms count: Int, hasRung: Bool = false, isWatched: Bool = false, isFollowed: Bool = false
    ) throws {
        (self.name, self.isWatched) = (name, isWatched)
        let home = try ServiceHome(
            try QuietAlarms.file(count: count), hasRung ? .null : .machines, isWatched: isWatched)
        service = try ServiceProcess(in: home)
        follower = isFollowed ? try service.client() : nil
        if let follower { try follower.ask(#"{"do":"follow","what":["status","happened","told","level"]}"#) }
        guard hasRung else { return }
        let client = try service.client()
        try client.ask(#"{"do":"testRing","in":0}"#)
        for _ in 0..<10 {
            sleep(1)
            guard try client.ask(#"{"do":"status"}"#)["status"]?["speaker"]?["voice"] == .null else {
                try client.ask(#"{"do":"stop"}"#)
                return
            }
        }
        throw BenchmarkRefusal.wrongAnswer("a test ring is not heard")
    }

    func sayWhatIsOdd() throws {
        if isWatched, service.countFeedings() < 4 { throw BenchmarkRefusal.wrongAnswer("the watchdog was not fed") }
        let status = try service.client().ask(#"{"do":"status"}"#)["status"]
        guard status?["sessions"] == .array([]) else { throw BenchmarkRefusal.wrongAnswer("something rang") }
        if status?["trusted"] != .bool(true) {
            remark(
                "idle/\(name): nobody has set this machine's clock, so Rooster looks now and then whether it is right")
        }
    }
}
