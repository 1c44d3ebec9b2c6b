// The tests of the limit on simultaneous checks of sounds.

import Fixtures
import Oracles
import Sound
import Synchronization
import Testing

@testable import Service

@Suite struct SoundCheckQueueTests {
    /// A finished check frees its place for the next.
    @Test func diskThatAnswers_isQueriedForEachCheck() async throws {
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

    @Test func diskThatNeverAnswers_isQueriedAFewTimes() throws {
        let scratch = try Scratch()
        let sounds = MockSounds(answers: false)
        let fixture = try ServiceFixture(directory: scratch.path, sounds: sounds)
        for _ in 0..<SoundCheckQueue.max * 2 { fixture.service.findUnplayable(among: ["bells01"]) { _ in } }
        #expect(sounds.askedCount == SoundCheckQueue.max)
    }

    /// Checks above the limit wait in the queue and still get the disk's answer.
    @Test func simultaneousChecks_areAllAnswered() async throws {
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

/// A sound check that counts its calls, and answers at once or on demand.
private final class MockSounds: SoundLibrary {
    private let answers: Bool
    private let asked = Mutex(0)
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    init(answers: Bool) {
        self.answers = answers
    }

    var askedCount: Int { asked.withLock { $0 } }

    func check(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        asked.withLock { $0 += 1 }
        waiting.withLock { $0.append { callback(sounds.map { "\($0) is flat" }) } }
        if answers { answer() }
    }

    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void) { callback([]) }

    func preview(_ id: String, then callback: @escaping @Sendable (Result<[UInt8], SoundLibraryError>) -> Void) {}
    func remove(_ id: String, then callback: @escaping @Sendable (Result<Void, SoundLibraryError>) -> Void) {}

    func add(
        _ piece: SoundPiece, then callback: @escaping @Sendable (Result<AddedSound?, SoundLibraryError>) -> Void
    ) {}

    /// Answers all waiting checks, including those that arrive meanwhile.
    func answer() {
        while let next = waiting.withLock({ $0.popLast() }) { next() }
    }
}
