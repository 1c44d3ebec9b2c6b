// The part of the scenario runner that pairs clients over HTTP.

import Alarms
import Clients
import Testing
import Text

@testable import Engine

extension ScenarioRunner {
    /// `pair phone` asks as a client without a token, `pair phone known` as one that has rights already.
    mutating func pair(_ line: ScenarioLine) throws {
        reply = fixture.ask(.client(.pair(client(try line.word(1)), isKnown: line.words.last == "known")))
        if case .done(.client(.opened(let buttons, _))) = reply { presses = buttons }
    }

    /// `presses shown` makes the presses of the last attempt, `presses all but 1` leaves out the last, and
    /// `presses wrong` presses the button that is not next.
    mutating func makePresses(_ line: ScenarioLine) throws {
        switch try line.word(1) {
        case "wrong": fixture.press(presses.first == .snooze ? .stop : .snooze)
        case "all":
            for button in presses.dropLast(Int(try line.word(3)) ?? 0) { press(button) }
        default: for button in presses { press(button) }
        }
    }

    private mutating func press(_ button: Button) {
        fixture.press(button)
        fixture.pass(milliseconds: 200)
    }

    mutating func claim(_ line: ScenarioLine) throws {
        reply = fixture.ask(.client(.claim(SecretHash(try line.word(1)), client(try line.word(2)))))
    }

    private func client(_ name: String) -> PairedClient {
        PairedClient(
            id: name, name: name, kind: .page, may: .change, token: SecretHash("token of \(name)"),
            day: fixture.engine.today)
    }

    /// The state of a client's attempt in words.
    func pairing(of name: String) -> String {
        switch fixture.engine.at(fixture.moment).pairingState(of: name) {
        case nil: "unknown"
        case .waiting(let count, _)?: "waits \(count)"
        case .paired?: "paired"
        case .refused(let reason)?: "refused \(Refusal(reason))"
        case .expired?: "expired"
        }
    }
}
