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

/// A connection that sends bytes and reads nothing.
private final class Stranger {
    private let descriptor: Int32

    init?(_ port: UInt16, _ text: String) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let number = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return nil }
        let bytes = Array(text.utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    deinit { close(descriptor) }
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
            var strangers: [Stranger?] = []
            while ends.value == 0 {
                let request = HostileClientsTests.requests[count.add() % HostileClientsTests.requests.count]
                strangers.append(Stranger(port, request))
                if strangers.count > 200 { strangers.removeFirst() }
            }
        }
        defer { _ = ends.add() }
        while count.value < 500 { usleep(1000) }
        try fixture.daemon.setClock("2024-03-09T20:09:58Z")
        var failures: [String] = []
        var isRinging = false
        let begin = ContinuousClock.now
        while !isRinging, ContinuousClock.now - begin < .seconds(20) {
            do {
                let answer = try client.ask("GET", "/status")
                if answer.status != 200 { failures.append("\(answer.status) \(answer.json)") }
                isRinging = answer["status"]?.isRinging == true
            } catch { failures.append("\(error)") }
        }
        for _ in 0..<200 {
            do {
                let answer = try client.ask("GET", "/status")
                if answer.status != 200 { failures.append("\(answer.status) \(answer.json)") }
            } catch { failures.append("\(error)") }
        }
        #expect(isRinging)
        #expect(failures.isEmpty)
        let stopped = try client.ask("POST", "/session/stop")
        #expect(stopped.status == 200)
        // The journal tells when the sound began.
        let past = try client.ask("GET", "/history?events=true")
        #expect(past["history.0.ended"] == .string("dismissed"))
    }
}
