// The tests of the speaker's thread, driven directly: without cards, player threads or udev.

import FaultyCard
import Foundation
import Oracles
import Synchronization
import System
import Testing

@testable import AlsaSpeaker
@testable import Sound

@Suite(.timeLimit(.minutes(10))) struct SpeakerThreadTests {
    let cards: FaultyCards
    let mailbox: SpeakerMailbox
    var thread: SpeakerThread

    init() throws {
        cards = try FaultyCards(["bad", "spare"])
        mailbox = try SpeakerMailbox()
        thread = try SpeakerThread(cards.settings(), mailbox)
    }

    /// Ignores hangs on disks that other tests of this process cause.
    var impatientDetector: HangDetector {
        var watch = HangDetector()
        watch.timeoutMilliseconds = 50
        watch.stuck = { [] }
        return watch
    }

    func start() throws {
        try startThread(named: "speaker") { [thread] in
            var thread = thread
            thread.run()
        }
    }

    /// Each card's player reports its missing priority, but the owner needs one warning.
    @Test func refusedPriority_isReportedOnce() async throws {
        for number in 1...3 {
            mailbox.post(.player(RouteAttempt(route: "spare", number: number), .noPriority(errorNumber: EPERM)))
        }
        mailbox.post(.mixer("and that is all"))
        try start()
        var told: [String] = []
        for await report in mailbox.stream.reports {
            guard case .warning(let text) = report else { continue }
            told.append(text)
            if text == "and that is all" { break }
        }
        mailbox.end()
        #expect(
            told.filter { $0.contains("real-time") } == [
                "The player has no real-time priority (Operation not permitted): sound may stutter on a busy machine"
            ])
    }

    /// The number of threads that may hang in the kernel for one card is limited. No further one starts
    /// until some return.
    @Test mutating func cardWithTooManyHangingAttempts_isNotTried_untilTheyReturn() async throws {
        let hanging = (1001...1003).map { RouteAttempt(route: "bad", number: $0) }
        for attempt in hanging { thread.attempts[attempt] = SpeakerThread.OpenAttempt(control: try PlayerControl()) }
        mailbox.post(Listener.playback())
        try start()
        var reports = mailbox.stream.reports.makeAsyncIterator()
        var (isRefused, isHeard) = (false, false)
        while !isRefused || !isHeard {
            switch await reports.next() {
            case .failed("bad", let failure):
                #expect(failure == .tooManyHang(count: 3))
                isRefused = true
            case .started(let output, _):
                #expect(output == .route("spare"))
                isHeard = true
            case .some: break
            case nil:
                Issue.record("it has ended")
                return
            }
        }
        let bad = try cards.control("bad")
        #expect(bad.pointee.opens == 0)
        for attempt in hanging { mailbox.post(.player(attempt, .closed)) }
        try await waitUntil { bad.pointee.opens > 0 }
        mailbox.end()
    }

    /// Only a new process gets rid of threads that hang. While no ring plays, they do no harm.
    @Test func speaker_whenHangingAttemptsSilenceARing_isNotAlive() async throws {
        let cards = try FaultyCards(["bad"])
        var settings = cards.settings()
        settings.hangDetector = impatientDetector
        let mailbox = try SpeakerMailbox()
        var thread = try SpeakerThread(settings, mailbox)
        let hanging = (1001...1003).map { RouteAttempt(route: "bad", number: $0) }
        for attempt in hanging { thread.attempts[attempt] = SpeakerThread.OpenAttempt(control: try PlayerControl()) }
        try startThread(named: "speaker") { [thread] in
            var thread = thread
            thread.run()
        }
        for _ in 0..<20 { try await waitUntil(mailbox.pingAndCheck) }
        mailbox.post(Listener.playback())
        try await waitUntilLost(mailbox.pingAndCheck)
        for attempt in hanging { mailbox.post(.player(attempt, .closed)) }
        try await waitUntil { mailbox.status.activeOutput == .route("bad") }
        for _ in 0..<20 { try await waitUntil(mailbox.pingAndCheck) }
        mailbox.end()
    }

    /// If the list of cards hangs, the speaker cannot find any card to play on.
    @Test func speaker_whenAHangingListSilencesARing_isNotAlive() async throws {
        var settings = cards.settings()
        settings.hangDetector = impatientDetector
        cards.gate.shut()
        defer { cards.gate.open() }
        let speaker = try LinuxSpeaker.start(settings)
        speaker.order(Listener.playback())
        try await waitUntilLost(speaker.isAlive)
        cards.gate.open()
        try await waitUntil { speaker.status.activeOutput != nil }
        for _ in 0..<20 { try await waitUntil(speaker.isAlive) }
    }

    /// On a busy machine some answers may be late, but not twenty in a row.
    private func waitUntilLost(_ isAlive: () -> Bool) async throws {
        var count = 0
        try await waitUntil {
            count = isAlive() ? 0 : count + 1
            return count > 20
        }
    }
}
