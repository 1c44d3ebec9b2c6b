// `bench http`: requests over HTTP beside the bare socket and beside a Flask service, and what the web server costs.

import Fixtures
import Glibc
import JSON

enum HTTPBenchmark {
    static let benchmark = Benchmark(
        name: "http", summary: "requests over HTTP, beside the bare socket and Flask with SQLite"
    ) {
        let home = try ServiceHome(try QuietAlarms.file(count: 10), .null)
        let service = try ServiceProcess(in: home)
        let client = try service.client()
        let token = try client.done(#"{"do":"addToken","name":"bench","may":"change"}"#)["token"]
        guard case .string(let secret)? = token else { throw BenchmarkRefusal.wrongAnswer("there is no token") }
        try client.done(#"{"do":"add","alarm":{"id":"a","time":"12:00","enabled":false}}"#)
        let web = try WebProcess(home, port: 18_091)
        let peer = try Flask(home.folder.path, port: 18_092)
        let requests = Requests(token: secret)
        let results =
            try requests.status(home.socket, web.port, peer.port)
            + requests.changes(home.socket, web.port, peer.port)
        return try results + cost(home, requests)
    }

    /// Measures the memory and the wake-ups of web servers with and without streams.
    private static func cost(_ home: ServiceHome, _ requests: Requests) throws -> [BenchmarkResult] {
        let (idle, one, four) = (
            try WebProcess(home, port: 18_093), try WebProcess(home, port: 18_094), try WebProcess(home, port: 18_095)
        )
        var streams: [Int32] = []
        defer { for stream in streams { close(stream) } }
        for (web, count) in [(one, 1), (four, 4)] {
            for _ in 0..<count {
                let stream = try MeasuredServer(address: .port(web.port), form: .http).connect()
                let bytes = Array(requests.stream.utf8)
                send(stream, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                streams.append(stream)
            }
        }
        // A request, so that everything that one needs is in memory.
        _ = try Exchanges(MeasuredServer(address: .port(four.port), form: .http), connections: 1)
            .run(50) { _ in requests.get }
        sleep(settlingSeconds)
        let before = try [idle, one].map { try ProcessFigures.wakeUps(of: $0.id) }
        sleep(60)
        let after = try [idle, one].map { try ProcessFigures.wakeUps(of: $0.id) }
        return [
            BenchmarkResult(
                "http/wake-ups-without-a-stream", [Double(after[0] - before[0])], unit: "a minute", bar: 0),
            BenchmarkResult("http/wake-ups-with-a-stream", [Double(after[1] - before[1])], unit: "a minute", bar: 5),
            BenchmarkResult(
                "http/own-memory-with-4-streams", [try ProcessFigures.ownMegabytes(of: four.id)], unit: "MB", bar: 3),
            BenchmarkResult(
                "http/resident-with-4-streams", [try ProcessFigures.residentMegabytes(of: four.id)], unit: "MB"),
        ]
    }

    /// Idle connections to roosterd are closed by then.
    private static let settlingSeconds: UInt32 = 15
}

/// A rooster-web for a service.
private struct WebProcess {
    let port: UInt16
    private let process: ChildProcess

    init(_ home: ServiceHome, port: UInt16) throws {
        self.port = port
        process = try ChildProcess(
            [
                try ChildProcess.built("rooster-web"), "--socket", "\(home.folder.path)/web.sock", "--listen",
                "127.0.0.1:\(port)", "--page", "Sources/rooster-web/page",
            ], environment: [:], errors: "\(home.folder.path)/web.log")
    }

    var id: pid_t { process.id }
}

private struct Flask {
    let port: UInt16
    private let process: ChildProcess

    init(_ folder: String, port: UInt16) throws {
        self.port = port
        let path = "\(folder)/peer.py"
        guard let file = fopen(path, "we") else { throw BenchmarkRefusal.wrongAnswer("cannot write \(path)") }
        fputs(FlaskPeer.script, file)
        fclose(file)
        process = try ChildProcess(
            [FlaskPeer.program, path, "\(folder)/peer.sqlite", "\(port)"], environment: [:],
            errors: "\(folder)/peer.log")
    }
}

private struct Requests {
    let token: String

    private static let connections = 4
    private static let rounds = 8
    private static let queriesInARound = 500
    private static let changesInARound = 25

    private func http(_ line: String, token: String, _ body: String? = nil) -> String {
        let head = "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
        guard let body else { return head + "\r\n" }
        return head
            + "Content-Type: application/json\r\nIf-Match: *\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    var get: String { http("GET /api/1/status", token: token) }

    var stream: String { http("GET /api/1/events?topics=status,records,prompts,level", token: token) }

    /// Measures queries on several connections: the time of each, and the time between two responses.
    func status(_ socket: String, _ web: UInt16, _ flask: UInt16) throws -> [BenchmarkResult] {
        let (get, peerGet) = (get, http("GET /api/1/status", token: "secret"))
        let all: [(MeasuredServer, (Int) -> String)] = [
            (MeasuredServer(address: .port(web), form: .http), { _ in get }),
            (MeasuredServer(address: .path(socket), form: .lines), { _ in "{\"do\":\"status\"}\n" }),
            (MeasuredServer(address: .port(flask), form: .http), { _ in peerGet }),
        ]
        let exchanges = try all.map { try Exchanges($0.0, connections: Requests.connections) }
        var latencies = [[Double]](repeating: [], count: all.count)
        var spacings = latencies
        for round in -1..<Requests.rounds {
            for (index, exchange) in exchanges.enumerated() {
                let start = bootNanoseconds()
                let samples = try exchange.run(Requests.queriesInARound, all[index].1)
                guard round >= 0 else { continue }
                latencies[index] += samples
                let spacing = milliseconds(from: start, to: bootNanoseconds()) / Double(Requests.queriesInARound)
                spacings[index].append(1000 * spacing)
            }
        }
        var latency = BenchmarkResult("http/status", latencies[0], bar: Bar(p99: 2))
        // 5,000 requests a second.
        var spacing = BenchmarkResult("http/status-spacing", spacings[0], unit: "µs", bar: 200)
        for (index, name) in [(1, "socket"), (2, "flask")] {
            latency.peers.append(
                .init(measurement: Measurement(name: name, unit: "ms", samples: latencies[index])))
            spacing.peers.append(
                .init(
                    measurement: Measurement(name: name, unit: "µs", samples: spacings[index]),
                    bar: index == 2 ? 1 : nil))
        }
        return [latency, spacing]
    }

    /// Measures changes that are durable before the response, one after the other.
    func changes(_ socket: String, _ web: UInt16, _ flask: UInt16) throws -> [BenchmarkResult] {
        func edit(_ token: String, _ number: Int) -> String {
            http("PATCH /api/1/alarms/a", token: token, "{\"label\":\"\(number)\"}")
        }
        let all: [(MeasuredServer, (Int) -> String)] = [
            (MeasuredServer(address: .port(web), form: .http), { edit(token, 1000 + $0) }),
            (
                MeasuredServer(address: .path(socket), form: .lines),
                { "{\"do\":\"edit\",\"alarm\":\"a\",\"changes\":{\"label\":\"\($0)\"}}\n" }
            ),
            (MeasuredServer(address: .port(flask), form: .http), { edit("secret", $0) }),
        ]
        let exchanges = try all.map { try Exchanges($0.0, connections: 1) }
        var latencies = [[Double]](repeating: [], count: all.count)
        for round in -1..<Requests.rounds {
            for (index, exchange) in exchanges.enumerated() {
                let samples = try exchange.run(Requests.changesInARound, all[index].1)
                if round >= 0 { latencies[index] += samples }
            }
        }
        var result = BenchmarkResult("http/durable-change", latencies[0])
        // At most 1.3 times the time of the bare socket.
        result.peers = [
            .init(measurement: Measurement(name: "socket", unit: "ms", samples: latencies[1]), bar: 1 / 1.3),
            .init(measurement: Measurement(name: "flask", unit: "ms", samples: latencies[2]), bar: 1),
        ]
        return [result]
    }
}
