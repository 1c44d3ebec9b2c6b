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
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard result == 0, listen(listener, SOMAXCONN) == 0 else { throw POSIXError(.EADDRINUSE) }
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
