// How many look for sounds at once.

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
}
