// The engine: the whole behaviour as one state machine, from inputs to effects.

import Agenda
import Alarms
import Challenges
import CivilTime
import Clients

/// A value that decides everything and carries out nothing. It uses no clock, file, thread or device, so the
/// same inputs at the same moments always lead to the same effects.
///
/// The durable state is the fold of facts. An event becomes a fact at once and is written meanwhile: no ring
/// waits for the disk. An owner's change becomes a fact when it is durable, and its reply is sent then.
package struct Engine: Sendable {
    package internal(set) var agenda = Agenda()
    package internal(set) var sessions = Sessions()
    package internal(set) var writes = WriteQueue()
    package internal(set) var challengeState = ChallengeState()
    package internal(set) var buttons = ButtonStates()
    package internal(set) var preflight = Preflight()
    package internal(set) var events = EventLog()
    package internal(set) var clients = PairedClients()
    var pairing = Pairing()
    /// The scan in progress, to enrol or test a code.
    package internal(set) var codeScan: CodeScan?
    /// The last chime of a bedtime; nil if there was none.
    var chime: SoundOrder?
    /// The search for a code that answers a wake-up check.
    var checkSearch: CodeSearch?
    var emitted = Orders()
    var effects: [Effect] = []
    private(set) var isStarted = false

    /// An engine that has replayed a journal's entries, in the journal's order, and is not started yet.
    package init(replaying entries: some Sequence<Entry> = EmptyCollection()) {
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        agenda.apply(entry, takingBack: sessions.apply(entry))
        preflight.apply(entry.fact)
        applyToClients(entry.fact)
        events.apply(entry)
    }

    package var clock: Clock { agenda.clock }

    package var zoneNames: Set<String> {
        Set(agenda.alarms.all.compactMap(\.alarm.zoneName)).union([agenda.settings.zoneName].compactMap(\.self))
    }

    /// Handles an input and returns the effects to carry out. The first input is the start.
    package mutating func handle(_ input: Input, at moment: Moment) -> [Effect] {
        effects = []
        let step = agenda.update(at: moment)
        if case .start(let start) = input, !isStarted {
            isStarted = true
            self.start(start)
        }
        guard isStarted else { return [] }
        if let step { clockWasSet(step) }
        processDeadlines()
        route(input)
        processDeadlines()
        // Sound first: it must not wait for the record.
        emitSound()
        sendBatch()
        emitOrders()
        return effects
    }

    private mutating func start(_ start: Start) {
        agenda.start(isClockTrusted: start.isClockTrusted, Zones(machine: start.zone, others: start.zones))
        challengeState.start(start)
        pairing = Pairing(start)
        configureParts(start)
        // The clock may have been set while the service was not running.
        let unseen = Clock.Step(from: agenda.newestMilliseconds, to: clock.now)
        resumeSessions()
        // Shows a lock-out that continues in the status.
        if let session = sessions.addressed, session.lockedOutUntilMilliseconds > clock.now { beginChallenge(session) }
        if clock.isTrusted, unseen.from > unseen.to + Clock.creepMax { clockWasSet(unseen) }
        if clock.isTrusted, agenda.alarms.all.contains(where: \.position.isProvisional) {
            if abs(unseen.to - unseen.from) >= Engine.confirmedMilliseconds {
                record(agenda.movesOfProvisional(agenda.alarms.all))
            }
            record(.clockTrusted(true))
        }
        machineZoneChanged(start.zone)
        recordPauses()
        planAll()
        preflight.start(at: clock.uptime)
    }

    private mutating func route(_ input: Input) {
        switch input {
        case .start: break
        // The timer has fired and must be armed again.
        case .timer: emitted.wake = nil
        case .clockTrusted(let isTrusted): clockTrustChanged(isTrusted)
        case .zoneChanged(let zone): machineZoneChanged(zone)
        case .zonesRead(let others): zonesRead(others)
        case .button(let button, let isDown, let uptime):
            buttonMoved(button, isDown: isDown, at: min(uptime ?? clock.uptime, clock.uptime))
        case .buttonFound(let button, let isDown): buttons.reset(button, isDown: isDown, uptime: clock.uptime)
        case .frame(let codes, let isDark, let takenUptime):
            processFrame(codes, isDark: isDark, takenUptime: takenUptime)
        case .step(let uptime): step(at: min(uptime ?? clock.uptime, clock.uptime))
        case .tag(let digests, let isRandom): tagRead(digests, isRandom: isRandom)
        case .typed(let number):
            if !answerChecks(at: clock.uptime, by: .keypad) { answer(number, to: nil, context(.keypad)) }
        case .keyPressed: _ = answerChecks(at: clock.uptime, by: .keypad)
        case .audioStarted(let route, let latency):
            guard let heard = sessions.heard else { break }
            sessions.play(by: route)
            record(.audioStarted(heard.occurrence, route: route, latencyMilliseconds: latency))
        case .audioFailed(let route, let reason):
            if let heard = sessions.heard { record(.audioFailed(heard.occurrence, route: route, reason: reason)) }
        case .health(let part, let health):
            preflight.tested(part, at: clock.uptime)
            if part == .buttons { buttons.setLineHealth(health) }
            if part != .buttons || preflight.health[.buttons] == nil { healthReported(part, health) }
        case .clientSeen(let id): clientSeen(id)
        case .command(let command, let request): receive(command, request)
        case .committed(let number): batchCommitted(number)
        case .commitFailed(let number, let reason): batchFailed(number, reason: reason)
        }
    }
}
