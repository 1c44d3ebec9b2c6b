// A simulated speaker: real routing on simulated cards, with time that the caller advances.

import Glibc
import Sound

/// Routing on simulated cards. All times are uptimes in milliseconds, and never go back.
package struct SimulatedSpeaker: Sendable {
    package struct Report: Hashable, Sendable {
        package var uptime: Int
        package var report: SpeakerReport
    }

    package private(set) var routing: Routing
    /// All cards, whether plugged in or not.
    package private(set) var cards: [SimulatedCard]
    package var isBuzzerBroken = false
    package private(set) var uptime: Int
    /// The attempts, oldest first.
    private(set) var attempts: [SimulatedAttempt] = []
    private var isBuzzing = false
    private var reports: [Report] = []
    /// Kept to reuse its memory: a ring needs hundreds of samples.
    private var samples: [CardSample] = []

    package init(_ cards: [SimulatedCard], order: RouteOrder = .standard, hasBuzzer: Bool = true, uptime: Int = 0) {
        self.cards = cards
        self.uptime = uptime
        routing = Routing(order, hasBuzzer: hasBuzzer)
        reportCards()
    }

    /// Advances the time. Returns the reports since the last call.
    package mutating func advance(to end: Int) -> [Report] {
        run(to: end)
        defer { reports = [] }
        return reports
    }

    /// Advances the time and collects reports.
    private mutating func run(to end: Int) {
        while let next = nextUptime, next <= end {
            // A card that keeps playing gives the same samples, so only the last is taken.
            let last = settledUntilUptime.map { min($0 - 1, end) } ?? next
            let skipped = max(0, last - next) / Routing.sampleMilliseconds
            count(to: next + skipped * Routing.sampleMilliseconds)
            finishWhatIsDue()
            // This also samples at times when only an attempt was due. An extra sample does no harm.
            sampleCards()
        }
        count(to: end)
    }

    /// Advances the time to the first report or change of output, and returns that time. Nil if there is
    /// none by `end`.
    package mutating func advanceUnchanged(to end: Int) -> Int? {
        while let next = nextChangeUptime, next <= end {
            let before = outputNumber
            run(to: next)
            if !reports.isEmpty || outputNumber != before { return next }
        }
        return nil
    }

    /// The time until which the output stays the same without new events. Nil if it may change at any time.
    private var settledUntilUptime: Int? { isLeadSound ? routing.settledUntilUptime : nil }

    /// The time at which the output may change by itself, or now if reports wait. Nil if neither applies.
    package var nextChangeUptime: Int? {
        guard reports.isEmpty else { return uptime }
        guard let until = settledUntilUptime else { return nextUptime }
        return until == .max ? nil : until
    }

    /// The time of the next event that happens by itself, or nil if there is none.
    package var nextUptime: Int? {
        var next = routing.wakeUptime ?? .max
        for index in attempts.indices { next = min(next, attempts[index].dueUptime ?? .max) }
        return next == .max ? nil : next
    }

    package mutating func order(_ order: SpeakerOrder) { handle(.ordered(order)) }

    /// Changes a card now.
    package mutating func change(_ card: Route.ID, _ change: (inout SimulatedCard) -> Void) {
        guard let index = cards.firstIndex(where: { $0.route.id == card }) else { return }
        let before = cards[index]
        count(to: uptime)
        change(&cards[index])
        let after = cards[index]
        // An attempt that hangs with an unplugged card does not recover when a card is plugged in.
        let settling = attempts.filter { attempt in
            attempt.cardIndex == index && !(attempt.isStuck && !before.isPlugged && after.isPlugged)
        }
        if before.isPlugged != after.isPlugged { reportCards() }
        for attempt in settling { settle(attempt.attempt, on: after) }
    }

    /// A number that differs for each output, 0 for silence. Comparing it is cheaper than comparing `heard`.
    private var outputNumber: Int {
        var number = isBuzzing ? 1 : 0
        for index in attempts.indices where attempts[index].isHeard && cards[attempts[index].cardIndex].plays {
            number += 2 * attempts[index].attempt.number
        }
        return number
    }

    /// All audible sounds. More than one would be an error of the routing.
    package var heard: [AudibleSound] {
        var heard: [AudibleSound] = []
        for attempt in attempts where attempt.isHeard && cards[attempt.cardIndex].plays {
            guard let playback = attempt.playback, let level = playback.ramp.level(atUptime: uptime) else { continue }
            heard.append(AudibleSound(output: .route(attempt.attempt.route), sound: playback.sound, decibels: level))
        }
        if isBuzzing { heard.append(AudibleSound(output: .buzzer, decibels: 0)) }
        return heard
    }
}

extension SimulatedSpeaker {
    private func index(of attempt: RouteAttempt) -> Int? { attempts.firstIndex { $0.attempt.number == attempt.number } }

    private func cardIndex(_ card: Route.ID) -> Int? { cards.firstIndex { $0.route.id == card } }

    /// True if exactly one attempt is active and plays, so that not every sample is needed. An attempt that
    /// hangs does not count.
    private var isLeadSound: Bool {
        var movingCount = 0
        for index in attempts.indices where !attempts[index].isStuck {
            guard attempts[index].state == .open, cards[attempts[index].cardIndex].plays else { return false }
            movingCount += 1
        }
        return movingCount == 1
    }

    private mutating func count(to end: Int) {
        uptime = max(uptime, end)
        for index in attempts.indices {
            attempts[index].count(
                to: uptime, framesPerMillisecond: cards[attempts[index].cardIndex].framesPerMillisecond)
        }
    }

    private mutating func sampleCards() {
        samples.removeAll(keepingCapacity: true)
        for index in attempts.indices where attempts[index].state == .open {
            samples.append(CardSample(attempts[index].attempt, attempts[index].position))
        }
        handle(.sampled(samples))
    }

    private mutating func reportCards() { report(cards.filter(\.isPlugged).map(\.route)) }

    /// Reports these routes as present, whether they are or not.
    mutating func report(_ routes: [Route]) { handle(.routes(routes)) }

    private mutating func finishWhatIsDue() {
        guard attempts.indices.contains(where: { attempts[$0].dueUptime ?? .max <= uptime }) else { return }
        // One event may end other attempts, so each is looked up again.
        for attempt in attempts {
            guard let index = index(of: attempt.attempt), let due = attempts[index].dueUptime, due <= uptime else {
                continue
            }
            switch attempts[index].state {
            case .opening: open(attempt.attempt)
            case .closing: close(attempt.attempt)
            case .open: break
            }
        }
    }

    private mutating func open(_ attempt: RouteAttempt) {
        guard let index = index(of: attempt) else { return }
        let card = cards[attempts[index].cardIndex]
        switch card.fault {
        case _ where !card.isPlugged: handle(.failed(attempt, .system(.open, errorNumber: ENODEV)))
        case .refuses(let number), .breaks(let number): handle(.failed(attempt, .system(.open, errorNumber: number)))
        case .opensNever: attempts[index].state = .opening(readyUptime: nil)
        case nil, .stalls, .trickles, .closesNever:
            attempts[index].state = .open
            handle(.opened(attempt, rate: SimulatedAttempt.framesPerMillisecond * 1000))
        }
    }

    /// Applies a card's change to an attempt.
    private mutating func settle(_ attempt: RouteAttempt, on card: SimulatedCard) {
        guard let index = index(of: attempt) else { return }
        switch attempts[index].state {
        case .opening(nil) where !hangs(card):
            attempts[index].state = .opening(readyUptime: uptime + card.openMilliseconds)
        case .open where !card.isPlugged: handle(.failed(attempt, .gone))
        case .open:
            if case .breaks(let number) = card.fault {
                handle(.failed(attempt, .system(.write, errorNumber: number)))
            }
        case .closing(nil) where !hangs(card):
            attempts[index].state = .closing(doneUptime: uptime + SimulatedAttempt.closeMilliseconds)
        case .opening, .closing: break
        }
    }

    private mutating func close(_ attempt: RouteAttempt) {
        if let index = index(of: attempt) { attempts.remove(at: index) }
        handle(.closed(attempt))
    }

    private mutating func handle(_ event: RoutingEvent) {
        for action in routing.handle(event, at: uptime) { carryOut(action) }
    }

    private mutating func carryOut(_ action: RoutingAction) {
        switch action {
        case .open(let attempt) where attempts.count { $0.attempt.route == attempt.route } >= Routing.attemptsMax:
            handle(.failed(attempt, .tooManyHang(count: Routing.attemptsMax)))
            handle(.closed(attempt))
        case .open(let attempt):
            guard let card = cardIndex(attempt.route) else { return }
            let ready = uptime + cards[card].openMilliseconds
            attempts.append(SimulatedAttempt(attempt, onCard: card, .opening(readyUptime: ready), at: uptime))
        case .play(let attempt, let playback): if let index = index(of: attempt) { attempts[index].sound(playback) }
        case .mute(let attempt): if let index = index(of: attempt) { attempts[index].mute() }
        case .close(let attempt): release(attempt)
        case .buzz(let isOn):
            if !isBuzzerBroken { isBuzzing = isOn }
            handle(.buzzed(isOn: isOn, isDone: !isBuzzerBroken))
        case .report(let report): reports.append(Report(uptime: uptime, report: report))
        }
    }

    private mutating func release(_ attempt: RouteAttempt) {
        guard let index = index(of: attempt) else { return }
        attempts[index].mute()
        let soonest = uptime + SimulatedAttempt.closeMilliseconds
        switch attempts[index].state {
        // A pending open cannot be cancelled. The card is free when it has ended.
        case .opening(let ready): attempts[index].state = .closing(doneUptime: ready.map { max($0, soonest) })
        case .open, .closing:
            attempts[index].state = .closing(doneUptime: hangs(cards[attempts[index].cardIndex]) ? nil : soonest)
        }
    }

    /// Returns whether the card leaves requests unanswered.
    private func hangs(_ card: SimulatedCard) -> Bool {
        switch card.fault {
        // An unplugged card does not close either.
        case .closesNever: true
        case .opensNever: card.isPlugged
        case nil, .stalls, .trickles, .refuses, .breaks: false
        }
    }
}
