// Pairing: how a client over HTTP gets its first token.
//
// A page on the network cannot know whether its reader stands at the clock, so a press alone proves nothing:
// whichever page asks at that moment would get the token. So the device chooses the presses, and only the
// page that asked shows them.
//
// 1. The page asks, and gets an order of presses. The lamp blinks. While the pairing is open, presses at rest belong to
//    it and do nothing else.
// 2. Any other press than the next one refuses the pairing. After the last press the buttons must rest for 2 seconds.
//    With one button, this tells three presses from four.
// 3. A ring that begins cancels the pairing at once, so that its presses belong to the ring.
// 4. If two ask at once, the device cannot know which page its owner sees: both are refused.
// 5. Each attempt that fails doubles the wait for the next one. Otherwise a stranger could keep a pairing open until the
//    sleeper happens to press the right buttons.
//
// A client that has a token may invite others by a secret, which needs no presses.
//
// Everything here is in memory only: a restart forgets it.

import Alarms
import Challenges

package struct Pairing: Hashable, Sendable {
    /// The state of an attempt to pair.
    package enum State: Hashable, Sendable {
        case waiting(pressedCount: Int, milliseconds: Int)
        /// The client has its token.
        case paired(PairedClient)
        case refused(Reason)
        case expired
    }

    /// The reason of a refusal.
    package enum Reason: Hashable, Sendable {
        /// Something rings, is snoozed or is about to ring.
        case ringing
        /// The owner does the challenges of a locked alarm.
        case validating
        case pairedTwice, wrongPresses
    }

    /// An attempt that waits for its presses.
    private struct Attempt: Hashable {
        let client: PairedClient
        let presses: [Button]
        let openedUptime: Int
        /// The time at which it ends without success.
        var untilUptime: Int
        var pressedCount = 0
        var pressUptime = 0
        /// True once the presses were right. The client is on its way to the disk.
        var isRight = false

        var isPressed: Bool { pressedCount == presses.count }
    }

    private struct Invitation: Hashable {
        let secret: SecretHash
        let untilUptime: Int
    }

    private var attempt: Attempt?
    /// The ends of the last attempts, by their clients.
    private var ended: [PairedClient.ID: State] = [:]
    private var endedIDs: [PairedClient.ID] = []
    private var failureCount = 0
    private var failedUptime = 0
    private var invitation: Invitation?
    /// The buttons that this device has.
    package let buttons: [Button]
    private var chance: SeededGenerator

    package static let openMilliseconds = 60_000
    package static let invitationMilliseconds = 120_000
    /// The time without a press after the last one.
    static let restMilliseconds = 2000
    /// The time after which the disk has confirmed or refused the client.
    private static let writeMilliseconds = 15_000
    private static let waitMillisecondsFirst = 5000
    private static let waitMillisecondsMax = 600_000
    private static let patternLength = 4
    private static let countRange = 2...6
    private static let endedMax = 8

    /// Creates the pairing of a device with these buttons, which may be none.
    package init(buttons: [Button] = [], chance: SeededGenerator = SeededGenerator(seed: 0)) {
        (self.buttons, self.chance) = (buttons, chance)
    }

    // MARK: attempts

    package var isOpen: Bool { attempt != nil }

    /// True if an attempt waits for presses, which a ring would take.
    package var wantsPresses: Bool { attempt?.isRight == false }

    /// Returns the milliseconds for which a client without a token must wait before its next attempt.
    package func waitMilliseconds(at uptime: Int) -> Int {
        guard failureCount > 0 else { return 0 }
        let wait = min(
            Pairing.waitMillisecondsFirst << min(failureCount - 1, 10), Pairing.waitMillisecondsMax)
        return max(0, failedUptime + wait - uptime)
    }

    /// Begins an attempt. Returns the presses that its client shows.
    package mutating func open(_ client: PairedClient, at uptime: Int) -> [Button] {
        let presses: [Button] =
            if buttons.count > 1 {
                Pattern(length: Pairing.patternLength, chance: SeededGenerator(seed: chance.bits())).buttons
            } else {
                Array(repeating: buttons.first ?? .stop, count: chance.number(in: Pairing.countRange))
            }
        attempt = Attempt(
            client: client, presses: presses, openedUptime: uptime, untilUptime: uptime + Pairing.openMilliseconds)
        return presses
    }

    /// Handles a press. Returns false if it does not belong to an attempt.
    package mutating func press(_ button: Button, at uptime: Int) -> Bool {
        guard let attempt, !attempt.isRight, uptime >= attempt.openedUptime else { return false }
        guard !attempt.isPressed, attempt.presses[attempt.pressedCount] == button else {
            fail(.refused(.wrongPresses), at: uptime)
            return true
        }
        self.attempt?.pressedCount += 1
        self.attempt?.pressUptime = uptime
        return true
    }

    /// The time of the next change without a press.
    package var nextUptime: Int? {
        guard let attempt else { return nil }
        guard attempt.isPressed, !attempt.isRight else { return attempt.untilUptime }
        return min(attempt.untilUptime, attempt.pressUptime + Pairing.restMilliseconds)
    }

    /// Advances to `uptime`. Returns the client to add if its presses were right.
    package mutating func update(at uptime: Int) -> PairedClient? {
        guard let attempt else { return nil }
        if attempt.isPressed, !attempt.isRight, uptime >= attempt.pressUptime + Pairing.restMilliseconds {
            self.attempt?.isRight = true
            self.attempt?.untilUptime = uptime + Pairing.writeMilliseconds
            return attempt.client
        }
        if uptime >= attempt.untilUptime { fail(.expired, at: uptime) }
        return nil
    }

    /// Ends the attempt without success. The next one has to wait for longer.
    package mutating func fail(_ state: State, at uptime: Int) {
        end(state)
        failureCount += 1
        failedUptime = uptime
    }

    /// Ends the attempt because of a ring or a challenge, for which its client is not to blame.
    package mutating func cancel(_ reason: Reason) { end(.refused(reason)) }

    private mutating func end(_ state: State) {
        guard let client = attempt?.client else { return }
        attempt = nil
        ended[client.id] = state
        endedIDs.append(client.id)
        if endedIDs.count > Pairing.endedMax { ended[endedIDs.removeFirst()] = nil }
    }

    /// Ends the attempt of a client that is durable now.
    package mutating func confirm(_ client: PairedClient) {
        guard client.id == attempt?.client.id else { return }
        end(.paired(client))
        failureCount = 0
    }

    /// Returns the state of a client's attempt; nil if there was none, or long ago.
    package func state(of id: PairedClient.ID, at uptime: Int) -> State? {
        guard let attempt, attempt.client.id == id else { return ended[id] }
        return .waiting(pressedCount: attempt.pressedCount, milliseconds: max(0, attempt.untilUptime - uptime))
    }

    /// Forgets an attempt, so that no second reader gets the token.
    package mutating func forget(_ id: PairedClient.ID) {
        ended[id] = nil
        endedIDs.removeAll { $0 == id }
    }

    // MARK: invitations

    /// Invites one client. An earlier invitation is over.
    package mutating func invite(_ secret: SecretHash, at uptime: Int) {
        invitation = Invitation(secret: secret, untilUptime: uptime + Pairing.invitationMilliseconds)
    }

    package func isInvited(by secret: SecretHash, at uptime: Int) -> Bool {
        invitation.map { $0.secret == secret && uptime < $0.untilUptime } ?? false
    }

    package mutating func spendInvitation() { invitation = nil }
}
