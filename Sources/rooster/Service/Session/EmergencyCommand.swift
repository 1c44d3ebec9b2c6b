// `rooster emergency`: ends a ring without its challenges, after a recorded hold of a minute.

import API
import Glibc

enum EmergencyCommand {
    static let command = Subcommand.ofService(
        "emergency", "ends what rings without its challenges: it takes a minute, and is recorded",
        help: """
            Usage: rooster emergency [--json]

            Ends what rings although its challenges are not done, as holding both buttons does: for a code that is gone, a
            camera that is broken, a fire. It counts a minute while it rings on, and Ctrl-C lets go of it. The history keeps
            it, and everybody who follows is told. It is there unless the settings have switched it off.

              --json   one JSON object: state ("stopped"), alarm, label

            The exit status is 1 when it was let go of, or nothing rings.
            """,
        run: run)

    /// The interval of the requests. After five seconds without one, the service ends the hold.
    private static let repeatMilliseconds = 2000

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let signals = StopSignals()
        var line = AimingLine(isShown: !call.isJSON && call.style.rows != nil)
        guard let session = try call.service.status().foremost else {
            // Throws the refusal of the service: no alarm rings.
            _ = try call.service.ask(Emergency())
            return
        }
        let ring = RingReference(alarm: session.alarm, at: session.at)
        let name = session.shownName
        if !call.isJSON { print("Holding the emergency way out of \(name). Ctrl-C lets go.") }
        while try call.service.status().sessions.contains(where: { $0.alarm == session.alarm && $0.at == session.at }) {
            let seconds = try call.service.ask(Emergency(), ifRing: ring).body.emergencySeconds
            let words = seconds.map { "It opens in \($0) s." } ?? ""
            print(line.drawing(words, columns: Style.ofStandardOutput().columns), terminator: "")
            fflush(nil)
            let milliseconds = min(seconds.map { $0 * 1000 + 100 } ?? repeatMilliseconds, repeatMilliseconds)
            guard let signal = signals.wait(milliseconds: milliseconds) else { continue }
            print(line.erasure(), terminator: "")
            _ = try call.service.ask(Emergency(hold: false))
            complain("rooster: let go: \(name) rings on")
            return signals.end(by: signal)
        }
        print(line.erasure(), terminator: "")
        var outcome = SessionOutcome(.stopped)
        (outcome.alarm, outcome.label) = (session.alarm, session.label)
        call.say(SuccessResponse(outcome), "\(name) was ended by the emergency way out: 'rooster history' keeps it.")
    }
}
