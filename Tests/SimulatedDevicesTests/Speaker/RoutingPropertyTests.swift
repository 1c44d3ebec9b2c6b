// Whatever happens to the cards: there is a sound when one is asked for, never two, and none when none is.

import Oracles
import Sound
import Testing

@testable import SimulatedDevices

@Suite struct RoutingPropertyTests {
    func fixture(_ seed: UInt64, hasBuzzer: Bool, breaksBuzzer: Bool = false) -> SpeakerFixture {
        var fixture = SpeakerFixture(seed: seed, hasBuzzer: hasBuzzer, breaksBuzzer: breaksBuzzer)
        for _ in 0..<40 {
            fixture.happen()
            fixture.judge()
            let pauses = [1, 30, 300, 500, 1000, 7000]
            let most = pauses.randomElement(using: &fixture.random) ?? 1
            fixture.listen(milliseconds: Int.random(in: 1...most, using: &fixture.random))
        }
        return fixture
    }

    @Test func withABuzzer_noSilenceIsLongerThanHalfASecond() {
        var longest = 0
        for seed in 0..<UInt64(Thoroughness.pick(30, full: 300)) {
            let fixture = fixture(seed, hasBuzzer: true)
            #expect(fixture.broken.isEmpty, "seed \(seed): \(fixture.broken.first ?? "")")
            #expect(fixture.longestGap <= 500, "seed \(seed): \(fixture.longestGap) ms")
            longest = max(longest, fixture.longestGap)
        }
        // And it is long in some: the faults were felt.
        #expect(longest > 250)
    }

    /// A card may have to be waited for that never answers; every other one has its turn meanwhile.
    @Test func withoutABuzzer_aWellCardIsHeardSoon() {
        for seed in 0..<UInt64(Thoroughness.pick(30, full: 300)) {
            let fixture = fixture(seed, hasBuzzer: false)
            #expect(fixture.broken.isEmpty, "seed \(seed): \(fixture.broken.first ?? "")")
            // A slow one that is let go while it opens, because another plays, is waited for twice when that fails.
            let limit = 1500 + 2 * fixture.slowestMilliseconds
            #expect(fixture.longestGap <= limit, "seed \(seed): \(fixture.longestGap) ms")
        }
    }

    /// The last resort may fail as well: it never sounds beside a card, and makes no card wait for long.
    @Test func withABuzzerThatBreaks_aWellCardIsHeardSoon() {
        var heard: Set<ActiveOutput> = []
        for seed in 0..<UInt64(Thoroughness.pick(60, full: 300)) {
            let fixture = fixture(seed, hasBuzzer: true, breaksBuzzer: true)
            #expect(fixture.broken.isEmpty, "seed \(seed): \(fixture.broken.first ?? "")")
            let limit = 2000 + 2 * fixture.slowestMilliseconds
            #expect(fixture.longestGap <= limit, "seed \(seed): \(fixture.longestGap) ms")
            for case .started(let output, _) in fixture.reports.map(\.report) { heard.insert(output) }
        }
        #expect(heard.contains(.buzzer) && heard.count > 2)
    }

    /// Whoever asks seldom gets the same answers as whoever asks each millisecond.
    @Test func longPauses_areLikeManyShortOnes() {
        for seed in 0..<UInt64(Thoroughness.pick(20, full: 300)) {
            var (patient, hasty) = (
                SpeakerFixture(seed: seed, hasBuzzer: true), SpeakerFixture(seed: seed, hasBuzzer: true)
            )
            for _ in 0..<40 {
                patient.happen()
                hasty.happen()
                let milliseconds = Int.random(in: 1...3000, using: &patient.random)
                _ = Int.random(in: 1...3000, using: &hasty.random)
                patient.reports += patient.speaker.advance(to: patient.speaker.uptime + milliseconds)
                hasty.listen(milliseconds: milliseconds)
                #expect(patient.speaker.heard == hasty.speaker.heard, "seed \(seed) at \(hasty.speaker.uptime)")
            }
            #expect(patient.reports == hasty.reports, "seed \(seed)")
        }
    }
}
