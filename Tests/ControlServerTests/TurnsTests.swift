// The tests of fairness: every client gets its turn, however many requests the others send.

import CivilTime
import Engine
import Fixtures
import Oracles
import Service
import Synchronization
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct TurnsTests {
    /// Connects clients with a hundred queued requests each, before the socket is open.
    private func busyClients(_ count: Int, of fixture: SocketFixture) throws -> [Client] {
        try (0..<count).map { _ in
            let client = try Client(of: fixture.path)
            client.say(Array(String(repeating: "{\"do\":\"snooze\"}\n", count: 100).utf8))
            return client
        }
    }

    /// A client may disconnect before its turn. Its request must still take effect.
    @Test func request_whoseClientDisconnectsBeforeItsTurn_isDone() async throws {
        try await withSocket(isOpen: false) { fixture in
            let busy = try busyClients(40, of: fixture)
            try Client(of: fixture.path).send(#"{"do":"add","alarm":{"id":"a","time":"07:00"}}"#)
            try await fixture.socket.open()
            for await step in fixture.base.steps {
                if case .command(.add(let alarm), _) = step.input, alarm.id == "a" { break }
            }
            withExtendedLifetime(busy) {}
        }
    }

    /// A person's request must not wait for all requests of busy clients.
    @Test func singleRequest_isAnswered_beforeAllRequestsOfBusyClients() async throws {
        try await withSocket(isOpen: false) { fixture in
            let busy = try busyClients(60, of: fixture)
            let person = try Client(of: fixture.path)
            person.say(Array("{\"do\":\"stop\"}\n".utf8))
            try await fixture.socket.open()
            #expect(try person.hear()["state"] == .string("nothingRings"))
            var before = 0
            for await step in fixture.base.steps {
                guard case .command(let command, _) = step.input else { continue }
                if case .stop = command { break }
                before += 1
            }
            // The first round has one request per busy client. Some more pass until the person is accepted.
            #expect(before < 2 * busy.count, "\(before)")
            withExtendedLifetime(busy) {}
        }
    }

    /// Twice as many clients as the maximum connect at once, each with a request. The server must reply
    /// before it closes a connection, even if the reply waits for the disk.
    @Test(arguments: [#"{"do":"stop"}"#, #"{"do":"add","alarm":{"time":"07:00"}}"#])
    func requestsOfTooManyClients_areAllAnswered(line: String) async throws {
        try await withSocket(isOpen: false) { fixture in
            let crowd = try (0..<2 * ControlSocket.clientsMax).map { _ in
                let client = try Client(of: fixture.path)
                client.send(line)
                return client
            }
            try await fixture.socket.open()
            // The disk may be too slow for this many changes. A refusal also counts as a reply.
            for client in crowd { #expect(try client.hear()["ok"] != nil) }
        }
    }

    /// A long list takes a while to encode. The loop that rings must handle other events in between.
    @Test func longResponses_delayNoOtherClient() async throws {
        try await withSocket(isOpen: false) { fixture in
            for number in 0..<200 { _ = await fixture.base.ask(.save(.daily("\(number)", "07:00")), "\(number)") }
            let curious = try (0..<50).map { _ in
                let client = try Client(of: fixture.path)
                client.send(#"{"do":"alarms"}"#)
                return client
            }
            let person = try Client(of: fixture.path)
            person.send(#"{"do":"stop"}"#)
            let turns = TurnCounter(curious)
            await fixture.base.service.subscribe(turns)
            try await fixture.socket.open()
            // The person came last, but must not wait until half of the others have their lists.
            #expect(try person.hear()["state"] == .string("nothingRings"))
            let answered = turns.answeredCount.load(ordering: .relaxed)
            #expect(answered < curious.count / 2, "\(answered)")
            for client in curious { #expect(try client.hear()["ok"] == .bool(true)) }
        }
    }
}

/// Counts the clients that have a response when the engine handles the stop. The loop sends none meanwhile.
private final class TurnCounter: Subscriber {
    let answeredCount = Atomic(0)
    private let clients: [Client]

    init(_ clients: [Client]) { self.clients = clients }

    func handle(_ event: ServiceEvent, from service: isolated Service) {}

    func observe(_ input: Input, at moment: Moment, effects: [Effect]) {
        guard case .command(.stop, _) = input else { return }
        answeredCount.store(clients.count(where: \.isToldSomething), ordering: .relaxed)
    }
}
