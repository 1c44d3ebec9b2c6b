// The tests of pairing as a value: presses, waits and invitations.

import Alarms
import Challenges
import CivilTime
import Testing

@testable import Clients

private func client(_ id: String, on day: Int = 20_000) -> PairedClient {
    PairedClient(
        id: id, name: id, kind: .page, may: .change, token: SecretHash(id), day: CivilDate(dayNumber: day))
}

@Suite struct PairingTests {
    private func pairing(_ seed: UInt64, _ buttons: [Button] = [.snooze, .stop]) -> Pairing {
        Pairing(buttons: buttons, chance: SeededGenerator(seed: seed))
    }

    /// The shown presses, and a rest after them, pair the client, with one button and with two.
    @Test(arguments: 0..<100) func shownPresses_pairTheClient(seed: Int) {
        var pairing = pairing(UInt64(seed), seed % 2 == 0 ? [.snooze, .stop] : [.stop])
        let presses = pairing.open(client("a"), at: 1000)
        #expect((2...6).contains(presses.count))
        if seed % 2 == 0 { #expect(Set(presses) == [.snooze, .stop]) }
        for (index, button) in presses.enumerated() {
            let isTaken = pairing.press(button, at: 2000 + 300 * index)
            #expect(isTaken)
        }
        let end = 2000 + 300 * (presses.count - 1) + Pairing.restMilliseconds
        #expect(pairing.nextUptime == end)
        let early = pairing.update(at: end - 1)
        let paired = pairing.update(at: end)
        #expect(early == nil && paired?.id == "a")
        #expect(!pairing.wantsPresses && pairing.isOpen)
        pairing.confirm(client("a"))
        #expect(pairing.state(of: "a", at: end) == .paired(client("a")) && !pairing.isOpen)
        pairing.forget("a")
        #expect(pairing.state(of: "a", at: end) == nil && pairing.waitMilliseconds(at: end) == 0)
    }

    /// Any other press refuses: a wrong button, or one press too many.
    @Test(arguments: 0..<50) func otherPress_refusesTheClient(seed: Int) {
        var pairing = pairing(UInt64(seed))
        let presses = pairing.open(client("a"), at: 0)
        let wrongAt = seed % (presses.count + 1)
        for (index, button) in presses.prefix(wrongAt).enumerated() { _ = pairing.press(button, at: 100 * index) }
        let wrong: Button =
            wrongAt < presses.count ? (presses[wrongAt] == .stop ? .snooze : .stop) : presses[0]
        let isTaken = pairing.press(wrong, at: 900)
        let isTakenLater = pairing.press(wrong, at: 901)
        #expect(isTaken && !isTakenLater)
        #expect(pairing.state(of: "a", at: 900) == .refused(.wrongPresses))
    }

    /// Each failure doubles the wait, from 5 seconds to 10 minutes. A success ends the waits.
    @Test func failures_doubleTheWait() {
        var pairing = pairing(1)
        var waits: [Int] = []
        for index in 0..<10 {
            _ = pairing.open(client("\(index)"), at: index)
            let none = pairing.update(at: index + Pairing.openMilliseconds)
            #expect(none == nil && pairing.state(of: "\(index)", at: 0) == .expired)
            waits.append(pairing.waitMilliseconds(at: index + Pairing.openMilliseconds))
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 320, 600, 600, 600].map { $0 * 1000 })
        // Only the newest ends are kept.
        #expect(pairing.state(of: "0", at: 0) == nil)
    }

    /// A ring ends an attempt, which is no failure.
    @Test func cancelledAttempt_isNoFailure() {
        var pairing = pairing(1)
        _ = pairing.open(client("a"), at: 0)
        pairing.cancel(.ringing)
        #expect(pairing.state(of: "a", at: 0) == .refused(.ringing) && pairing.waitMilliseconds(at: 0) == 0)
    }

    @Test func invitation_isValidOnceAndForTwoMinutes() {
        var pairing = pairing(1)
        let (first, second) = (SecretHash("1"), SecretHash("2"))
        pairing.invite(first, at: 0)
        pairing.invite(second, at: 10)
        let (isFirst, isSecond) = (pairing.isInvited(by: first, at: 20), pairing.isInvited(by: second, at: 20))
        #expect(!isFirst && isSecond)
        #expect(!pairing.isInvited(by: second, at: 10 + Pairing.invitationMilliseconds))
        pairing.spendInvitation()
        #expect(!pairing.isInvited(by: second, at: 20))
    }

    @Test func clients_areReplacedForgottenAndNoted() {
        var clients = PairedClients()
        for id in ["a", "b", "a"] { clients.add(client(id)) }
        #expect(clients.all.map(\.id) == ["b", "a"])
        clients.note("a", on: CivilDate(dayNumber: 20_005))
        clients.note("a", on: CivilDate(dayNumber: 20_003))
        clients.note("x", on: CivilDate(dayNumber: 20_003))
        #expect(clients["a"]?.day == CivilDate(dayNumber: 20_005))
        clients.forget("b")
        #expect(clients.all.map(\.id) == ["a"] && clients["b"] == nil)
        #expect(Permission.look < .use && Permission.use < .change)
    }
}
