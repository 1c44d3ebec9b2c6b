// `rooster emergency`: ends a ring without its challenges, after a recorded hold of a minute.

import API
import Glibc

enum EmergencyCommand {
    static let command = Subcommand.ofService(
        "emergency", "End the ring without its challenges",
        help: """
            Usage: rooster emergency [OPTIONS]

            End the ring without its challenges, for a lost code, a broken camera or a fire.
            It takes a minute, in which the alarm rings on. Ctrl-C cancels. The history
            records it. 'rooster settings --emergency off' forbids it.

            Options:
              --json          print one JSON object: state ("stopped"), alarm, label

            The exit status is 1 if it was cancelled, or if nothing rings.
            """,
        run: run)

    /// The interval of the requests. After five seconds without one, the service ends the hold.
    private static let repeatMilliseconds = 2000
    /// The interval for a simulated clock, whose five seconds may be short.
    private static let simulatedMilliseconds = 40

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let signals = StopSignals()
        var line = AimHint(isShown: !call.isJSON && call.style.rows != nil)
        let status = try call.service.status()
        guard let session = status.foremost else {
            // Throws the service's refusal if no alarm rings.
            _ = try call.service.ask(Emergency())
            return
        }
        let ring = RingReference(alarm: session.alarm, at: session.at)
        let name = session.shownName
        let isSnoozed = session.state == .snoozed
        let subject = isSnoozed ? "\(name), which is snoozed," : name
        var isAnnounced = call.isJSON
        var isHeld = false
        while try call.service.status().sessions.contains(where: { $0.alarm == session.alarm && $0.at == session.at }) {
            let seconds: Int?
            switch try call.service.reply(to: Emergency(), ifRing: ring) {
            case .success(let held): seconds = held.body.emergencySeconds
            // The ring has ended since its status was read.
            case .failure(let error) where isHeld && [.nothingRings, .anotherRings].contains(error.code): continue
            case .failure(let error): throw .refused(error.text(), answer: error.forScripts)
            }
            isHeld = true
            if !isAnnounced { print("\(subject) ends in a minute, without its challenges. Ctrl-C cancels.") }
            isAnnounced = true
            let advice = seconds.map { "\(name) ends in \($0) s" } ?? ""
            print(line.drawing(advice, columns: Style.ofStandardOutput().columns), terminator: "")
            fflush(nil)
            let most = status.simulated ? simulatedMilliseconds : repeatMilliseconds
            let milliseconds = min(seconds.map { $0 * 1000 + 100 } ?? most, most)
            guard let signal = signals.wait(milliseconds: milliseconds) else { continue }
            print(line.erasure(), terminator: "")
            _ = try call.service.ask(Emergency(hold: false))
            complain("rooster: Cancelled: \(name) \(isSnoozed ? "stays snoozed" : "rings on")")
            return signals.end(by: signal)
        }
        print(line.erasure(), terminator: "")
        var outcome = SessionOutcome(.stopped)
        (outcome.alarm, outcome.label) = (session.alarm, session.label)
        call.say(SuccessResponse(outcome), "\(name) was ended by the emergency exit ('rooster history' records it)")
    }
}
