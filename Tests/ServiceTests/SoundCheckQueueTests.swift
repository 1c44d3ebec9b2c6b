// How many look for sounds at once.

import Fixtures
import Oracles
import Sound
import Synchronization
import Testing

@testable import Service

@Suite struct SoundCheckQueueTests {
    /// Whoever has been answered makes room for the next.
    @Test func disk_isAskedEachTime_whereItAnswers() async throws {
        let scratch = try Scratch()
        let sounds = MockSounds(answers: true)
        let fixture = try ServiceFixture(directory: scratch.path, sounds: sounds)
        for _ in 0...SoundCheckQueue.max {
            let problems = await withCheckedContinuation { continuation in
                fixture.service.findUnplayable(among: ["bells01"]) { continuation.resume(returning: $0) }
            }
            #expect(problems == ["bells01 is flat"])
        }
        #expect(sounds.askedCount == SoundCheckQueue.max + 1)
    }

    @Test func disk_isAskedAFewTimes_whereItNeverAnswers() throws {
        let scratch = try Scratch()
        let sounds = MockSounds(answers: false)
        let fixture = try ServiceFixture(directory: scratch.path, sounds: sounds)
        for _ in 0..<SoundCheckQueue.max * 2 { fixture.service.findUnplayable(among: ["bells01"]) { _ in } }
        #expect(sounds.askedCount == SoundCheckQueue.max)
    }

    /// More than look at once wait for the others, and are told what their disk says.
    @Test func everybody_isAnswered_whoAsksAtOnce() async throws {
        let scratch = try Scratch()
        let sounds = MockSounds(answers: false)
        let fixture = try ServiceFixture(directory: scratch.path, sounds: sounds)
        let (told, telling) = AsyncStream.makeStream(of: [String]?.self)
        for _ in 0..<SoundCheckQueue.max * 2 {
            fixture.service.findUnplayable(among: ["bells01"]) { telling.yield($0) }
        }
        sounds.answer()
        var answers = told.makeAsyncIterator()
        for _ in 0..<SoundCheckQueue.max * 2 { #expect(await answers.next() == ["bells01 is flat"]) }
    }
}

/// Counts how often it is asked.
private final class MockSounds: SoundCheck {
    private let answers: Bool
    private let asked = Mutex(0)
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    init(answers: Bool) {
        self.answers = answers
    }

    var askedCount: Int { asked.withLock { $0 } }

    func check(_ sounds: [String], then tell: @escaping @Sendable ([String]) -> Void) {
        asked.withLock { $0 += 1 }
        waiting.withLock { $0.append { tell(sounds.map { "\($0) is flat" }) } }
        if answers { answer() }
    }

    func list(then tell: @escaping @Sendable ([SoundListing]) -> Void) { tell([]) }

    /// Answers everybody, also those who ask meanwhile.
    func answer() {
        while let next = waiting.withLock({ $0.popLast() }) { next() }
    }
}
