// Everybody has a turn at the socket, however many there are and however much they ask for.

import CivilTime
import Engine
import Fixtures
import Oracles
import Service
import Synchronization
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct TurnsTests {
    /// So many who have asked for a hundred things each before anybody is let in.
    private func busyClients(_ count: Int, of fixture: SocketFixture) throws -> [Client] {
        try (0..<count).map { _ in
            let client = try Client(of: fixture.path)
            client.say(Array(String(repeating: "{\"do\":\"snooze\"}\n", count: 100).utf8))
            return client
        }
    }

    /// Whoever has said what he wants may go: it is done when it is his turn.
    @Test func wish_ofWhoeverIsGoneBeforeHisTurn_isDone() async throws {
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

    /// How much others have asked for is no reason why a person waits.
    @Test func request_isAnswered_beforeAllThatBusyClientsHaveAskedFor() async throws {
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
            // One each while it is their turn, and some while it is let in.
            #expect(before < 2 * busy.count, "\(before)")
            withExtendedLifetime(busy) {}
        }
    }

    /// Twice as many as there is room for come at once, each with a line: nobody is sent away before it is answered, be that at
    /// once or when the disk has taken it.
    @Test(arguments: [#"{"do":"stop"}"#, #"{"do":"add","alarm":{"time":"07:00"}}"#])
    func everybodyOfACrowd_whoHasAsked_isAnswered(line: String) async throws {
        try await withSocket(isOpen: false) { fixture in
            let crowd = try (0..<2 * ControlSocket.clientsMax).map { _ in
                let client = try Client(of: fixture.path)
                client.send(line)
                return client
            }
            try await fixture.socket.open()
            // So many changes at once may be too many for the disk: that is an answer, too.
            for client in crowd { #expect(try client.hear()["ok"] != nil) }
        }
    }

    /// A long list of alarms takes a while to be told: the loop on which it rings does something else meanwhile.
    @Test func thoseWhoAskForAlot_keepNobodyWaiting() async throws {
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
            // They have had their turn when somebody who came after them has.
            #expect(try person.hear()["state"] == .string("nothingRings"))
            let answered = turns.answeredCount.load(ordering: .relaxed)
            #expect(answered < curious.count / 2, "\(answered)")
            for client in curious { #expect(try client.hear()["ok"] == .bool(true)) }
        }
    }
}

/// Counts which clients have an answer when the engine is asked to stop: on the loop, which answers nobody meanwhile.
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
