// Receives, decides and answers commands.

import Alarms

extension Engine {
    mutating func receive(_ command: Command, _ request: RequestHeader) {
        switch writes.admit(request) {
        case .answered(let reply): effects.append(.reply(reply, to: request))
        case .waits: break
        case .new: dispatch(command, from: context(request.origin, request))
        }
    }

    func context(_ origin: Origin, _ request: RequestHeader? = nil) -> CommandContext {
        CommandContext(
            request: request, origin: origin, uptime: clock.uptime,
            heard: request?.ifRing ?? sessions.current?.occurrence)
    }

    /// Queues a snooze or a change behind earlier ones. Decides every other command at once, because a stop
    /// must not wait for the disk.
    mutating func dispatch(_ command: Command, from context: CommandContext) {
        switch command {
        case .stop: stop(context)
        case .awake: answerCheck(context)
        case .answer(let result, let number): answer(result, to: number, context)
        case .hold(let isHeld): hold(isHeld, context)
        case .unlock(let id): unlock(id, context)
        case .testRing(let ring, let seconds): prepareTest(ring, inSeconds: seconds, context)
        case .scan(let purpose): beginScan(for: purpose, context)
        case .cancelScan: cancelScan(context)
        case .done(let id) where sessions[alarm: id] != nil:
            if let session = sessions[alarm: id] { endAsDone(session, context) }
        case .inBed: goToBed(context)
        case .client(let command) where !command.isChange: carryOut(command, context)
        case .preflight:
            effects.append(.preflight)
            reply(.done(.done), to: context)
        case .snooze, .add, .save, .edit, .delete, .enable, .skip, .unskip, .pause, .postpone, .done,
            .saveSettings, .configure, .saveCalendar, .restore, .enrol, .forget, .keepCodeKey, .clearHistory, .client:
            if !writes.enqueue(command, context) { reply(.refused(.busy), to: context) }
        }
    }

    mutating func decideQueued() {
        while let (command, context) = writes.dequeue() {
            if case .snooze(let seconds) = command {
                snooze(seconds, context)
                continue
            }
            if command == .clearHistory {
                clearHistory(context)
                continue
            }
            do throws(Refusal) {
                let (facts, outcome) = try change(command, context)
                if case .client(.claim) = command { pairing.spendInvitation() }
                if facts.isEmpty {
                    // Nothing changes, but the present state may not be durable yet, for instance right
                    // after a ring has ended.
                    reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
                } else {
                    writes.submit(
                        PendingChange(
                            facts, outcome, for: context, clockVersion: clock.version,
                            zonesVersion: agenda.zones.version))
                }
            } catch {
                // No prompt: the command did not come from the device, and the sleeper may be asleep.
                reply(.refused(error), to: context, isPrompted: false)
            }
        }
    }

    /// Replies to the sender. A refusal also prompts the sleeper unless `isPrompted` is false.
    mutating func reply(_ reply: Reply, to context: CommandContext, isPrompted: Bool = true) {
        if isPrompted, case .refused(let refusal) = reply { effects.append(.prompt(.refused(refusal))) }
        guard let request = context.request else { return }
        for _ in 0..<writes.answer(request, reply) { effects.append(.reply(reply, to: request)) }
    }

    /// Replies once all facts so far are durable, or have failed.
    mutating func reply(_ reply: Reply, to context: CommandContext, ifFailed: Reply) {
        if let reply = writes.replyWhenDurable((context, ifDurable: reply, ifFailed: ifFailed)) {
            self.reply(reply, to: context)
        }
    }

    private mutating func hold(_ isHeld: Bool, _ context: CommandContext) {
        if isHeld {
            guard let session = sessions.addressed, context.request?.ifRing.map({ $0 == session.occurrence }) ?? true
            else { return reply(.refused(sessions.nothingToEnd), to: context) }
            guard session.terms.hasEmergencyExit else { return reply(.refused(.noEmergencyExit), to: context) }
            buttons.hold(by: context.sender, uptime: clock.uptime)
        } else {
            buttons.release()
        }
        reply(.done(.done), to: context)
    }

    /// The age up to which rings and events cannot be cleared: a cheating owner must not remove the record of
    /// this morning.
    private static let evidenceMilliseconds = 86_400_000

    /// Clears the history as an event, and not as a change: no other change is on its way to the disk now, so
    /// the journal has the same order.
    private mutating func clearHistory(_ context: CommandContext) {
        record(.historyCleared(before: clock.now - Engine.evidenceMilliseconds, by: context.sender))
        reply(.done(.done), to: context, ifFailed: .done(.unwritten(.done)))
    }

    package static let testSecondsMax = 60

    private mutating func prepareTest(_ ring: RingSettings, inSeconds seconds: Int, _ context: CommandContext) {
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: context) }
        guard ring.problems.isEmpty else { return reply(.refused(.problems(ring.problems)), to: context) }
        sessions.prepareTest(ring, at: clock.uptime + min(max(seconds, 0), Engine.testSecondsMax) * 1000)
        reply(.done(.done), to: context)
    }
}
