// The tests of the connections to the service.

import EventLoop
import Fixtures
import Foundation
import Oracles
import Synchronization
import Testing

@testable import rooster_web

@Suite(.timeLimit(.minutes(5))) struct ServiceLinkTests {
    /// A service that ends each connection as soon as it is there. Some end between `connect` and `send`.
    private final class EndingService: Sendable {
        let path: String
        private let scratch: Scratch
        private let hasEnded = Mutex(false)

        init() throws {
            scratch = try Scratch()
            path = "\(scratch.path)/s"
            let listener = try listeningSocket(at: path, isBlocking: false)
            Thread.detachNewThread { [self] in
                while !hasEnded.withLock({ $0 }) {
                    let client = accept(listener, nil, nil)
                    if client >= 0 { close(client) }
                }
                close(listener)
            }
        }

        func end() { hasEnded.withLock { $0 = true } }
    }

    /// Each follower learns of the end of the service, at whatever moment it ends.
    @Test func follower_learnsOfTheEndOfTheService_atAnyMoment() async throws {
        let service = try EndingService()
        defer { service.end() }
        let loop = try EventLoop()
        try loop.start(named: "web")
        defer { loop.end() }
        let link = ServiceLink(to: service.path, on: loop)
        let ends = Ends()
        var count = 0
        while count < 10_000, ends.counts.withLock({ $0.lostCount }) < 3 {
            await link.follow(with: ends)
            count += 1
        }
        try await waitUntil { ends.counts.withLock { $0.waiting.isEmpty } }
        #expect(ends.counts.withLock { $0.lostCount } > 0, "no connection was lost between connect and send")
    }

    /// A request that changes nothing is sent again if the service has closed the connection of an earlier one. No
    /// other request is: the service may have done it.
    @Test func lostRequest_isSentAgain_ifItChangesNothing() async throws {
        let service = try ForgetfulService()
        let loop = try EventLoop()
        try loop.start(named: "web")
        defer { loop.end() }
        // On a busy machine a connection would be closed between two requests of this test.
        let link = ServiceLink(to: service.path, on: loop, idleMilliseconds: 600_000)
        for (mayRepeat, wanted) in [(true, "ok"), (true, "ok"), (false, nil)] {
            #expect(await link.answer(mayRepeat: mayRepeat) == wanted)
        }
    }
}

/// A service that answers the first request of each connection, and then closes the connection without a word.
private final class ForgetfulService: Sendable {
    let path: String
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        path = "\(scratch.path)/s"
        let listener = try listeningSocket(at: path)
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread {
                    var byte: UInt8 = 0
                    for isAnswered in [true, false] {
                        while recv(client, &byte, 1, 0) == 1, byte != 0x0A {}
                        if isAnswered { _ = Glibc.send(client, "ok\n", 3, Int32(MSG_NOSIGNAL)) }
                    }
                    close(client)
                }
            }
        }
    }
}

/// The followers that wait for their end, and the number of those that were lost at once.
private final class Ends: Sendable {
    struct Counts {
        var waiting: Set<Int> = []
        var lostCount = 0
    }

    let counts = Mutex(Counts())
}

extension ServiceLink {
    fileprivate func answer(mayRepeat: Bool) async -> String? {
        await withCheckedContinuation { continuation in
            ask(Array("{}\n".utf8), mayRepeat: mayRepeat) { answer in
                continuation.resume(returning: answer.map { String(decoding: $0, as: UTF8.self) })
            }
        }
    }

    /// Follows with lines that are sent in several pieces, so that the service can end between two of them.
    fileprivate func follow(with ends: Ends) {
        let lines = [UInt8](repeating: 0x20, count: 1 << 20)
        let number = follow(lines) { number, line in
            if line == nil { ends.counts.withLock { _ = $0.waiting.remove(number) } }
        }
        ends.counts.withLock { counts in
            if let number { counts.waiting.insert(number) } else { counts.lostCount += 1 }
        }
    }
}
