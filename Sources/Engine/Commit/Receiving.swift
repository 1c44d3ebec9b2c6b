// How what somebody wants is decided, and how it is answered.

import Alarms

extension Engine {
    mutating func receive(_ command: Command, _ request: Request) {
        switch commit.admit(request) {
        case .answered(let reply): effects.append(.reply(reply, to: request))
        case .waits: break
        case .new: receive(command, from: asking(request.door, request))
        }
    }

    /// Somebody asks for something now.
    func asking(_ door: Door, _ request: Request? = nil) -> Asking {
        Asking(
            request: request, door: door, uptime: clock.uptime, heard: request?.meant ?? sessions.current?.occurrence)
    }

    /// A command that may end a session is decided at once. All others wait until the change before is durable, or is not.
    mutating func receive(_ command: Command, from asking: Asking) {
        switch command {
        case .stop: stop(asking)
        case .answer(let result, let number): answer(result, to: number, asking)
        case .hold(let isHeld): hold(isHeld, asking)
        case .unlock(let id): unlock(id, asking)
        case .testRing(let ring, let seconds): prepareTest(ring, inSeconds: seconds, asking)
        case .look(let purpose): look(for: purpose, asking)
        case .cancelLook: cancelLook(asking)
        case .preflight:
            effects.append(.preflight)
            reply(.done(.done), to: asking)
        case .snooze, .save, .edit, .delete, .enable, .skip, .unskip, .pause, .saveSettings, .configure, .saveCalendar,
            .restore, .enrol, .forget, .keepCodeKey:
            if !commit.enqueue(command, asking) { reply(.refused(.busy), to: asking) }
        }
    }

    mutating func decideWaiting() {
        while let (command, asking) = commit.dequeue() {
            if case .snooze(let seconds) = command {
                snooze(seconds, asking)
                continue
            }
            do throws(Refusal) {
                let (facts, outcome) = try change(command, asking)
                if facts.isEmpty {
                    // It is so already, perhaps by the end of a ring that is still on its way to the disk.
                    reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
                } else {
                    commit.claim(
                        Claim(
                            asking: asking, facts: facts, outcome: outcome, clockVersion: clock.version,
                            zonesVersion: agenda.zones.version))
                }
            } catch {
                // Nobody in the room has asked for it, perhaps in the middle of the night.
                reply(.refused(error), to: asking, isTold: false)
            }
        }
    }

    /// Answers whoever asked; what was refused is told in the room as well.
    mutating func reply(_ reply: Reply, to asking: Asking, isTold: Bool = true) {
        if isTold, case .refused(let refusal) = reply { effects.append(.tell(.refused(refusal))) }
        guard let request = asking.request else { return }
        for request in commit.answer(request, reply) { effects.append(.reply(reply, to: request)) }
    }

    /// Answers when everything that is true now is durable, or known not to be.
    mutating func reply(_ reply: Reply, to asking: Asking, ifNotKept: Reply) {
        if let reply = commit.owe((asking, ifKept: reply, ifNotKept: ifNotKept)) {
            self.reply(reply, to: asking)
        }
    }

    /// The emergency way out, from elsewhere.
    private mutating func hold(_ isHeld: Bool, _ asking: Asking) {
        if isHeld {
            guard let session = sessions.addressed else { return reply(.refused(.nothingRings), to: asking) }
            guard session.terms.hasEmergencyExit else { return reply(.refused(.noEmergencyExit), to: asking) }
            buttons.hold(by: asking.door, uptime: clock.uptime)
        } else {
            buttons.release()
        }
        reply(.done(.done), to: asking)
    }

    /// Nobody waits for longer to hear a test.
    public static let testSecondsMax = 60

    private mutating func prepareTest(_ ring: RingSettings, inSeconds seconds: Int, _ asking: Asking) {
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: asking) }
        guard ring.problems.isEmpty else { return reply(.refused(.problems(ring.problems)), to: asking) }
        sessions.prepareTest(ring, at: clock.uptime + min(max(seconds, 0), Engine.testSecondsMax) * 1000)
        reply(.done(.done), to: asking)
    }
}
