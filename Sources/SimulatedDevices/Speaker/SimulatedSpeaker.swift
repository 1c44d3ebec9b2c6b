// A speaker in a room where no time passes by itself: routing, with simulated cards for hands.

import Glibc
import Sound

/// Routing on simulated cards. All times are milliseconds since the machine was started, and never go back.
package struct SimulatedSpeaker: Sendable {
    package struct Report: Hashable, Sendable {
        package var uptime: Int
        package var report: SpeakerReport
    }

    package private(set) var routing: Routing
    /// All cards that there ever are.
    package private(set) var cards: [SimulatedCard]
    package var isBuzzerBroken = false
    package private(set) var uptime: Int
    /// The oldest first.
    private(set) var attempts: [SimulatedAttempt] = []
    private var isBuzzing = false
    private var reports: [Report] = []
    /// Kept for its memory: a ring takes hundreds of samples.
    private var samples: [CardSample] = []

    package init(_ cards: [SimulatedCard], order: RouteOrder = .standard, hasBuzzer: Bool = true, uptime: Int = 0) {
        self.cards = cards
        self.uptime = uptime
        routing = Routing(order, hasBuzzer: hasBuzzer)
        reportCards()
    }

    /// Lets time pass, and answers with what the speaker has told since it was asked last.
    package mutating func advance(to end: Int) -> [Report] {
        run(to: end)
        defer { reports = [] }
        return reports
    }

    /// Lets time pass, and keeps what there is to tell.
    private mutating func run(to end: Int) {
        while let next = nextUptime, next <= end {
            // All samples of a card that plays on are alike: the last of them is enough.
            let last = settledUntilUptime.map { min($0 - 1, end) } ?? next
            let skipped = max(0, last - next) / Routing.sampleMilliseconds
            count(to: next + skipped * Routing.sampleMilliseconds)
            finishWhatIsDue()
            // What is due by itself is sampled, too: one sample more does no harm.
            sampleCards()
        }
        count(to: end)
    }

    /// Lets time pass for as long as nothing is told and no other output is heard. Answers when that was over, if it was not
    /// until `end`: then somebody has to listen.
    package mutating func advanceUnchanged(to end: Int) -> Int? {
        while let next = nextChangeUptime, next <= end {
            let before = outputNumber
            run(to: next)
            if !reports.isEmpty || outputNumber != before { return next }
        }
        return nil
    }

    /// Until when what is heard goes on as it is if nobody does anything.
    private var settledUntilUptime: Int? { isLeadSound ? routing.settledUntilUptime : nil }

    /// When what is heard may change by itself, or there is something to tell; nothing when neither.
    package var nextChangeUptime: Int? {
        guard reports.isEmpty else { return uptime }
        guard let until = settledUntilUptime else { return nextUptime }
        return until == .max ? nil : until
    }

    /// When something happens by itself next; nothing when nothing does.
    package var nextUptime: Int? {
        var next = routing.wakeUptime ?? .max
        for index in attempts.indices { next = min(next, attempts[index].dueUptime ?? .max) }
        return next == .max ? nil : next
    }

    package mutating func order(_ order: SpeakerOrder) { handle(.ordered(order)) }

    /// Changes what a card is like, now.
    package mutating func change(_ card: Route.ID, _ change: (inout SimulatedCard) -> Void) {
        guard let index = cards.firstIndex(where: { $0.route.id == card }) else { return }
        let before = cards[index]
        count(to: uptime)
        change(&cards[index])
        let after = cards[index]
        // What hangs with a card that was pulled out knows nothing of the one that is plugged in.
        let settling = attempts.filter { attempt in
            attempt.cardIndex == index && !(attempt.isStuck && !before.isPlugged && after.isPlugged)
        }
        if before.isPlugged != after.isPlugged { reportCards() }
        for attempt in settling { settle(attempt.attempt, on: after) }
    }

    /// Another number for every output: 0 while nothing is heard. It costs less to compare than what is heard.
    private var outputNumber: Int {
        var number = isBuzzing ? 1 : 0
        for index in attempts.indices where attempts[index].isHeard && cards[attempts[index].cardIndex].plays {
            number += 2 * attempts[index].attempt.number
        }
        return number
    }

    /// All that is heard now: never more than one, if nothing is wrong.
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

    /// Whether the one card that sounds goes on as it does: then not every sample of it is needed. What hangs does
    /// nothing by itself.
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

    /// Says which cards there are, whether that is so or not.
    mutating func report(_ routes: [Route]) { handle(.routes(routes)) }

    private mutating func finishWhatIsDue() {
        guard attempts.indices.contains(where: { attempts[$0].dueUptime ?? .max <= uptime }) else { return }
        // Whatever is told of one may end others.
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

    /// What a card's change means for an attempt.
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
        // Nobody can take back what the system has been asked for: it ends when it does.
        case .opening(let ready): attempts[index].state = .closing(doneUptime: ready.map { max($0, soonest) })
        case .open, .closing:
            attempts[index].state = .closing(doneUptime: hangs(cards[attempts[index].cardIndex]) ? nil : soonest)
        }
    }

    /// Whether what was asked of it is not answered.
    private func hangs(_ card: SimulatedCard) -> Bool {
        switch card.fault {
        // One that is pulled out answers no more than before.
        case .closesNever: true
        case .opensNever: card.isPlugged
        case nil, .stalls, .trickles, .refuses, .breaks: false
        }
    }
}
