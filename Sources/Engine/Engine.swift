// The whole behaviour, as one state machine: what happened goes in, what is to be done comes out.

/// Decides everything and does nothing: it touches no clock, file, thread or device, so the same inputs at the same moments
/// always lead to the same effects.
///
/// The state that lasts is the fold of facts. An event becomes a fact at once and is written down beside it: no ring waits for
/// the disk. What somebody asks for becomes a fact when it is durable, and is answered then.
public struct Engine: Sendable {
    var agenda = Agenda()
    var sessions = Sessions()
    var commit = Commit()
    var attempts = Attempts()
    var buttons = Buttons()
    var preflight = Preflight()
    /// A code is held before the camera though nothing rings.
    var codeLook: CodeLook?
    var told = Orders()
    var effects: [Effect] = []
    private(set) var isStarted = false

    /// An engine that knows what the journal has, in the journal's order, and has not been started.
    public init(replaying entries: some Sequence<Entry> = EmptyCollection()) {
        for entry in entries { apply(entry) }
    }

    /// Makes a fact part of what is known.
    mutating func apply(_ entry: Entry) {
        agenda.apply(entry, takingBack: sessions.apply(entry))
        preflight.apply(entry.fact)
    }

    var clock: Clock { agenda.clock }

    /// The zones that alarms and the settings name.
    public var zoneNames: Set<String> {
        Set(agenda.alarms.all.compactMap(\.alarm.zoneName)).union([agenda.settings.zoneName].compactMap(\.self))
    }

    /// Takes what has happened, and answers with all that is to be done about it. The first input is the start.
    public mutating func handle(_ input: Input, at moment: Moment) -> [Effect] {
        effects = []
        let step = agenda.update(at: moment)
        if case .start(let start) = input, !isStarted {
            isStarted = true
            self.start(start)
        }
        guard isStarted else { return [] }
        if let step { clockWasSet(step) }
        catchUp()
        take(input)
        catchUp()
        // Sound first, the record beside it.
        giveSound()
        sendBatch()
        giveOrders()
        return effects
    }

    private mutating func start(_ start: Start) {
        agenda.start(start)
        attempts.start(start)
        // Nobody has seen how the clock came to show what it shows now.
        let unseen = Clock.Step(from: agenda.newestMilliseconds, to: clock.now)
        resumeSessions()
        // A lock-out goes on, and is shown.
        if let session = sessions.addressed, session.lockedOutUntilMilliseconds > clock.now { beginAttempt(session) }
        if clock.isTrusted, unseen.from > unseen.to + Clock.creepMax { clockWasSet(unseen) }
        if clock.isTrusted, agenda.alarms.all.contains(where: \.position.isProvisional) {
            if abs(unseen.to - unseen.from) >= Engine.confirmedMilliseconds {
                note(agenda.movesOfProvisional(agenda.alarms.all))
            }
            note(.clockTrusted(true))
        }
        machineIsIn(start.zone)
        writeDownPauses()
        planAll()
        preflight.start(at: clock.uptime)
    }

    private mutating func take(_ input: Input) {
        switch input {
        case .start: break
        // Whoever calls has used up what it was told: it is told again.
        case .timer: told.wake = nil
        case .clockTrusted(let isTrusted): clockIsTrusted(isTrusted)
        case .zoneChanged(let zone): machineIsIn(zone)
        case .zonesRead(let others): readZones(others)
        case .button(let button, let isDown, let uptime):
            buttonMoved(button, isDown: isDown, at: min(uptime ?? clock.uptime, clock.uptime))
        case .buttonFound(let button, let isDown): buttons.find(button, isDown: isDown, uptime: clock.uptime)
        case .frame(let codes, let isDark, let takenUptime): see(codes, isDark: isDark, takenUptime: takenUptime)
        case .step(let uptime): apply(.step(uptime: min(uptime ?? clock.uptime, clock.uptime)), at: .steps)
        case .tag(let digests, let isRandom): touch(digests, isRandom: isRandom)
        case .typed(let number): answer(number, to: nil, asking(.keypad))
        case .audioStarted(let route, let latency):
            guard let heard = sessions.heard else { break }
            sessions.play(by: route)
            note(.audioStarted(heard.occurrence, route: route, latencyMilliseconds: latency))
        case .audioFailed(let route, let reason):
            if let heard = sessions.heard { note(.audioFailed(heard.occurrence, route: route, reason: reason)) }
        case .health(.buttons, let health):
            buttons.hear(health)
            if preflight.health[.buttons] == nil { found(.buttons, health) }
        case .health(let part, let health): found(part, health)
        case .command(let command, let request): receive(command, request)
        case .kept(let number): kept(number)
        case .notKept(let number, let reason): notKept(number, reason: reason)
        }
    }

    /// Does everything whose time has come.
    private mutating func catchUp() {
        ringDue()
        ringTest()
        endPauses()
        endUnanswered()
        watchButtons()
        watchLook()
        keepAttempt()
        watchPreflight()
        watchLocks()
        watchDisk()
        decideWaiting()
    }
}
