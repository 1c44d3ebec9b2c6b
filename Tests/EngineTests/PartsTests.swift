// The tests of the engine's bounded parts: each drops old entries, and keeps the important ones.

import Agenda
import Alarms
import CivilTime
import Oracles
import Testing

@testable import Engine

@Suite struct PartsTests {
    private func instant(_ second: Int) -> Instant { Instant(secondsSince1970: second) }

    private func missed(_ index: Int, at milliseconds: Int) -> PastRing {
        PastRing(
            MissedRings(
                occurrence: Occurrence(alarm: "work", at: instant(index)), first: instant(index), label: "",
                lateWindowSeconds: 0, revision: 1, switchesOff: false), endedMilliseconds: milliseconds)
    }

    @Test func pastRings_areKeptForFourHundredDays() {
        let day = 86_400_000
        var past = PastRings()
        for index in 0..<700 { past.add(missed(index, at: index * day)) }
        // 600 and not 400, because the age counts from the earliest of the newest two hundred.
        #expect(past.rings.first?.endedMilliseconds == 100 * day)
        #expect(past.rings.count == 600)
    }

    @Test func pastRings_areKept_afterTheClockWasAhead() {
        var past = PastRings()
        for index in 0..<300 { past.add(missed(index, at: index)) }
        past.add(missed(300, at: 5000 * 86_400_000))
        past.add(missed(301, at: 301))
        #expect(past.rings.count == 302)
    }

    /// A clock that is briefly ahead makes many rings missed at once. They must not push out the real ones.
    @Test func pastRings_areKept_despiteRingsMissedByAClockAhead() {
        var past = PastRings()
        for index in 0..<300 { past.add(missed(index, at: index)) }
        for index in 300..<400 { past.add(missed(index, at: 5000 * 86_400_000)) }
        #expect(past.rings.count == 400)
    }

    @Test func pastRings_haveALimit() {
        var past = PastRings()
        for index in 0..<PastRings.countMax + 10 { past.add(missed(index, at: 0)) }
        #expect(past.rings.count <= PastRings.countMax)
        #expect(past.rings.last?.occurrence.at == instant(PastRings.countMax + 9))
    }

    /// If a disk fails for days, the queue must stay bounded and drop unimportant facts first.
    @Test func writeQueue_dropsUnimportantFactsFirst() {
        var writes = WriteQueue()
        let occurrence = Occurrence(alarm: "work", at: instant(0))
        writes.add(Entry(millisecondsSince1970: 0, .codeForgotten(label: "needed")))
        let first = writes.nextBatch(now: 0, uptime: 0)?.number ?? 0
        #expect(writes.batchFailed(first, "full", uptime: 0) != nil)
        for index in 0..<WriteQueue.factsMax + 500 {
            writes.add(Entry(millisecondsSince1970: index, .stopRefused(occurrence, by: Sender(.page))))
        }
        #expect(writes.pendingFactCount == WriteQueue.factsMax)
        #expect(writes.facts.first?.fact == .codeForgotten(label: "needed"))
        // The limit also holds when a failed batch returns to the queue.
        for uptime in 0..<Thoroughness.pick(2, full: 5) {
            let number = writes.nextBatch(now: 0, uptime: uptime * 100_000)?.number ?? 0
            for index in 0..<WriteQueue.factsMax {
                writes.add(Entry(millisecondsSince1970: index, .stopRefused(occurrence, by: Sender(.page))))
            }
            _ = writes.batchFailed(number, "EIO", uptime: uptime * 100_000)
            #expect(writes.facts.count == WriteQueue.factsMax)
        }
        #expect(writes.facts.first?.fact == .codeForgotten(label: "needed"))
    }

    @Test func writeQueue_retriesAFailingDisk_withABackoff() {
        var writes = WriteQueue()
        writes.add(Entry(millisecondsSince1970: 0, .clockTrusted(true)))
        var uptime = 0
        var waits: [Int] = []
        for _ in 0..<8 {
            guard let (_, number) = writes.nextBatch(now: 0, uptime: uptime) else { break }
            _ = writes.batchFailed(number, "EIO", uptime: uptime)
            waits.append((writes.retryUptime ?? 0) - uptime)
            #expect(writes.nextBatch(now: 0, uptime: (writes.retryUptime ?? 0) - 1) == nil)
            uptime = writes.retryUptime ?? 0
        }
        #expect(waits == [5000, 10_000, 20_000, 40_000, 80_000, 80_000, 80_000, 80_000])
    }
}
