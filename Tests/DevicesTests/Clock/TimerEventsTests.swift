// A short queue that loses nothing that matters.

import Oracles
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(1))) struct TimerEventsTests {
    @Test func event_isHeard() async {
        let events = TimerEvents()
        var listener = events.stream.makeAsyncIterator()
        for event in TimerEvent.allCases {
            events.emit(event)
            #expect(await listener.next() == event)
        }
    }

    /// Told and heard at random, mostly told: of each kind that was told since its last hearing, one is still to come.
    @Test func flood_losesTheLastOfNoKind() async {
        for seed in 0..<UInt64(Thoroughness.pick(300, full: 20_000)) {
            var random = SeededRandom(seed: seed)
            var events: TimerEvents? = TimerEvents()
            var listener = events?.stream.makeAsyncIterator()
            var owed: Set<TimerEvent> = []
            let kinds = TimerEvent.allCases.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
            for _ in 0..<40 {
                if !owed.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
                    if let event = await listener?.next() { owed.remove(event) }
                } else {
                    let event = kinds.randomElement(using: &random) ?? .due
                    events?.emit(event)
                    owed.insert(event)
                }
            }
            events = nil
            var count = 0
            while let event = await listener?.next() {
                owed.remove(event)
                count += 1
            }
            #expect(owed.isEmpty, "seed \(seed)")
            #expect(count <= TimerEvent.allCases.count, "seed \(seed)")
        }
    }

    @Test func end_endsTheStream() async {
        var events: TimerEvents? = TimerEvents()
        var listener = events?.stream.makeAsyncIterator()
        events?.emit(.clockSet)
        events = nil
        #expect(await listener?.next() == .clockSet)
        #expect(await listener?.next() == nil)
    }
}
