// The commands and deadlines of pairing.

import Alarms
import Challenges
import Clients
import Text

extension Pairing {
    init(_ start: Start) {
        let both: [Button] = start.kinds.contains(.pattern) ? [.snooze, .stop] : [start.hasButtons ? .stop : .snooze]
        let seed = SeededGenerator(seed: start.seed, 1)
        self.init(buttons: start.parts.contains(.buttons) ? both : [], chance: seed)
    }
}

extension Refusal {
    /// Creates the refusal of an attempt to pair.
    package init(_ reason: Pairing.Reason) {
        self =
            switch reason {
            case .ringing: .ringing
            case .validating: .validating
            case .pairedTwice: .pairedTwice
            case .wrongPresses: .wrongPresses
            }
    }
}

extension Engine {
    /// True if a client can be paired by presses.
    package var canPairByPresses: Bool { !pairing.buttons.isEmpty && preflight.health[.buttons]?.grade != .broken }

    /// Returns the state of a client's attempt to pair; nil if there was none, or long ago.
    package func pairingState(of id: PairedClient.ID) -> Pairing.State? { pairing.state(of: id, at: clock.uptime) }

    /// Returns true if an invitation with this secret is open.
    package func isInvited(by secret: SecretHash) -> Bool { pairing.isInvited(by: secret, at: clock.uptime) }

    /// Returns the reason why no attempt can be opened now, or nil. `isKnown`: the sender has rights already.
    package func refusalToPair(_ client: PairedClient, isKnown: Bool) -> Refusal? {
        guard client.nameProblems.isEmpty else { return .problems(client.nameProblems) }
        guard canPairByPresses else { return .noButtons }
        if let disturbance = pairingDisturbance { return Refusal(disturbance) }
        let wait = isKnown ? 0 : pairing.waitMilliseconds(at: clock.uptime)
        return wait > 0 ? .pairLater(seconds: (wait + 999) / 1000) : nil
    }

    /// The reason why presses cannot belong to a pairing now.
    private var pairingDisturbance: Pairing.Reason? {
        if !sessions.isEmpty || sessions.test != nil { return .ringing }
        return challengeState.current == nil ? nil : .validating
    }

    var pairingDeadline: Deadline {
        guard pairing.isOpen else { return .never }
        return pairing.wantsPresses && pairingDisturbance != nil ? .now : .uptime(pairing.nextUptime)
    }

    /// Ends an attempt that a ring or a challenge disturbs, or that is over. Adds the client whose presses
    /// were right.
    mutating func updatePairing() {
        if pairing.wantsPresses, let disturbance = pairingDisturbance { return pairing.cancel(disturbance) }
        guard let client = pairing.update(at: clock.uptime) else { return }
        dispatch(.client(.add(client)), from: context(.button))
    }

    /// Carries out a command that changes no durable state.
    mutating func carryOut(_ command: ClientCommand, _ context: CommandContext) {
        switch command {
        case .pair(let client, let isKnown):
            if let refusal = refusalToPair(client, isKnown: isKnown) {
                return reply(.refused(refusal), to: context, isPrompted: false)
            }
            guard !pairing.isOpen else {
                if pairing.wantsPresses { pairing.fail(.refused(.pairedTwice), at: clock.uptime) }
                return reply(.refused(.pairedTwice), to: context, isPrompted: false)
            }
            let presses = pairing.open(client, at: clock.uptime)
            reply(.done(.client(.opened(presses, milliseconds: Pairing.openMilliseconds))), to: context)
        case .collect(let id):
            guard case .paired(let client)? = pairingState(of: id) else {
                return reply(.refused(.noSuchPairing), to: context, isPrompted: false)
            }
            pairing.forget(id)
            reply(.done(.client(.collected(client))), to: context)
        case .invite(let secret):
            pairing.invite(secret, at: clock.uptime)
            reply(.done(.done), to: context)
        case .add, .forget, .claim: break
        }
    }
}
