// The tests of the watchdog: systemd gets a ping only while every part of roosterd is alive.

import Fixtures
import Oracles
import Service
import Testing

@testable import roosterd

@Suite(.timeLimit(.minutes(10))) struct WatchdogTests {
    private enum Said: Equatable {
        case alive
        case logged(LogLine.Level)
    }

    @Test func watchdog_isNotified_untilTheSpeakerHangs() async throws {
        let scratch = try Scratch()
        let fixture = try ServiceFixture(directory: scratch.path)
        await fixture.start()
        let (said, saying) = AsyncStream.makeStream(of: Said.self)
        let watchdog = Watchdog(
            fixture.service, everyMilliseconds: 1, on: fixture.loop, log: { saying.yield(.logged($0.level)) },
            feeding: { saying.yield(.alive) })
        try await watchdog.start()
        var heard = said.makeAsyncIterator()
        for _ in 0..<3 { #expect(await heard.next() == .alive) }
        fixture.speaker.hang()
        while await heard.next() == .alive {}
        for _ in 0..<3 { #expect(await heard.next() == .logged(.error)) }
    }
}
