// Promise 10: the sunrise rises only before an announced ring, and is full only while a session is open.

import Alarms
import Engine

/// The checker's record of the lamp of the sunrise.
struct SunriseWatch {
    var order: SunriseOrder?

    /// A reading of both clocks may lie between two milliseconds, and rings are whole seconds.
    private static let slackMilliseconds = 1500

    /// Checks the light after an input. `isCalled`: the input was a call of the timer.
    func check(_ night: Simulation, isCalled: Bool, _ checker: InvariantChecker) {
        let (status, slack) = (night.published.status, SunriseWatch.slackMilliseconds)
        let isOpen = status.sessions.contains { $0.session.terms.lightSeconds > 0 }
        guard isOpen == (order == .full) else {
            return checker.report(.light, isOpen ? "a session has no light" : "a light is full without a session")
        }
        guard !isOpen, night.published.at == night.now else { return }
        let lead = night.uptimeMilliseconds - status.nowMilliseconds
        // Each announced ring with a light: the uptimes at which it begins and is full.
        let lights = status.next.compactMap { ring -> (from: Int, until: Int)? in
            let seconds = night.published.alarm(ring.occurrence.alarm)?.lightSeconds ?? 0
            let until = ring.at.milliseconds + lead
            return seconds > 0 ? (until - 1000 * seconds, until) : nil
        }
        switch order {
        case .rising(let from, let until)?:
            let isAnnounced = lights.contains { abs($0.from - from) <= slack && abs($0.until - until) <= slack }
            if !isAnnounced { checker.report(.light, "a light rises without a ring at its end") }
            if from > night.uptimeMilliseconds + slack { checker.report(.light, "a light rises too early") }
        case .full?: break
        case nil:
            if isCalled, lights.contains(where: { $0.from <= night.uptimeMilliseconds }) {
                checker.report(.light, "the light of an announced ring does not rise")
            }
        }
    }
}
