// Promise 1 for early rings: a movement begins each ring whose time to be early has come, and no other.

import Alarms
import Engine

extension ExpectedRings {
    /// Returns true if a movement may begin an announced ring this long before its time.
    func mayBeEarly(_ occurrence: Occurrence, byMilliseconds milliseconds: Int, _ night: Simulation) -> Bool {
        let longest = alarmsBeforeAndNow(occurrence.alarm).map(\.plan.alarm.earlySeconds).max() ?? 0
        return night.clock.isTrusted && milliseconds <= longest * 1000
    }
}

extension InvariantChecker {
    /// Returns the rings that a movement must begin now. While a session is open, the step may be part of a
    /// challenge, and while an alarm is being unlocked.
    func ringsAtMovement(_ night: Simulation) -> [Occurrence] {
        let status = night.published.status
        guard night.isRunning, night.clock.isTrusted, status.sessions.isEmpty, status.unlocking == nil,
            !night.missing.contains(.steps)
        else { return [] }
        let second = bestNow(night) / 1000
        return rings.alarms.compactMap { id, tracked in
            guard let next = tracked.next, tracked.isOn, second < next else { return nil }
            // In the first second the engine may not listen yet.
            return second > next - tracked.plan.alarm.earlySeconds ? Occurrence(id, next) : nil
        }
    }

    func moved(_ expected: [Occurrence]) {
        for occurrence in expected where !sessions.hasRung(occurrence) {
            report(.rings, "somebody moved, but \(occurrence) does not ring")
        }
    }
}
