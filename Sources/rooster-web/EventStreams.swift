// The streams of events: each follows the service for one client.

import API
import EventLoop
import HTTP
import WebAPI
import WebServer

/// The open streams. A client is known by its token.
actor EventStreams {
    private struct Stream {
        let client: String
        let route: Route
        /// The refusal that the service will send after the status. No event would follow it.
        let mistake: HTTPResponse?
        let answer: @Sendable (Answer) -> Void
        /// Nil until the service has accepted the client.
        var writer: StreamWriter?
        /// The last record that the client has, until the first record has come.
        var since: Int?
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let link: ServiceLink
    /// The streams by the number of their followers, which grows.
    private var streams: [Int: Stream] = [:]

    /// The limit on the streams of a client. A new one ends the oldest.
    private static let countMax = 4
    private static let retryMilliseconds = 1000

    init(_ link: ServiceLink) { (self.link, loop) = (link, link.loop) }

    /// Begins a stream. The service answers with the status, or refuses; the events follow.
    func begin(_ line: RequestLine, token: String?, _ answer: @escaping @Sendable (Answer) -> Void) {
        let request = RequestLine.status.line(token: token) + line.line(token: token)
        // Swift 6.0 does not compile this closure within the next one.
        let receive: @Sendable (Int, ArraySlice<UInt8>?) -> Void = { [weak self] follower, event in
            self?.assumeIsolated { $0.receive(event, of: follower) }
        }
        guard let follower = link.assumeIsolated({ $0.follow(request, receive) }) else {
            return answer(Answer(WebProblem.noService.response))
        }
        streams[follower] = Stream(
            client: token ?? "", route: line.route, mistake: line.mistake, answer: answer, since: line.since)
    }

    private func receive(_ line: ArraySlice<UInt8>?, of follower: Int) {
        guard let stream = streams[follower] else { return }
        guard let writer = stream.writer else { return open(stream, follower, line) }
        // roosterd has ended. The browser connects again.
        guard let line else { return writer.end() }
        guard let event = ServerSentEvent(following: line) else { return }
        if let since = stream.since, let sequence = event.id.flatMap({ Int($0) }) {
            streams[follower]?.since = nil
            // A restored journal may be older than the client.
            if sequence != since + 1 { writer.send(ServerSentEvent("resync", data: "{}")) }
        }
        writer.send(event, isReplaceable: event.isReplaceable)
    }

    /// Answers with the stream and its first event, or with the refusal of the service.
    private func open(_ stream: Stream, _ follower: Int, _ line: ArraySlice<UInt8>?) {
        guard let line else { return refuse(stream, follower, WebProblem.noService.response) }
        let retry = EventStreams.retryMilliseconds
        guard let status = ServerSentEvent(status: line, retryMilliseconds: retry) else {
            return refuse(stream, follower, ResponseLine.problem(line, to: stream.route))
        }
        if let mistake = stream.mistake { return refuse(stream, follower, mistake) }
        stream.answer(
            Answer(.events, isKnown: true) { [weak self] writer in
                writer.send(status)
                self?.assumeIsolated { $0.add(writer, follower) }
            })
    }

    private func refuse(_ stream: Stream, _ follower: Int, _ response: HTTPResponse) {
        end(follower)
        stream.answer(Answer(response))
    }

    private func add(_ writer: StreamWriter, _ follower: Int) {
        guard let client = streams[follower]?.client else { return writer.end() }
        streams[follower]?.writer = writer
        writer.whenOver { [weak self] in self?.assumeIsolated { $0.end(follower) } }
        let all = streams.filter { $0.value.client == client && $0.value.writer != nil }.keys.sorted()
        for oldest in all.dropLast(EventStreams.countMax) {
            streams[oldest]?.writer?.send(ServerSentEvent("bye", data: "{}"))
            streams[oldest]?.writer?.end()
        }
    }

    private func end(_ follower: Int) {
        link.assumeIsolated { $0.stop(follower) }
        streams[follower] = nil
    }
}
