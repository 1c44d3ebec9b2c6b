// The tests of the web server with real connections: requests that libmicrohttpd would let through, limits and
// streams.

import EventLoop
import Fixtures
import Glibc
import HTTP
import Synchronization
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(5))) struct TransportTests {
    /// The requests that libmicrohttpd 0.9.75 accepts or mistakes although they are ambiguous, and others;
    /// with the status, and the name of the problem if the gate refuses.
    private static let table: [(request: String, status: Int, name: String?)] = [
        ("GET /a HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n", 200, nil),
        ("GET /a HTTP/1.0\r\nHost: bed.local\r\n\r\n", 200, nil),
        ("GET /a HTTP/1.1\r\n\r\n", 400, nil),
        ("GET /a HTTP/1.1\r\nHost: bed.local\r\nHost: bed.local\r\n\r\n", 400, "repeatedHeader"),
        ("GET http://evil/x HTTP/1.1\r\nHost: bed.local\r\n\r\n", 400, "notOriginForm"),
        (
            "POST /a HTTP/1.1\r\nHost: bed.local\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
            400,
            "lengthAndCoding"
        ),
        (
            "POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}", 400,
            "repeatedHeader"
        ),
        ("POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: -1\r\n\r\n{}", 400, nil),
        ("POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: +3\r\n\r\n{}", 400, nil),
        ("POST /a HTTP/1.1\r\nHost: bed.local\r\nTransfer-Encoding: gzip\r\n\r\n{}", 400, "unknownCoding"),
        ("GET /a%00b HTTP/1.1\r\nHost: bed.local\r\n\r\n", 400, "controlCharacter"),
        ("GET /../etc HTTP/1.1\r\nHost: bed.local\r\n\r\n", 400, "dotSegment"),
        ("GET /a/%2e%2E/etc HTTP/1.1\r\nHost: bed.local\r\n\r\n", 400, "dotSegment"),
        ("GET /a HTTP/1.1\r\nHost: bed.local\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n", 431, nil),
        (
            "GET /a HTTP/1.1\r\nHost: bed.local\r\n"
                + String(repeating: "X: \(String(repeating: "x", count: 5800))\r\n", count: 3) + "\r\n", 431,
            "headersTooLong"
        ),
        ("GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "foreignHost"),
        (
            "POST /a HTTP/1.1\r\nHost: bed.local\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n", 403,
            "foreignOrigin"
        ),
        ("POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 2000000\r\n\r\n", 413, "bodyTooLong"),
        ("OPTIONS * HTTP/1.1\r\nHost: bed.local\r\n\r\n", 405, "unknownMethod"),
        ("GET /a HTTP/1.1\r\nHost: bed.local\r\nX Y: 1\r\n\r\n", 400, nil),
        ("GET /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 2\r\n\r\n{}", 400, "unexpectedBody"),
    ]

    @Test(arguments: table.indices) func ambiguousRequest_isRefused(index: Int) async throws {
        let (request, status, name) = TransportTests.table[index]
        try await withServer { port, _ in
            let client = try RawClient(port)
            client.send(request)
            let response = client.receive()
            #expect(response.hasPrefix("HTTP/1.1 \(status) ") || response.hasPrefix("HTTP/1.0 \(status) "))
            #expect(response.hasSuffix("<closed>"), "a request that is refused closes its connection")
            // libmicrohttpd 1.0 refuses some of these itself, with a page of its own.
            if let name, !response.contains("<html>") {
                #expect(response.contains(#""name":"\#(name)""#))
                #expect(response.contains("\r\nConnection: close\r\n"), "\(response)")
            }
            // Each other request is answered as before.
            let other = try RawClient(port)
            other.send("GET /b HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            #expect(other.receive().contains("GET /b with 0 bytes"))
        }
    }

    /// Some bytes between headers never reach the gate, because libmicrohttpd 0.9.75 reads them as the end of a value or
    /// of a line. Even so, the server refuses the request or takes the next one for what it is.
    @Test(arguments: ["X: a\0b", "X: a\0\r\nY: b", "X: a\r\n b", "X: a\r\n Content-Length: 9", "X: a\nY: b"])
    func hiddenBytes_doNotMoveTheNextRequest(header: String) async throws {
        try await withServer { port, _ in
            let client = try RawClient(port)
            client.send("GET /1 HTTP/1.1\r\nHost: bed.local\r\n\(header)\r\n\r\n")
            client.send("GET /22 HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n")
            let responses = client.receive()
            let statuses = responses.matches(of: /HTTP\/1\.1 (\d+)/).map(\.1)
            #expect(statuses == ["400"] || statuses == ["200", "200"], "\(responses)")
            #expect(statuses.count == 1 || responses.contains("\r\nContent-Length: 22\r\n"))
            #expect(responses.hasSuffix("<closed>"))
        }
    }

    @Test func chunkedBody_isReceivedWhole_andBoundedToo() async throws {
        try await withServer { port, _ in
            let client = try RawClient(port)
            let head = "POST /a HTTP/1.1\r\nHost: bed.local\r\nTransfer-Encoding: chunked\r\n\r\n"
            client.send(head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(client.receive(until: "with 5 bytes").contains("POST /a with 5 bytes"))
            // Two requests in one packet get their responses in their order.
            client.send("GET /1 HTTP/1.1\r\nHost: bed.local\r\n\r\nGET /22 HTTP/1.1\r\nHost: bed.local\r\n\r\n")
            let both = client.receive(until: String(repeating: "x", count: 22))
            #expect(both.contains("Content-Length: 1\r\n") && both.contains("Content-Length: 22\r\n"))
            let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
            client.send(head + String(repeating: chunk, count: 17) + "0\r\n\r\n")
            #expect(client.receive().contains("bodyTooLong"))
        }
    }

    /// The body of a stranger is dropped, and a paired client sends as much as its request may have.
    @Test(arguments: [10, 3_000_000]) func longBody_isReceived_afterItsAdmission(count: Int) async throws {
        try await withServer { port, _ in
            for (credential, response) in [
                ("", "HTTP/1.1 401 "), ("Authorization: Bearer abc\r\n", "with \(count) bytes"),
            ] {
                let client = try RawClient(port)
                client.send("POST /long HTTP/1.1\r\nHost: bed.local\r\nContent-Length: \(count)\r\n\(credential)\r\n")
                client.send(String(repeating: "x", count: count))
                #expect(client.receive(until: response).contains(response))
            }
        }
    }

    /// A long response is sent piece by piece.
    @Test func longResponse_arrivesWhole() async throws {
        try await withServer { port, _ in
            let client = try RawClient(port)
            client.send("GET /3000000 HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n")
            let response = client.receive()
            #expect(response.count { $0 == "x" } >= 3_000_000)
        }
    }

    /// Strangers who hold all connections keep nobody out.
    @Test func idleConnections_giveWay_butNotThoseOfAKnownClient() async throws {
        try await withServer { port, _ in
            let known = try RawClient(port)
            known.send("GET /known HTTP/1.1\r\nHost: bed.local\r\n\r\n")
            _ = known.receive(until: "bytes")
            let strangers = try (0..<200).map { _ in try RawClient(port) }
            for stranger in strangers { stranger.send("GET /a HTTP/1.1\r\nHost: bed") }
            let other = try RawClient(port)
            other.send("GET /b HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n")
            #expect(other.receive().contains("GET /b with 0 bytes"))
            known.send("GET /c HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n")
            #expect(known.receive().contains("GET /c with 0 bytes"))
            withExtendedLifetime(strangers) {}
        }
    }

    /// The server ends at night only if it learns that its last connection has closed.
    @Test func serverIsOccupied_untilItsLastConnectionHasClosed() async throws {
        let reports = Mutex([Bool]())
        @Sendable func wait(for wanted: [Bool]) async throws {
            while reports.withLock({ $0 }) != wanted { try await Task.sleep(for: .milliseconds(5)) }
        }
        try await withServer(occupied: { isOccupied in reports.withLock { $0.append(isOccupied) } }) { port, _ in
            for round in 1...3 {
                let all = Array(repeating: [true, false], count: round).flatMap { $0 }
                do {
                    let clients = try (0..<3).map { _ in try RawClient(port) }
                    for client in clients {
                        client.send("GET /a HTTP/1.1\r\nHost: bed.local\r\n\r\n")
                        _ = client.receive(until: "bytes")
                    }
                    try await wait(for: all.dropLast())
                }
                try await wait(for: all)
            }
        }
    }

    /// A byte now and then is no progress, also in a later request of a connection.
    @Test(.enabled(if: getenv("ROOSTER_FULL") != nil), arguments: [false, true])
    func slowHead_isCutAtItsDeadline(isLater: Bool) async throws {
        try await withServer { port, _ in
            let client = try RawClient(port)
            if isLater {
                client.send("GET /1 HTTP/1.1\r\nHost: bed.local\r\n\r\n")
                _ = client.receive(until: "\r\n\r\nx")
            }
            client.send("GET /a HTTP/1.1\r\nX: ")
            let start = EventLoop.uptimeMilliseconds
            var watched = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&watched, 1, 500) == 0, EventLoop.uptimeMilliseconds - start < 20_000 { client.send("x") }
            #expect((9500...14_000).contains(EventLoop.uptimeMilliseconds - start))
        }
    }
}

/// A handler that keeps its answers, and the writers of its streams.
private final class Kept: WebHandler {
    struct State {
        var answers: [@Sendable (Answer) -> Void] = []
        var writers: [StreamWriter] = []
        var endCount = 0
    }

    let state = Mutex(State())

    func bodyLimit(_ request: HTTPRequest) -> BodyLimit { .ordinary }

    func admit(_ request: HTTPRequest, _ decide: @escaping @Sendable (HTTPResponse?) -> Void) { decide(nil) }

    func handle(_ request: HTTPRequest, _ body: [UInt8], _ answer: @escaping @Sendable (Answer) -> Void) {
        guard request.path == ["events"] else { return state.withLock { $0.answers.append(answer) } }
        answer(
            Answer(.events) { [self] writer in
                writer.send(ServerSentEvent("hello", data: "1"))
                writer.whenOver { [self] in state.withLock { $0.endCount += 1 } }
                state.withLock { $0.writers.append(writer) }
            })
    }

    /// Waits until a condition is met.
    func wait(_ condition: (State) -> Bool) async throws {
        while !state.withLock({ condition($0) }) { try await Task.sleep(for: .milliseconds(5)) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    private static let head = "GET /events HTTP/1.1\r\nHost: bed.local\r\n\r\n"

    @Test func stream_sendsEvents_untilEitherSideEndsIt() async throws {
        let kept = Kept()
        try await withServer(kept) { port, loop in
            let (reader, leaver) = (try RawClient(port), try RawClient(port))
            for client in [reader, leaver] {
                client.send(StreamTests.head)
                #expect(client.receive(until: "data: 1\n\n").contains("event: hello"))
            }
            let writers = kept.state.withLock { $0.writers }
            await Task(executorPreference: loop) { writers[0].send(ServerSentEvent("later", data: "a\nb")) }.value
            #expect(reader.receive(until: "data: b\n\n").contains("event: later\ndata: a\ndata: b\n\n"))
            // A client that has gone is noticed at a write, at the latest.
            shutdown(leaver.descriptor, Int32(SHUT_RDWR))
            let sending = Task(executorPreference: loop) {
                while !Task.isCancelled {
                    writers[1].send(ServerSentEvent(data: "x"))
                    await loop.wait(milliseconds: 5)
                }
            }
            try await kept.wait { $0.endCount == 1 }
            sending.cancel()
            await Task(executorPreference: loop) { writers[0].end() }.value
            #expect(reader.receive(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
            try await kept.wait { $0.endCount == 2 }
        }
    }

    /// Nothing queues without bound for a client that does not read.
    @Test func clientThatDoesNotRead_losesReplaceableEvents_andThenTheStream() async throws {
        let kept = Kept()
        try await withServer(kept) { port, loop in
            let client = try RawClient(port)
            client.send(StreamTests.head)
            try await kept.wait { $0.writers.count == 1 }
            let writer = kept.state.withLock { $0.writers[0] }
            let text = String(repeating: "x", count: 10_000)
            // Far more than the buffers of both sockets and the queue.
            await Task(executorPreference: loop) {
                for _ in 0..<2000 { writer.send(ServerSentEvent("level", data: text), isReplaceable: true) }
            }.value
            #expect(kept.state.withLock { $0.endCount } == 0)
            let sent = await Task(executorPreference: loop) {
                for number in 0..<2000 {
                    if kept.state.withLock({ $0.endCount }) == 1 { return number }
                    writer.send(ServerSentEvent("record", data: text))
                    await loop.wait(milliseconds: 1)
                }
                return 2000
            }.value
            #expect(sent < 2000)
        }
    }

    /// A request that waits for its answer keeps its connection, however many strangers connect.
    @Test func requestThatWaits_isAnswered_amongStrangers() async throws {
        let kept = Kept()
        try await withServer(kept) { port, loop in
            let client = try RawClient(port)
            client.send("POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            try await kept.wait { $0.answers.count == 1 }
            let strangers = try (0..<200).map { _ in try RawClient(port) }
            for stranger in strangers {
                stranger.send("POST /b HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 9\r\n\r\n{")
            }
            // The newest stranger is closed for no one, so it is answered only after all others were accepted.
            strangers[199].send("12345678")
            try await kept.wait { $0.answers.count == 2 }
            let answers = kept.state.withLock { $0.answers }
            await Task(executorPreference: loop) {
                for answer in answers { answer(Answer(HTTPResponse(.ok, .bytes(Array("late".utf8))))) }
            }.value
            #expect(client.receive().contains("late"))
            withExtendedLifetime(strangers) {}
        }
    }

    /// The limits of waits within a request. A stream has none, and gets a comment every 15 s.
    @Test(.enabled(if: getenv("ROOSTER_FULL") != nil))
    func waits_endAtTheirDeadlines_andStreamsDoNot() async throws {
        try await withServer { port, _ in
            let (sender, reader, steady) = (try RawClient(port), try RawClient(port), try RawClient(port))
            sender.send("POST /a HTTP/1.1\r\nHost: bed.local\r\nContent-Length: 9\r\n\r\n{")
            for client in [reader, steady] { client.send("GET /60000000 HTTP/1.1\r\nHost: bed.local\r\n\r\n") }
            var (taken, piece) = (0, [UInt8](repeating: 0, count: 1 << 20))
            let start = EventLoop.uptimeMilliseconds
            var watched = pollfd(fd: sender.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&watched, 1, 1000) == 0, EventLoop.uptimeMilliseconds - start < 60_000 {
                taken += recv(steady.descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
            }
            #expect((29_000...40_000).contains(EventLoop.uptimeMilliseconds - start))
            // The rest of a response that nobody has read for 20 s is lost.
            #expect(reader.receive().hasSuffix("<closed>"))
            // A client that reads slowly gets all of it.
            while taken < 60_000_000, case let count = recv(steady.descriptor, &piece, piece.count, 0), count > 0 {
                taken += count
            }
            #expect(taken > 60_000_000)
        }
        let kept = Kept()
        try await withServer(kept) { port, _ in
            let stream = try RawClient(port)
            stream.send(StreamTests.head)
            for _ in 0..<2 { #expect(stream.receive(until: ": \n\n").contains(": \n\n")) }
        }
    }

    /// An answer that comes after the client has gone is dropped, and the server goes on.
    @Test func answerAfterTheConnectionHasEnded_isDropped() async throws {
        let kept = Kept()
        try await withServer(kept) { port, loop in
            do {
                let client = try RawClient(port)
                client.send("GET /a HTTP/1.1\r\nHost: bed.local\r\n\r\n")
                try await kept.wait { $0.answers.count == 1 }
            }
            let client = try RawClient(port)
            client.send("GET /b HTTP/1.1\r\nHost: bed.local\r\nConnection: close\r\n\r\n")
            try await kept.wait { $0.answers.count == 2 }
            let answers = kept.state.withLock { $0.answers }
            await Task(executorPreference: loop) {
                for answer in answers { answer(Answer(HTTPResponse(.ok, .bytes(Array("late".utf8))))) }
            }.value
            #expect(client.receive().contains("late"))
        }
    }
}
