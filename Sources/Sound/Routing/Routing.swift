// Decides by which route a sound is heard: no card, no clock and no thread is in here.

/// Finds the best route that plays, and goes to another when it does not play.
///
/// The route that sounds is the *lead*. A better one runs silent beside it for five seconds before it takes over; while the lead
/// takes no frames, or only a trickle, the next ones are opened; after half a second without sound the buzzer sounds until a
/// route plays. Its owner calls it with each event, and when `wakeUptime` has come. Times are milliseconds since the machine
/// was started.
package struct Routing: Hashable, Sendable {
    package let order: RouteOrder
    /// Whether there is a last resort.
    package let hasBuzzer: Bool

    /// All routes, the best one first.
    var routes: [RouteState] = []
    var wanted = SpeakerOrder.silent
    /// The try that sounds, or would if something was to be heard.
    var lead: RouteAttempt?
    var buzzer = BuzzerState.off
    /// Whether it was ever said which routes there are: until then there may be any.
    var areRoutesKnown = false
    var orderedUptime = 0
    /// When something was last known to be heard, or was asked for.
    var heardUptime = 0
    var sampledUptime = 0
    var openedUptime = Int.min
    /// The active output that was last reported, and why it has changed since.
    var reportedOutput: ActiveOutput?
    /// The failure of each route that was last reported: it is not reported again, though its card may have gone and come.
    var reportedFailures: [Route.ID: RouteFailure] = [:]
    var isStarted = false
    var change = RouteChange.nothingElse
    var attemptCount = 0
    var actions: [RoutingAction] = []

    /// Tries that hang with one card: beside so many, whoever carries out begins no other.
    package static let attemptsMax = 3

    /// How often a card that plays is looked at.
    package static let sampleMilliseconds = RoutingTimes.sampling

    /// When the cards are to be looked at, or something is over; nothing while nothing is in use.
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
        SpeakerStatus(
            routes: routes.filter { $0.isPresent || $0.isPlaying }.map { RouteStatus($0.route, $0.health) },
            output: wanted.playback == nil ? nil : activeOutput)
    }

    /// Until when nothing is to be done or told as long as the lead's card takes frames and nothing else happens: a better
    /// route is tried again then, or never. Nothing while something is to be done.
    package var settledUntilUptime: Int? {
        guard let lead = playingLead, wanted.playback == nil || activeOutput == reportedOutput else { return nil }
        let better = routes[..<lead].filter(\.isPresent)
        guard better.allSatisfy({ $0.phase == .resting }) else { return nil }
        let until = min(better.map { $0.retryUptime(isUrgent: false) }.min() ?? .max, buzzer.retryUptime ?? .max)
        return until > sampledUptime ? until : nil
    }

    /// What makes the sound, for all that is known.
    var activeOutput: ActiveOutput? {
        if buzzer == .heard { return .buzzer }
        guard let index = leadIndex, routes[index].isPlaying else { return nil }
        return .route(routes[index].route.id)
    }

    var leadIndex: Int? { lead.flatMap { index(of: $0) } }

    /// The lead, if its card takes frames.
    var playingLead: Int? { leadIndex.flatMap { routes[$0].isPlaying ? $0 : nil } }

    func index(of attempt: RouteAttempt) -> Int? { routes.firstIndex { $0.attemptNumber == attempt.number } }
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
        // Each ring is told of whatever stands in its way.
        reportedFailures = [:]
        if let lead { actions.append(.play(lead, playback)) }
    }

    /// Mutes an attempt; its next sound has not been heard yet.
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
            // One that takes frames is there, whatever is said of it.
            if routes[index].isInUse, !routes[index].isPlaying { fail(index, .gone, at: uptime) }
        }
        // One that was gone and is back is another card, whatever becomes of the first: that may hang for ever.
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
        // What nobody looked at may have moved in the meantime: it is looked at once more before it is judged.
        let isLate = uptime - sampledUptime > RoutingTimes.timeout
        let lastUptime = sampledUptime
        // Frames that were taken since the last look may have been taken right after it.
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
                // Once is enough.
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
        // Whoever asks the next time gets told anew.
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
    /// What is to be heard, if anything.
    var playback: Playback? {
        if case .play(let playback) = self { playback } else { nil }
    }
}

extension RouteFailure {
    /// Whether it says the same, but for how long it took.
    fileprivate func isAsBad(as other: RouteFailure) -> Bool {
        switch (self, other) {
        case (.openHangs, .openHangs), (.stalled, .stalled), (.tooManyHang, .tooManyHang): true
        default: self == other
        }
    }
}
