// The rules of routing: which attempt leads, which routes are opened, and when the buzzer starts.

extension Routing {
    mutating func lead(at uptime: Int) {
        let next: Int?
        if let lead = playingLead {
            next = routes[..<lead].firstIndex { $0.healthyMilliseconds(at: uptime) >= RoutingTimes.better }
            if next != nil { change = .better }
        } else {
            let provedFor = buzzer == .heard ? RoutingTimes.afterBuzzer : 0
            let playing = routes.firstIndex { $0.healthyMilliseconds(at: uptime) >= provedFor }
            // While nothing is audible, an open card leads without evidence, because nothing can be lost.
            // There are two exceptions. One is a buzzer that sounds. The other is a buzzer that has just
            // failed: it is retried at its own time, and an earlier lead gains nothing.
            let mayLeadUnproved = lead == nil && buzzer != .heard && buzzer.retryUptime == nil && wanted.playback != nil
            next = playing ?? (mayLeadUnproved ? routes.firstIndex { $0.isOpenAndHealthy } : nil)
            if buzzer == .heard {
                if playing != nil { change = .better }
            } else if lead != nil, change == .nothingElse {
                change = .suspected
            }
        }
        guard let next, let attempt = routes[next].attempt, attempt != lead else { return }
        if let playback = wanted.playback {
            stopBuzzing(at: uptime)
            if let lead { mute(lead) }
            actions.append(.play(attempt, playback))
        }
        lead = attempt
    }

    mutating func open(at uptime: Int) {
        if let lead = playingLead {
            for index in routes.indices where index < lead && routes[index].mayOpen(at: uptime, isUrgent: false) {
                open(index, at: uptime)
            }
            for index in routes.indices where index > lead { close(index, at: uptime) }
            return
        }
        let mayStillPlay = routes.contains { $0.mayStillPlay }
        guard !mayStillPlay || uptime >= openedUptime + RoutingTimes.stagger else { return }
        guard let index = routes.firstIndex(where: { $0.mayOpen(at: uptime, isUrgent: true) }) else { return }
        open(index, at: uptime)
    }

    private mutating func open(_ index: Int, at uptime: Int) {
        attemptCount += 1
        openedUptime = uptime
        let attempt = RouteAttempt(route: routes[index].route.id, number: attemptCount)
        routes[index].phase = .opening(attempt, sinceUptime: uptime, isLate: false)
        actions.append(.open(attempt))
    }

    mutating func buzz(at uptime: Int) {
        guard let mayBuzz = mayBuzzUptime, mayBuzz <= uptime else { return }
        if let lead {
            mute(lead)
            if change == .nothingElse { change = .suspected }
        }
        lead = nil
        buzzer = .starting
        actions.append(.buzz(true))
    }

    /// When the buzzer must start; nil if it is not needed or already has its order.
    private var mayBuzzUptime: Int? {
        guard hasBuzzer, wanted.playback != nil, playingLead == nil else { return nil }
        switch buzzer {
        case .starting, .heard, .stopping: return nil
        case .failed(let retry): return retry
        case .off, .stuck:
            let isAnyLeft = !areRoutesKnown || routes.contains { $0.isInUse || $0.isClosingUnneeded }
            return heardUptime + (isAnyLeft ? RoutingTimes.buzzer : 0)
        }
    }

    /// Reports the active output if it has changed and has been heard.
    mutating func reportOutput(at uptime: Int) {
        guard wanted.playback != nil, let activeOutput, activeOutput != reportedOutput else { return }
        guard buzzer == .heard || leadIndex.flatMap({ routes[$0].evidence })?.isHeard ?? false else { return }
        if isStarted {
            actions.append(.report(.changed(from: reportedOutput, to: activeOutput, change)))
        } else {
            actions.append(.report(.started(activeOutput, latencyMilliseconds: uptime - orderedUptime)))
        }
        (reportedOutput, isStarted, change) = (activeOutput, true, .nothingElse)
    }

    func nextWake(after uptime: Int) -> Int? {
        guard wanted != .silent else { return buzzer.retryUptime }
        var wake = min(buzzer.retryUptime ?? .max, mayBuzzUptime ?? .max)
        let isUrgent = playingLead == nil
        if routes.contains(where: { $0.evidence != nil }) {
            let isProved = routes.allSatisfy { $0.evidence?.isPlaying ?? true }
            let isTold = wanted.playback == nil || activeOutput == reportedOutput && buzzer != .heard
            wake = min(wake, sampledUptime + (isProved && isTold ? RoutingTimes.sampling : RoutingTimes.eagerSampling))
        }
        for index in routes.indices {
            switch routes[index].phase {
            case .opening(_, let since, let isLate):
                wake = min(wake, since + (isLate ? RoutingTimes.openTimeout : RoutingTimes.timeout))
            case .closing(_, let since): wake = min(wake, since + RoutingTimes.closeTimeout)
            case .resting where routes[index].isPresent && index < playingLead ?? routes.count:
                let retry = routes[index].retryUptime(isUrgent: isUrgent)
                let mayStillPlay = isUrgent && routes.contains { $0.mayStillPlay }
                wake = min(wake, mayStillPlay ? max(retry, openedUptime + RoutingTimes.stagger) : retry)
            // An extra sample must not postpone the one that shows that this card has stopped.
            case .open(_, let evidence) where evidence.isPlaying && !evidence.isSuspect:
                wake = min(wake, evidence.movedUptime + RoutingTimes.suspect)
            case .resting, .open: break
            }
        }
        return wake == .max ? nil : max(wake, uptime + 1)
    }
}
