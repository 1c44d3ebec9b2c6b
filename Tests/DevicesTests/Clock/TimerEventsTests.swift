// The tests of timer events that wait for their listener.

import Oracles
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(1))) struct TimerEventsTests {
    /// Several tasks emit while a listener reads. It must still receive each event after its last emission.
    @Test func manyEvents_keepTheLastOfEachKind() async {
        for _ in 0..<Thoroughness.pick(100, full: 5000) {
            let events = TimerEvents()
            var listener = events.stream.makeAsyncIterator()
            async let flood: Void = withTaskGroup(of: Void.self) { group in
                for event in TimerEvent.allCases {
                    group.addTask { for _ in 0..<20 { events.emit(event) } }
                }
            }
            _ = await listener.next()
            await flood
            // All earlier reports were emitted before this.
            for event in TimerEvent.allCases { events.emit(event) }
            var heard: Set<TimerEvent> = []
            while heard.count < TimerEvent.allCases.count { heard.formUnion(await listener.next() ?? []) }
        }
    }

    @Test func release_endsTheStream() async {
        var events: TimerEvents? = TimerEvents()
        var listener = events?.stream.makeAsyncIterator()
        events?.emit(.clockSet)
        events?.emit(.due)
        events = nil
        #expect(await listener?.next() == [.clockSet, .due])
        #expect(await listener?.next() == nil)
    }
}
