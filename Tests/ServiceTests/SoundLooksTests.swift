// How many look for sounds at once.

import Devices
import Household
import Oracles
import Synchronization
import Testing

@testable import Service

@Suite struct SoundLooksTests {
    @Test func looks_areFew_howeverLongTheDiskHangs() {
        let looks = SoundLooks()
        for _ in 0..<SoundLooks.max { #expect(looks.begin()) }
        #expect(!looks.begin())
        looks.end()
        #expect(looks.begin() && !looks.begin())
    }

    /// Whoever has been answered makes room for the next.
    @Test func disk_isAskedEachTime_whereItAnswers() async throws {
        let scratch = try Scratch()
        let sounds = CountingSounds(answers: true)
        let home = try Household(directory: scratch.path, sounds: sounds)
        for _ in 0...SoundLooks.max {
            let problems = await withCheckedContinuation { continuation in
                home.service.look(for: ["bells01"]) { continuation.resume(returning: $0) }
            }
            #expect(problems == ["bells01 is flat"])
        }
        #expect(sounds.askedCount == SoundLooks.max + 1)
    }

    @Test func disk_isAskedAFewTimes_whereItNeverAnswers() throws {
        let scratch = try Scratch()
        let sounds = CountingSounds(answers: false)
        let home = try Household(directory: scratch.path, sounds: sounds)
        for _ in 0..<SoundLooks.max * 2 { home.service.look(for: ["bells01"]) { _ in } }
        #expect(sounds.askedCount == SoundLooks.max)
    }
}

/// Counts how often it is asked.
private final class CountingSounds: SoundCheck {
    private let answers: Bool
    private let asked = Mutex(0)

    init(answers: Bool) {
        self.answers = answers
    }

    var askedCount: Int { asked.withLock { $0 } }

    func check(_ sounds: [String], then tell: @escaping @Sendable ([String]) -> Void) {
        asked.withLock { $0 += 1 }
        if answers { tell(sounds.map { "\($0) is flat" }) }
    }
}
