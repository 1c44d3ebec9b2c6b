// The tests of a driver's retries and reports.

import Testing

@testable import LinuxDevices

@Suite struct AbsencesTests {
    private var absences = Absences<Int, String>()

    @Test mutating func attempts_backOff_untilAllDevicesArePresent() {
        _ = absences.insert(1, "missing")
        var (now, pauses) = (0, [Int]())
        for _ in 0..<9 {
            absences.endAttempt(at: now)
            let next = absences.backoff.uptime ?? now
            #expect(!absences.backoff.isDue(at: next - 1) && absences.backoff.isDue(at: next))
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 60_000])
        absences.remove(1)
        absences.endAttempt(at: now)
        #expect(absences.backoff.uptime == nil && !absences.backoff.isDue(at: .max))
    }

    @Test mutating func failure_isNewOnce_untilItChangesOrTheDeviceIsPresent() {
        #expect(absences.insert(1, "missing") == true)
        #expect(absences.insert(1, "missing") == false)
        #expect(absences.insert(2, "missing") == true)
        #expect(absences.insert(1, "busy") == true)
        #expect(absences.insert(1, "missing") == true)
        absences.remove(1)
        #expect(absences.insert(1, "missing") == true)
    }

    @Test mutating func lostDevice_isRetriedSoon_andAChangeResetsTheBackoff() {
        _ = absences.insert(1, "missing")
        for now in [0, 1000, 2000] { absences.endAttempt(at: now) }
        absences.retrySoon(at: 3000)
        #expect(absences.backoff.uptime == 3250)
        absences.endAttempt(at: 3250)
        absences.restartBackoff()
        absences.endAttempt(at: 4000)
        #expect(absences.backoff.uptime == 4250)
    }
}
