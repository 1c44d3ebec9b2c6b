// Promise 3: a session ends only by its challenges, by the emergency exit, or by giving up.

import Alarms
import Engine

extension SessionWatch {
    mutating func end(_ gone: [Occurrence: TrackedSession], _ night: Simulation, _ checker: InvariantChecker) {
        let history = night.published.history
        let rings = gone.compactMapValues { tracked in
            history.last { $0.occurrence == tracked.session.occurrence && $0.session != nil }
        }
        let stopped = gone.filter { rings[$0.key]?.ending == .dismissed && $0.value.session.terms.challenges.isEmpty }
        if stopped.count > 1 { checker.report(.ending, "one stop ended \(stopped.count) sessions") }
        for (occurrence, tracked) in gone.sorted(by: { ($0.key.at, $0.key.alarm) < ($1.key.at, $1.key.alarm) }) {
            open[occurrence] = nil
            guard !tracked.session.terms.isTest else { continue }
            // Without a record this session never existed, but an earlier one of its occurrence may have
            // rung.
            if isRestarted, checker.journal.model.open[occurrence] == nil {
                if !checker.journal.model.ended.contains(occurrence) {
                    checker.rings.forgot(occurrence)
                } else {
                    ended.insert(occurrence)
                }
                continue
            }
            if !tracked.isOrphan { ended.insert(occurrence) }
            endedNow.append(tracked)
            guard let ring = rings[occurrence] else {
                checker.report(.memory, "\(occurrence) has ended, but is not in the history")
                continue
            }
            if !isRestarted {
                steps.insert(SessionStep(from: tracked.status.phase, to: .ended(ring.ending)))
            }
            checkEnd(tracked, ring.ending, gone, night, checker)
        }
    }

    private mutating func checkEnd(
        _ tracked: TrackedSession, _ ending: Ending, _ gone: [Occurrence: TrackedSession], _ night: Simulation,
        _ checker: InvariantChecker
    ) {
        let occurrence = tracked.session.occurrence
        switch ending {
        case .dismissed where tracked.tally.challenges.isEmpty:
            switch input {
            case .button(.stop, true, _), .command(.stop, _): break
            case .command(.done(occurrence.alarm), _): return
            default: checker.report(.ending, "\(occurrence) was dismissed by \(input.map { "\($0)" } ?? "nothing")")
            }
            if let heard, heard != occurrence, open[heard] != nil, gone[heard] == nil {
                checker.report(.ending, "\(occurrence) was dismissed while another was heard")
            }
        case .dismissed where tracked.session.isChecking:
            if !tracked.isAnswered(by: input, isAnyHeard: heard != nil, at: night.now) {
                checker.report(.checks, "the check of \(occurrence) ended by \(input.map { "\($0)" } ?? "nothing")")
            }
        case .dismissed where tracked.owesCheck && !hasAlike(tracked, gone):
            checker.report(.checks, "\(occurrence) was dismissed without its wake-up check")
        case .dismissed:
            if !tracked.tally.isDone(), !hasAlike(tracked, gone) {
                checker.report(.ending, "\(occurrence) was dismissed, but its challenges were not done")
            }
        case .unanswered where isForgotten(tracked, night, checker): break
        case .unanswered:
            let since = tracked.unansweredSince(at: night.now) ?? night.now
            if tracked.restCount < tracked.session.terms.ring.rounds - 1
                || night.now - since < tracked.ringMilliseconds - 1000
            {
                checker.report(
                    .ending, "\(occurrence) gave up after \(tracked.restCount) rests and \(night.now - since) ms")
            }
        case .emergency:
            let isHeld = [buttons, buttonsBefore].contains { $0.isHeld(at: night.now, since: tracked.startedAt) }
            if !isHeld || !tracked.session.terms.hasEmergencyExit {
                checker.report(.ending, "\(occurrence) ended as an emergency without a held exit")
            }
            buttons.ended()
        case .postponed:
            if !tracked.session.terms.challenges.isEmpty, !tracked.session.terms.allowsPostponing {
                checker.report(.ending, "\(occurrence) was put off although it has challenges")
            }
            if !isRestarted, night.published.postponed[occurrence.alarm]?.ring != occurrence.at {
                checker.report(.rings, "\(occurrence) was put off, and is not planned")
            }
        case .cancelled, .missed, .done: checker.report(.ending, "\(occurrence) was \(ending.rawValue) while it rang")
        }
    }

    /// Returns true if a session whose last ring began, or whose last pause ended, half a day ago ends at a
    /// start, or when the clock becomes trusted after a start. The power was off in between. If the clock was
    /// set in a pause, the recorded end of the pause is by another clock.
    private func isForgotten(_ tracked: TrackedSession, _ night: Simulation, _ checker: InvariantChecker) -> Bool {
        switch input {
        case .start, .clockTrusted(true):
            let isLongAgo =
                checker.journal.model.open[tracked.session.occurrence].map {
                    checker.bestNow(night) / 1000 - $0.activeMilliseconds / 1000 > 12 * 3600
                } ?? false
            return night.clock.isTrusted
                && (isLongAgo || tracked.silence.map { $0.clockSetCount != night.clockSetCount } ?? false)
        default: return false
        }
    }

    /// Returns true if a session with equal challenges was just completed while this one rang behind it. That
    /// session may wait for its check.
    private func hasAlike(_ tracked: TrackedSession, _ gone: [Occurrence: TrackedSession]) -> Bool {
        let others = Array(gone.values) + open.values.filter(\.session.isChecking)
        return !tracked.isSilent
            && others.contains { other in
                other.session.occurrence != tracked.session.occurrence
                    && (other.session.isChecking || other.tally.isDone())
                    && other.tally.challenges.map(\.task) == tracked.tally.challenges.map(\.task)
                    && other.session.terms.wakeUpCheck == tracked.session.terms.wakeUpCheck
            }
    }
}

/// The checker's record of pressed and held buttons.
struct ButtonWatch {
    /// The time of the press of each button that is down.
    private var pressed: [Button: Int] = [:]
    var areDown: Bool { pressed.count == Button.allCases.count }
    /// How often both buttons came down.
    private(set) var pairCount = 0
    /// The start and the last heartbeat of a client that holds the emergency exit.
    private var page: (since: Int, last: Int)?

    /// The timeout of a client's heartbeat.
    private static let pageMilliseconds = 5000
    /// A minute, less the time of the first bounces.
    private static let milliseconds = 59_900

    /// Records an input. The emergency exit can be held only if `isOpen`: a session is open. A press counts from
    /// the time that its driver reports: a machine that slept meanwhile reports the press after it wakes.
    mutating func willGive(_ input: Input, isRepeated: Bool, isOpen: Bool, at now: Int, bootedAt: Int) {
        switch input {
        case .button(let button, let isDown, let uptime):
            let wereDown = areDown
            pressed[button] = isDown ? min(uptime.map { $0 + bootedAt } ?? now, now) : nil
            if areDown, !wereDown { pairCount += 1 }
        case .command(.hold(true), _) where isOpen && !isRepeated:
            let since = page.flatMap { now - $0.last <= ButtonWatch.pageMilliseconds ? $0.since : nil }
            page = (since ?? now, now)
        case .command(.hold(false), _) where !isRepeated: page = nil
        default: break
        }
    }

    /// Ends the client's hold, because the emergency exit has taken effect.
    mutating func ended() {
        page = nil
    }

    mutating func died() {
        pressed = [:]
        page = nil
    }

    /// Returns true if the emergency exit was held long enough, by presses that came after `began`.
    func isHeld(at now: Int, since began: Int) -> Bool {
        let held = pressed.values
        let isByButtons =
            held.count == 2 && (held.min() ?? now) >= began
            && now - (held.max() ?? now) >= ButtonWatch.milliseconds
        let isByPage =
            page.map { page in
                page.since >= began && now - page.last <= ButtonWatch.pageMilliseconds
                    && now - page.since >= ButtonWatch.milliseconds
            } ?? false
        return isByButtons || isByPage
    }
}
