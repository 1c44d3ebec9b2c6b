// The choice of the sound card that plays a ring, and the failover to the next card or the buzzer.
//
// A sound card can fail without an error. Its driver hangs in open(2), its position stops, or it consumes a
// trickle of frames that is not audible. If Rooster waited for an error, such a ring would stay silent. If
// it waited for each card before it tried the next, two bad cards would exceed the limit of 500 ms without
// sound.
//
// Routing therefore trusts evidence only: a card plays if it consumes frames. At any time one attempt, the
// lead, is audible. Others may be open beside it, muted.
//
// 1. The routes are ranked: first those that the owner listed, then USB, analogue, sound server, screen.
// 2. The best route is opened. As soon as it is open it becomes the lead, without evidence, since nothing
//    else plays.
// 3. If the lead consumes no frames for 200 ms, or fewer than a quarter of real time, it is suspect. The
//    next route is opened beside it, and further ones every 200 ms, until one consumes frames and becomes
//    the lead.
// 4. A card fails if it reports an error, makes no progress for 500 ms, or does not open within 30 s. Its
//    first frame may take 5 s. A failed card is opened again after 250 ms, then 500 ms and so on, up to
//    30 s, or up to 1 s while nothing plays.
// 5. If nothing has been audible for 450 ms, or at once if no route is left, the buzzer starts. It stops
//    once a card has consumed frames for 250 ms.
// 6. While the lead plays, worse routes are closed. Better ones are opened muted, and replace the lead
//    after 5 s of frames.
//
// For example, a USB card stops consuming frames at 0 ms. The samples show its last frame at 75 ms at the
// latest. It is suspect 200 ms later, at 275 ms, and the analogue card is opened. That card is open at
// about 425 ms, and is audible before 500 ms.

/// Chooses the sound card that plays the ring, and fails over.
///
/// Pure: no card, clock or thread. The caller passes every event with its time, carries out the returned
/// actions, and calls again at `wakeUptime`. Times are uptimes in milliseconds.
package struct Routing: Hashable, Sendable {
    package let order: RouteOrder
    /// True if the configuration has a buzzer.
    package let hasBuzzer: Bool

    /// All routes, the best one first.
    var routes: [RouteState] = []
    var wanted = SpeakerOrder.silent
    /// The attempt that is audible, or will be when a sound is ordered.
    var lead: RouteAttempt?
    var buzzer = BuzzerState.off
    /// False until the first list of routes arrives. Until then any route may exist.
    var areRoutesKnown = false
    var orderedUptime = 0
    /// When a sound was last known to be audible, or was ordered.
    var heardUptime = 0
    var sampledUptime = 0
    var openedUptime = Int.min
    /// The active output in the last report, and why the output has changed since.
    var reportedOutput: ActiveOutput?
    /// The last reported failure of each route. It is not repeated, even if the card was gone meanwhile.
    var reportedFailures: [Route.ID: RouteFailure] = [:]
    var isStarted = false
    var change = RouteChange.nothingElse
    var attemptCount = 0
    var actions: [RoutingAction] = []

    /// The limit of attempts per card that may hang. At the limit, the driver does not open another.
    package static let attemptsMax = 3

    /// The sampling interval of a card that plays.
    package static let sampleMilliseconds = RoutingTimes.sampling

    /// When the cards must be sampled or a timeout expires; nil while nothing is in use.
    package internal(set) var wakeUptime: Int?

    package init(_ order: RouteOrder = .standard, hasBuzzer: Bool) {
        self.order = order
        self.hasBuzzer = hasBuzzer
    }

    /// Handles an event, and returns the actions to carry out.
    package mutating func handle(_ event: RoutingEvent, at uptime: Int) -> [RoutingAction] {
        actions = []
        switch event {
        case .ordered(let order): apply(order, at: uptime)
        case .routes(let routes): apply(routes, at: uptime)
        case .opened(let attempt, let rate): attemptOpened(attempt, rate: rate, at: uptime)
        case .failed(let attempt, let failure):
            if let index = index(of: attempt), routes[index].isInUse { fail(index, failure, at: uptime) }
        case .closed(let attempt): attemptClosed(attempt)
        case .buzzed(let isOn, let isDone):
            buzzer.acknowledge(isOn: isOn, isDone: isDone, at: uptime)
        case .sampled(let samples): apply(samples, at: uptime)
        }
        endWaits(at: uptime)
        if case .stuck(let retry) = buzzer, retry <= uptime {
            buzzer = .stopping
            actions.append(.buzz(false))
        }
        if wanted == .silent {
            stop(at: uptime)
        } else {
            lead(at: uptime)
            open(at: uptime)
            buzz(at: uptime)
            reportOutput(at: uptime)
        }
        wakeUptime = nextWake(after: uptime)
        return actions
    }

    package var status: SpeakerStatus {
        var status = SpeakerStatus(
            routes: routes.filter { $0.isPresent || $0.isPlaying }.map { RouteStatus($0.route, $0.health) },
            output: wanted.playback == nil ? nil : activeOutput)
        status.hasBuzzer = hasBuzzer
        return status
    }

    /// The time until which samples change nothing, if the lead's card consumes frames and no event arrives.
    /// `Int.max` if no better route and no buzzer awaits a retry; nil if routing is not settled.
    package var settledUntilUptime: Int? {
        guard let lead = playingLead, wanted.playback == nil || activeOutput == reportedOutput else { return nil }
        let better = routes[..<lead].filter(\.isPresent)
        guard better.allSatisfy({ $0.phase == .resting }) else { return nil }
        let until = min(better.map { $0.retryUptime(isUrgent: false) }.min() ?? .max, buzzer.retryUptime ?? .max)
        return until > sampledUptime ? until : nil
    }

    /// The output that probably makes the sound.
    var activeOutput: ActiveOutput? {
        if buzzer == .heard { return .buzzer }
        guard let index = leadIndex, routes[index].isPlaying else { return nil }
        return .route(routes[index].route.id)
    }

    var leadIndex: Int? { lead.flatMap { index(of: $0) } }

    /// The index of the lead, if its card consumes frames.
    var playingLead: Int? { leadIndex.flatMap { routes[$0].isPlaying ? $0 : nil } }

    func index(of attempt: RouteAttempt) -> Int? { routes.firstIndex { $0.attempt?.number == attempt.number } }
}

extension Routing {
    private mutating func apply(_ order: SpeakerOrder, at uptime: Int) {
        guard order != wanted else { return }
        let before = wanted.playback
        wanted = order
        guard let playback = order.playback else {
            if before != nil {
                if case .ready = order, let lead { mute(lead) }
                stopBuzzing(at: uptime)
            }
            return
        }
        if before == nil { heardUptime = uptime }
        (orderedUptime, isStarted, reportedOutput, change) = (uptime, false, nil, .nothingElse)
        // Each ring reports every failure that affects it.
        reportedFailures = [:]
        if let lead { actions.append(.play(lead, playback)) }
    }

    /// Mutes an attempt. Its next sound counts as not heard yet.
    mutating func mute(_ attempt: RouteAttempt) {
        actions.append(.mute(attempt))
        guard let index = index(of: attempt), case .open(_, var evidence) = routes[index].phase else { return }
        evidence.mute()
        routes[index].phase = .open(attempt, evidence)
    }

    private mutating func apply(_ present: [Route], at uptime: Int) {
        let known = areRoutesKnown ? Set(routes.filter(\.isPresent).map(\.route.id)) : nil
        if let known, known != Set(present.map(\.id)), wanted.playback == nil {
            actions.append(.report(.routesChanged))
        }
        areRoutesKnown = true
        for index in routes.indices where !present.contains(where: { $0.id == routes[index].route.id }) {
            routes[index].isPresent = false
            // Keep a card that is playing even if udev reports it removed.
            if routes[index].isInUse, !routes[index].isPlaying { fail(index, .gone, at: uptime) }
        }
        // A card that was removed and is back gets a new entry. Closing the old one may hang for ever.
        routes.removeAll { known in
            !known.isPresent && !known.isInUse && present.contains { $0.id == known.route.id }
        }
        for route in present {
            if let index = routes.firstIndex(where: { $0.route.id == route.id }) {
                routes[index].route = route
                routes[index].isPresent = true
            } else {
                routes.append(RouteState(route))
            }
        }
        forgetGone()
        let places = order.ranked(routes.map(\.route)).map(\.id)
        routes.sort { a, b in
            (places.firstIndex(of: a.route.id) ?? 0) < (places.firstIndex(of: b.route.id) ?? 0)
        }
    }

    private mutating func forgetGone() { routes.removeAll { !$0.isPresent && $0.phase == .resting } }

    private mutating func attemptOpened(_ attempt: RouteAttempt, rate: Int, at uptime: Int) {
        guard let index = index(of: attempt), case .opening = routes[index].phase else { return }
        if !routes.contains(where: { $0.evidence != nil }) { sampledUptime = uptime }
        routes[index].phase = .open(attempt, RouteState.PlaybackEvidence(rate: rate, openedUptime: uptime))
    }

    private mutating func attemptClosed(_ attempt: RouteAttempt) {
        guard let index = index(of: attempt) else { return }
        if attempt == lead { lead = nil }
        routes[index].phase = .resting
        forgetGone()
    }

    private mutating func apply(_ samples: [CardSample], at uptime: Int) {
        // After a gap in sampling, a card gets one more sample before it can fail.
        let isLate = uptime - sampledUptime > RoutingTimes.timeout
        let lastUptime = sampledUptime
        // Frames that were consumed since the last sample may have been consumed right after it.
        let surelyUptime = max(sampledUptime, uptime - RoutingTimes.sampling)
        sampledUptime = uptime
        for index in routes.indices {
            guard case .open(let attempt, var evidence) = routes[index].phase else { continue }
            evidence.sample(at: samples.first { $0.attempt == attempt }?.position, uptime)
            if evidence.movedUptime != uptime {
                if isLate { evidence.movedUptime = max(evidence.movedUptime, uptime - RoutingTimes.suspect) }
                if uptime - evidence.movedUptime >= RoutingTimes.suspect {
                    evidence.isSuspect = true
                    evidence.healthySinceUptime = nil
                }
            }
            routes[index].phase = .open(attempt, evidence)
            if attempt == lead, evidence.movedUptime == uptime, evidence.isHeard {
                heardUptime = max(heardUptime, surelyUptime)
            }
            let unmoved = uptime - evidence.movedUptime
            if unmoved >= evidence.stallMilliseconds { fail(index, .stalled(milliseconds: unmoved), at: uptime) }
            if routes[index].healthyMilliseconds(at: uptime) >= RoutingTimes.better {
                routes[index].failureCount = 0
                routes[index].failure = nil
                // Only at the sample at which the limit is passed.
                if routes[index].healthyMilliseconds(at: lastUptime) < RoutingTimes.better {
                    reportedFailures[routes[index].route.id] = nil
                }
            }
        }
    }

    private mutating func endWaits(at uptime: Int) {
        for index in routes.indices {
            switch routes[index].phase {
            case .opening(let attempt, let since, false) where uptime - since >= RoutingTimes.timeout:
                routes[index].phase = .opening(attempt, sinceUptime: since, isLate: true)
                report(index, .openHangs(milliseconds: uptime - since))
            case .opening(_, let since, _) where uptime - since >= RoutingTimes.openTimeout:
                fail(index, .openHangs(milliseconds: uptime - since), at: uptime)
            case .closing(_, let since) where uptime - since >= RoutingTimes.closeTimeout:
                routes[index].phase = .resting
            case .resting, .opening, .open, .closing: break
            }
        }
        forgetGone()
    }

    private mutating func fail(_ index: Int, _ failure: RouteFailure, at uptime: Int) {
        if routes[index].attempt == lead { change = .failed(failure) }
        routes[index].failureCount += 1
        routes[index].failedUptime = uptime
        close(index, at: uptime)
        report(index, failure)
    }

    /// Reports the failure of a route, once for each order.
    private mutating func report(_ index: Int, _ failure: RouteFailure) {
        routes[index].failure = failure
        let id = routes[index].route.id
        guard reportedFailures[id]?.isAsBad(as: failure) != true else { return }
        reportedFailures[id] = failure
        actions.append(.report(.failed(id, failure)))
    }

    mutating func close(_ index: Int, at uptime: Int) {
        guard let attempt = routes[index].attempt, routes[index].isInUse else { return }
        if attempt == lead { lead = nil }
        routes[index].phase = .closing(attempt, sinceUptime: uptime)
        actions.append(.close(attempt))
    }

    private mutating func stop(at uptime: Int) {
        for index in routes.indices { close(index, at: uptime) }
        stopBuzzing(at: uptime)
        openedUptime = .min
        // The next order reports every failure again.
        for index in routes.indices { routes[index].failureCount = 0 }
        reportedFailures = [:]
    }

    mutating func stopBuzzing(at uptime: Int) {
        switch buzzer {
        case .starting, .heard:
            (buzzer, heardUptime) = (.stopping, uptime)
            actions.append(.buzz(false))
        case .failed: buzzer = .off
        case .off, .stopping, .stuck: break
        }
    }
}

extension SpeakerOrder {
    /// The sound of the order, or nil if it orders none.
    var playback: Playback? {
        if case .play(let playback) = self { playback } else { nil }
    }
}

extension RouteFailure {
    /// Returns true if both are the same failure, ignoring durations and counts.
    fileprivate func isAsBad(as other: RouteFailure) -> Bool {
        switch (self, other) {
        case (.openHangs, .openHangs), (.stalled, .stalled), (.tooManyHang, .tooManyHang): true
        default: self == other
        }
    }
}
