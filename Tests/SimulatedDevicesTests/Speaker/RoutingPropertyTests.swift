// The tests of routing under random faults: a short silence, one audible output, none without an order.

import Oracles
import Sound
import Testing

@testable import SimulatedDevices

@Suite struct RoutingPropertyTests {
    /// A buzzer is audible at once. Without one, a card that never opens may delay the sound by the time of
    /// one slow open. If another card takes its place meanwhile and fails, the sound waits for two such
    /// opens. A broken buzzer never sounds beside a card, and never delays a card for long.
    @Test(arguments: [(true, false, 500, 0), (false, false, 1500, 2), (true, true, 2000, 2)])
    func silence_isShort(hasBuzzer: Bool, breaksBuzzer: Bool, milliseconds: Int, slowOpenCount: Int) {
        var heard: Set<ActiveOutput> = []
        var longest = 0
        for seed in 0..<UInt64(Thoroughness.pick(40, full: 300)) {
            var fixture = SpeakerFixture(seed: seed, hasBuzzer: hasBuzzer, breaksBuzzer: breaksBuzzer)
            for _ in 0..<40 {
                fixture.happen()
                fixture.check()
                let most = [1, 30, 300, 500, 1000, 7000].randomElement(using: &fixture.random) ?? 1
                fixture.listen(milliseconds: Int.random(in: 1...most, using: &fixture.random))
            }
            #expect(fixture.broken.isEmpty, "seed \(seed): \(fixture.broken.first ?? "")")
            let limit = milliseconds + slowOpenCount * fixture.slowestMilliseconds
            #expect(fixture.longestGap <= limit, "seed \(seed): \(fixture.longestGap) ms")
            longest = max(longest, fixture.longestGap)
            for case .started(let output, _) in fixture.reports.map(\.report) { heard.insert(output) }
        }
        // Some gaps are long and each output was audible, so the faults had an effect.
        #expect(longest > 250)
        #expect(heard.contains(.buzzer) == hasBuzzer && heard.count > 2)
    }

    /// A caller that polls rarely gets the same answers as one that polls each millisecond.
    @Test func rarePolls_giveTheSameReportsAsFrequentPolls() {
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
