// A speaker in a room where no time passes by itself: routing, with simulated cards for hands.

import Devices
import Glibc

/// Routing that runs on simulated cards, as far as it is told that time has passed.
///
/// All times are milliseconds since the machine was started, and never go back.
public struct SimulatedSpeaker: Sendable {
    /// What it has told, and when.
    public struct Report: Hashable, Sendable {
        /// When.
        public var uptime: Int
        /// What.
        public var report: SpeakerReport
    }

    /// What decides.
    public private(set) var routing: Routing
    /// All cards that there ever are.
    public private(set) var cards: [SimulatedCard]
    /// Whether the buzzer does not do what it is told.
    public var isBuzzerBroken = false
    /// How far time has passed.
    public private(set) var uptime: Int
    private(set) var tries: [Attempt: SimulatedTry] = [:]
    private var isBuzzing = false
    private var reports: [Report] = []

    /// A speaker with these cards.
    public init(_ cards: [SimulatedCard], order: RouteOrder = .standard, hasBuzzer: Bool = true, uptime: Int = 0) {
        self.cards = cards
        self.uptime = uptime
        routing = Routing(order, hasBuzzer: hasBuzzer)
        tellCards()
    }

    /// Lets time pass, and answers with what the speaker has told since it was asked last.
    public mutating func advance(to end: Int) -> [Report] {
        while let next = nextUptime, next <= end {
            // Nothing is seen in all the looks at a card that plays on: the last of them is enough.
            let last = settledUntilUptime.map { min($0 - 1, end) } ?? next
            let skipped = max(0, last - next) / Routing.lookMilliseconds
            pass(to: next + skipped * Routing.lookMilliseconds)
            finishWhatIsDue()
            // What is due by itself is looked at, too: nobody minds being looked at once more.
            look()
        }
        pass(to: end)
        defer { reports = [] }
        return reports
    }

    /// Until when what is heard goes on as it is if nobody does anything.
    private var settledUntilUptime: Int? { isLeadSound ? routing.settledUntilUptime : nil }

    /// When what is heard may change by itself, or there is something to tell; nothing when neither.
    public var nextChangeUptime: Int? {
        guard reports.isEmpty else { return uptime }
        guard let until = settledUntilUptime else { return nextUptime }
        return until == .max ? nil : until
    }

    /// When something happens by itself next; nothing when nothing does.
    public var nextUptime: Int? {
        (tries.values.compactMap(\.dueUptime) + [routing.wakeUptime].compactMap(\.self)).min()
    }

    /// Orders something else, now.
    public mutating func order(_ order: SpeakerOrder) { handle(.ordered(order)) }

    /// Changes what a card is like, now.
    public mutating func change(_ card: Route.ID, _ change: (inout SimulatedCard) -> Void) {
        guard let index = cards.firstIndex(where: { $0.route.id == card }) else { return }
        let before = cards[index]
        pass(to: uptime)
        change(&cards[index])
        let after = cards[index]
        // What hangs with a card that was pulled out knows nothing of the one that is plugged in.
        let settling = attempts(on: card).filter { !(isStuck($0) && !before.isPlugged && after.isPlugged) }
        if before.isPlugged != after.isPlugged { tellCards() }
        for attempt in settling { settle(attempt, on: after) }
    }

    /// All that is heard now: never more than one, if nothing is wrong.
    public var heard: [Heard] {
        var heard: [Heard] = []
        for (attempt, trial) in tries where trial.isHeard && card(of: attempt)?.plays ?? false {
            guard let playback = trial.playback, let level = playback.ramp.level(atUptime: uptime) else { continue }
            heard.append(Heard(voice: .route(attempt.route), sound: playback.sound, decibels: level))
        }
        if isBuzzing { heard.append(Heard(voice: .buzzer, decibels: 0)) }
        return heard
    }
}

extension SimulatedSpeaker {
    private func card(of attempt: Attempt) -> SimulatedCard? { cards.first { $0.route.id == attempt.route } }

    private func attempts(on card: Route.ID) -> [Attempt] {
        tries.keys.filter { $0.route == card }.sorted { $0.number < $1.number }
    }

    /// Whether the one card that sounds goes on as it does: then nobody needs to look at each of its looks. What hangs does
    /// nothing by itself.
    private var isLeadSound: Bool {
        let moving = tries.filter { !isStuck($0.key) }
        return moving.count == 1 && moving.allSatisfy { $1.state == .open && card(of: $0)?.plays ?? false }
    }

    private mutating func pass(to end: Int) {
        uptime = max(uptime, end)
        for attempt in tries.keys {
            let frames = card(of: attempt)?.framesPerMillisecond ?? 0
            tries[attempt]?.count(to: uptime, framesPerMillisecond: frames)
        }
    }

    private mutating func look() {
        handle(.looked(tries.filter { $0.value.state == .open }.mapValues(\.position)))
    }

    private mutating func tellCards() { tell(cards.filter(\.isPlugged).map(\.route)) }

    /// Says which cards there are, whether that is so or not.
    mutating func tell(_ routes: [Route]) { handle(.routes(routes)) }

    private mutating func finishWhatIsDue() {
        for attempt in tries.keys.sorted(by: { $0.number < $1.number }) {
            guard let due = tries[attempt]?.dueUptime, due <= uptime else { continue }
            switch tries[attempt]?.state {
            case .opening: open(attempt)
            case .closing: close(attempt)
            case nil, .open: break
            }
        }
    }

    private mutating func open(_ attempt: Attempt) {
        guard let card = card(of: attempt) else { return }
        switch card.fault {
        case _ where !card.isPlugged: handle(.failed(attempt, .system(.open, errorNumber: ENODEV)))
        case .refuses(let number), .breaks(let number): handle(.failed(attempt, .system(.open, errorNumber: number)))
        case .opensNever: tries[attempt]?.state = .opening(readyUptime: nil)
        case nil, .stalls, .trickles, .closesNever:
            tries[attempt]?.state = .open
            handle(.opened(attempt, rate: SimulatedTry.framesPerMillisecond * 1000))
        }
    }

    /// What a card's change means for a try.
    private mutating func settle(_ attempt: Attempt, on card: SimulatedCard) {
        switch tries[attempt]?.state {
        case .opening(nil) where !hangs(card):
            tries[attempt]?.state = .opening(readyUptime: uptime + card.openMilliseconds)
        case .open where !card.isPlugged: handle(.failed(attempt, .gone))
        case .open:
            if case .breaks(let number) = card.fault {
                handle(.failed(attempt, .system(.write, errorNumber: number)))
            }
        case .closing(nil) where !hangs(card):
            tries[attempt]?.state = .closing(doneUptime: uptime + SimulatedTry.closeMilliseconds)
        case nil, .opening, .closing: break
        }
    }

    private mutating func close(_ attempt: Attempt) {
        tries[attempt] = nil
        handle(.closed(attempt))
    }

    private mutating func handle(_ event: RoutingEvent) {
        for action in routing.handle(event, at: uptime) { carryOut(action) }
    }

    private mutating func carryOut(_ action: RoutingAction) {
        switch action {
        case .open(let attempt) where attempts(on: attempt.route).count >= Routing.triesMax:
            handle(.failed(attempt, .tooManyHang(count: Routing.triesMax)))
            handle(.closed(attempt))
        case .open(let attempt):
            let ready = uptime + (card(of: attempt)?.openMilliseconds ?? 0)
            tries[attempt] = SimulatedTry(.opening(readyUptime: ready), at: uptime)
        case .sound(let attempt, let playback): tries[attempt]?.sound(playback)
        case .hush(let attempt): tries[attempt]?.hush()
        case .close(let attempt): release(attempt)
        case .buzz(let isOn):
            if !isBuzzerBroken { isBuzzing = isOn }
            handle(.buzzed(isOn: isOn, isDone: !isBuzzerBroken))
        case .tell(let report): reports.append(Report(uptime: uptime, report: report))
        }
    }

    private mutating func release(_ attempt: Attempt) {
        guard var trial = tries[attempt] else { return }
        trial.hush()
        let soonest = uptime + SimulatedTry.closeMilliseconds
        switch trial.state {
        // Nobody can take back what the system has been asked for: it ends when it does.
        case .opening(let ready): trial.state = .closing(doneUptime: ready.map { max($0, soonest) })
        case .open, .closing:
            let isFree = card(of: attempt).map { !hangs($0) } ?? true
            trial.state = .closing(doneUptime: isFree ? soonest : nil)
        }
        tries[attempt] = trial
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

    /// Whether a try is not let go of, for all that is known.
    private func isStuck(_ attempt: Attempt) -> Bool { tries[attempt]?.state == .closing(doneUptime: nil) }
}
