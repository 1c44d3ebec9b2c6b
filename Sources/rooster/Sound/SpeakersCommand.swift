// `rooster speakers`: lists the speakers in the order in which the service tries them, with their state.

import API
import JSON

enum SpeakersCommand {
    static let command = Subcommand.ofService(
        "speakers", "shows what Rooster can be heard on, and whether it works",
        help: """
            Usage: rooster speakers [--json]

            Lists every speaker in the order in which Rooster takes them: as the configuration says, else what is plugged
            into USB, then the headphone socket and its like, then the sound server, then screens. The one that is heard,
            or would be, is marked; when it fails, the next one takes over.

            roosterd tries them in silence, if it has none in use and nothing rings within a minute, and else says what it
            knows. None is tried if its user may not play on all cards.

              --json   one JSON object a line: id, kind, name, configured, works, reason, isFirst, isHeard

            The word in the second column is what a configuration calls the speaker. "In use" is no fault: another
            program has the speaker.

            The exit status is 1 when nothing would be heard.
            """,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let speakers = try call.service.ask(TrySpeakers()).body
        guard !speakers.routes.isEmpty else { throw noSpeaker }
        for line in speakers.lines(isJSON: call.isJSON) { print(line) }
        if let advice = speakers.advice { throw .notWell(advice) }
    }

    static let noSpeaker = CommandError.refused(
        "there is no speaker: plug in a USB speaker or sound card, or switch on the machine's own (on a Raspberry Pi: "
            + "dtparam=audio=on in /boot/firmware/config.txt, then restart)")
}

extension SpeakersReport {
    /// The audible speaker, or else the one on which an alarm would ring.
    var first: Route? {
        let works = routes.first { $0.health == .good }
        return routes.first { $0.id == output } ?? works ?? routes.first { [.trying, .unknown].contains($0.health) }
    }

    fileprivate func lines(isJSON: Bool) -> [String] {
        let width = routes.map(\.configured.count).max() ?? 0
        return routes.map { route in
            guard !isJSON else { return json(route).line }
            let name = route.configured + String(repeating: " ", count: width - route.configured.count)
            return "\(route == first ? "→" : " ") \(name)  \(route.name): \(words(route))".asSentence
        }
    }

    private func words(_ route: Route) -> String {
        switch route.health {
        case _ where route.id == output: "is heard now"
        case .good: "works"
        case .busy: "in use by another program"
        case .failed: "does not work: \(route.reason ?? "")"
        case .trying: "is being tried"
        case .unknown: "not tried"
        }
    }

    private func json(_ route: Route) -> JSON {
        let works: JSON =
            switch route.health {
            case _ where route.id == output, .good: .bool(true)
            case .failed, .busy: .bool(false)
            case .trying, .unknown: .null
            }
        return .object([
            .init("id", .string(route.id)), .init("kind", .string(route.kind)), .init("name", .string(route.name)),
            .init("configured", .string(route.configured)), .init("works", works), .init("reason", .text(route.reason)),
            .init("isFirst", .bool(route == first)), .init("isHeard", .bool(route.id == output)),
        ])
    }

    /// The reason, with advice, why an alarm would be silent; nil if a speaker may work.
    fileprivate var advice: String? {
        guard first == nil else { return nil }
        return routes.contains { $0.health == .busy }
            ? "every speaker is in use by another program, or does not work: end that program, and try again"
            : "no speaker works: check the plug and the power of the best of them, and try again"
    }
}
