// The tests with hostile clients: slow, half-open, oversize, malformed and very many, while an alarm rings.

import Fixtures
import Foundation
import JSON
import Oracles
import Synchronization
import Testing

/// A count that several threads use.
private final class SharedCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// Requests of strangers without a token, as fast as wrk can send them on 190 connections.
private struct Flood {
    private let program: Dialogue

    init(_ port: UInt16) throws {
        let target = "http://127.0.0.1:\(port)/api/1/status"
        program = try Dialogue("/usr/bin/wrk", ["-t1", "-c190", "-d60s", "--timeout", "60s", target])
    }

    /// Ends the flood. Returns its counts: of requests that were answered, and of connections that were closed.
    func end() throws -> String {
        program.signal(SIGINT)
        let lines = program.hearAll().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let counts = lines.filter {
            $0.contains("requests in") || $0.hasPrefix("Socket") || $0.hasPrefix("Requests/sec")
        }
        guard program.exitStatus() == 0, counts.contains(where: { $0.hasPrefix("Requests/sec") }) else {
            throw Client.Gone()
        }
        return counts.joined(separator: ", ")
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileClientsTests {
    private static let requests = [
        "GET /api/1/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", "GET /api/1/status HTTP/1.1\r\nHost: ", "",
        "POST /api/1/alarms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n{",
        "POST /api/1/alarms HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999\r\n\r\n",
        "\u{16}\u{3}\u{1}", "GET /api/1/status HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET /api/1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        String(repeating: "GET /api/1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 50),
    ]

    /// Strangers connect as fast as they can. The ring begins in its second, and each request of a paired client
    /// is answered.
    @Test func strangers_delayNoRing_andNoRequestOfAPairedClient() throws {
        let fixture = try WebFixture()
        let client = fixture.client()
        #expect(try client.ask("POST", "/alarms", #"{"id":"w","label":"Work","time":"15:10"}"#).status == 201)
        let port = fixture.port
        let (ends, count) = (SharedCount(), SharedCount())
        Thread.detachNewThread {
            var strangers: [RawClient?] = []
            while ends.value == 0 {
                let request = HostileClientsTests.requests[count.add() % HostileClientsTests.requests.count]
                let stranger = try? RawClient(port)
                stranger?.send(request)
                strangers.append(stranger)
                if strangers.count > 200 { strangers.removeFirst() }
            }
        }
        defer { _ = ends.add() }
        let flood = try Flood(port)
        while count.value < 500 { usleep(1000) }
        try fixture.daemon.setClock("2024-03-09T20:09:58Z")
        var failures: [String] = []
        var isRinging = false
        let begin = ContinuousClock.now
        while !isRinging, ContinuousClock.now - begin < .seconds(20) {
            do {
                let answer = try client.ask("GET", "/status")
                if answer.status != 200 { failures.append("\(answer.status) \(answer.body)") }
                isRinging = answer["status"]?.isRinging == true
            } catch { failures.append("\(error)") }
        }
        for _ in 0..<200 {
            do {
                let answer = try client.ask("GET", "/status")
                if answer.status != 200 { failures.append("\(answer.status) \(answer.body)") }
            } catch { failures.append("\(error)") }
        }
        let milliseconds = (ContinuousClock.now - begin) / .milliseconds(1)
        let others = count.value
        try print("Strangers while it rang: \(flood.end()); and \(others) broken requests in \(Int(milliseconds)) ms")
        #expect(isRinging)
        #expect(failures.isEmpty)
        let stopped = try client.ask("POST", "/session/stop")
        #expect(stopped.status == 200)
        let past = try client.ask("GET", "/history")
        #expect(past["history.0.ended"] == .string("dismissed"))
        guard case .string(let fired)? = past["history.0.fired"] else { throw Client.Gone() }
        #expect(fired.hasPrefix("2024-03-09T20:10:00"), "\(fired)")
    }
}
