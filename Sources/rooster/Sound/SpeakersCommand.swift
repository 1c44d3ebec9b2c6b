// `rooster speakers`: lists the speakers in the order in which the service tries them, with their state.

import API
import JSON

enum SpeakersCommand {
    static let command = Subcommand.ofService(
        "speakers", "List the speakers and test them",
        help: """
            Usage: rooster speakers [OPTIONS]

            List the speakers in the order in which Rooster uses them: first those in the
            configuration, then USB, headphone sockets, the sound server, screens. An arrow
            marks the one that plays or would play; if it fails, the next one takes over.

            Each line has the name for speaker.routes in the configuration, the name of the
            device, and the state. The speakers are tested without a sound, unless one is in
            use or an alarm is due within a minute. "In use by another program" is no fault.

            Options:
              --json          print one JSON object a line: id, kind, name, configured,
                              works (null if not tested), reason, isFirst, isHeard

            The exit status is 1 if no speaker would play.
            """,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let speakers = try call.service.ask(TrySpeakers()).body
        guard !speakers.routes.isEmpty else { throw noSpeaker }
        for line in speakers.lines(isJSON: call.isJSON) { print(line) }
        if let advice = speakers.advice { throw .notWell(advice) }
    }

    static let noSpeaker = CommandError.refused(
        "There is no speaker. Plug in a USB speaker or sound card, or switch on the built-in one (on a Raspberry Pi: "
            + "dtparam=audio=on in /boot/firmware/config.txt, then restart).")
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
            return "\(route == first ? "→" : " ") \(name)  \(route.name): \(text(route))".asSentence
        }
    }

    private func text(_ route: Route) -> String {
        switch route.health {
        case _ where route.id == output: "plays now"
        case .good: "works"
        case .busy: "in use by another program"
        case .failed: "does not work: \(route.reason ?? "")"
        case .trying: "is being tested"
        case .unknown: "not tested"
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
        let busy = routes.filter { $0.health == .busy }
        guard let name = busy.first?.name.asSentence else {
            return "No speaker works. Check the plug and the power of the first one and try again."
        }
        let fault =
            busy.count == routes.count
            ? "Every speaker is in use by another program"
            : "\(name) is in use by another program, and no other speaker works"
        return "\(fault). End that program and try again."
    }
}
