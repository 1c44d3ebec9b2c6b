// `bench http`: requests over HTTP beside the bare socket and beside a Flask service, and what the web server costs.

import Fixtures
import Glibc
import JSON

enum HTTPBenchmark {
    static let benchmark = Benchmark(
        name: "http", summary: "requests over HTTP, beside the bare socket and Flask with SQLite"
    ) {
        let servers = try Servers(.machines, port: 18_091)
        let change = try servers.changes("http/durable-change", worstRatio: nil)
        let slow = try Servers(.slow, port: 18_101).changes("http/durable-change-on-a-slow-disk", worstRatio: 1.3)
        return try servers.status() + [change, slow] + cost(servers.home, servers.requests)
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
    static let token = "secret"
    let port: UInt16
    private let process: ChildProcess

    init(_ folder: String, port: UInt16, _ disk: ServiceHome.Disk) throws {
        self.port = port
        let path = "\(folder)/peer.py"
        guard let file = fopen(path, "we") else { throw BenchmarkRefusal.wrongAnswer("cannot write \(path)") }
        fputs(FlaskPeer.script, file)
        fclose(file)
        process = try ChildProcess(
            [FlaskPeer.program, path, "\(folder)/peer.sqlite", "\(port)"],
            environment: try disk.environment(), errors: "\(folder)/peer.log")
    }
}

/// The servers that do the same work: rooster-web, roosterd's socket, and Flask.
private struct Servers {
    let home: ServiceHome
    let requests: Requests
    private let service: ServiceProcess
    private let web: WebProcess
    private let flask: Flask

    /// Takes two ports from a number on.
    init(_ disk: ServiceHome.Disk, port: UInt16) throws {
        home = try ServiceHome(try QuietAlarms.file(count: 10), .null, disk: disk)
        service = try ServiceProcess(in: home)
        let client = try service.client()
        let token = try client.done(#"{"do":"addToken","name":"bench","may":"change"}"#)["token"]
        guard case .string(let secret)? = token else { throw BenchmarkRefusal.wrongAnswer("there is no token") }
        try client.done(#"{"do":"add","alarm":{"id":"a","time":"12:00","enabled":false}}"#)
        requests = Requests(token: secret)
        web = try WebProcess(home, port: port)
        flask = try Flask(home.folder.path, port: port + 1, disk)
    }

    private typealias Work = (server: MeasuredServer, request: (Int) -> String)

    private func works(
        http: @escaping (Int) -> String, line: @escaping (Int) -> String, flask peer: @escaping (Int) -> String
    ) -> [Work] {
        [
            (MeasuredServer(address: .port(web.port), form: .http), http),
            (MeasuredServer(address: .path(home.socket), form: .lines), line),
            (MeasuredServer(address: .port(flask.port), form: .http), peer),
        ]
    }

    private static let connections = 4
    private static let rounds = 8
    private static let queriesInARound = 500
    private static let changesInARound = 25

    /// Measures queries on several connections: the time of each, and the time between two responses.
    func status() throws -> [BenchmarkResult] {
        let (get, peerGet) = (requests.get, Requests(token: Flask.token).get)
        let works = works(http: { _ in get }, line: { _ in "{\"do\":\"status\"}\n" }, flask: { _ in peerGet })
        let exchanges = try works.map { try Exchanges($0.server, connections: Servers.connections) }
        var latencies = [[Double]](repeating: [], count: works.count)
        var spacings = latencies
        for round in -1..<Servers.rounds {
            for (index, exchange) in exchanges.enumerated() {
                let start = bootNanoseconds()
                let samples = try exchange.run(Servers.queriesInARound, works[index].request)
                guard round >= 0 else { continue }
                latencies[index] += samples
                let spacing = milliseconds(from: start, to: bootNanoseconds()) / Double(Servers.queriesInARound)
                spacings[index].append(1000 * spacing)
            }
        }
        // 5,000 requests a second.
        return [
            result("http/status", latencies, bar: Bar(p99: 2), ofSocket: nil, ofFlask: nil),
            result("http/status-spacing", spacings, unit: "µs", bar: 200, ofSocket: nil, ofFlask: 1),
        ]
    }

    /// Measures changes that are durable before the response, one after the other. They may take `worstRatio` times as
    /// long as those over the socket.
    func changes(_ name: String, worstRatio: Double?) throws -> BenchmarkResult {
        let works = works(
            http: { requests.edit(1000 + $0) },
            line: { "{\"do\":\"edit\",\"alarm\":\"a\",\"changes\":{\"label\":\"\($0)\"}}\n" },
            flask: { Requests(token: Flask.token).edit($0) })
        let exchanges = try works.map { try Exchanges($0.server, connections: 1) }
        var latencies = [[Double]](repeating: [], count: works.count)
        for round in -1..<Servers.rounds {
            for (index, exchange) in exchanges.enumerated() {
                let samples = try exchange.run(Servers.changesInARound, works[index].request)
                if round >= 0 { latencies[index] += samples }
            }
        }
        return result(name, latencies, bar: nil, ofSocket: worstRatio.map { 1 / $0 }, ofFlask: 1)
    }

    /// Returns the samples of the three servers with the bars for the ratios to the peers.
    private func result(
        _ name: String, _ samples: [[Double]], unit: String = "ms", bar: Bar?, ofSocket: Double?, ofFlask: Double?
    ) -> BenchmarkResult {
        var result = BenchmarkResult(name, samples[0], unit: unit, bar: bar)
        result.peers = [
            .init(measurement: Measurement(name: "socket", unit: unit, samples: samples[1]), bar: ofSocket),
            .init(measurement: Measurement(name: "flask", unit: unit, samples: samples[2]), bar: ofFlask),
        ]
        return result
    }
}

/// The requests of a client over HTTP.
private struct Requests {
    let token: String

    private func http(_ line: String, _ body: String? = nil) -> String {
        let head = "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(token)\r\n"
        guard let body else { return head + "\r\n" }
        return head
            + "Content-Type: application/json\r\nIf-Match: *\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    var get: String { http("GET /api/1/status") }

    var stream: String { http("GET /api/1/events?topics=status,records,prompts,level") }

    /// Changes the label of an alarm.
    func edit(_ number: Int) -> String { http("PATCH /api/1/alarms/a", "{\"label\":\"\(number)\"}") }
}
