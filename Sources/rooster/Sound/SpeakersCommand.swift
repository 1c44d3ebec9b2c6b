// `rooster speakers`: what there is to be heard on, in the order in which it is tried, and whether it works.

import Alarms
import Devices
import Glibc
import LinuxDevices

enum SpeakersCommand {
    static let command = Command(
        name: "speakers",
        summary: "shows what Rooster can be heard on, and whether it works",
        help: """
            Usage: rooster speakers [--json]

            Tries every speaker in silence, and lists them in the order in which Rooster takes them: what is plugged into
            USB, then the headphone socket and its like, then the sound server, then screens. The first that works is
            marked; when it fails, the next one takes over.

              --json   one JSON object a line: id, kind, name, configured, works, reason, isFirst

            The word in the second column is what a configuration calls the speaker. "In use" is no fault: another
            program has the speaker, perhaps Rooster's own service.

            The exit status is 1 when nothing would be heard.
            """,
        valued: [], flags: ["--json"], words: [], run: run)

    private static func run(_ arguments: Arguments) throws(Refusal) {
        let cards = try systemCards(SystemCards())
        let results = CardCheck.results(of: cards)
        let routes = RouteOrder.standard.ranked(cards.map(\.route))
        let first = routes.first { results[$0.id] == .plays }
        let width = routes.map(\.configuredName.count).max() ?? 0
        for route in routes {
            guard let check = results[route.id] else { continue }
            let isFirst = route == first
            print(
                arguments.has("--json")
                    ? json(route, check, isFirst: isFirst) : line(route, check, isFirst: isFirst, width: width))
        }
        if first == nil { throw .refused(advice(results)) }
    }

    /// The machine's cards, or why there is nothing to be heard on.
    static func systemCards(_ list: some CardList) throws(Refusal) -> [Card] {
        do {
            let cards = try list.cards()
            guard cards.isEmpty else { return cards }
        } catch {
            throw .refused("\(error)")
        }
        throw .refused(
            "there is no speaker: plug in a USB speaker or sound card, or switch on the machine's own (on a Raspberry Pi: "
                + "dtparam=audio=on in /boot/firmware/config.txt, then restart)")
    }

    private static func line(_ route: Route, _ check: CardCheck, isFirst: Bool, width: Int) -> String {
        let name = route.configuredName + String(repeating: " ", count: width - route.configuredName.count)
        return "\(isFirst ? "→" : " ") \(name)  \(route.name): \(words(check))"
    }

    static func words(_ check: CardCheck) -> String {
        switch check {
        case .plays: "works"
        case .fails(.system(.open, let number)) where number == EBUSY: "in use by another program"
        case .fails(let failure): "does not work: \(failure)"
        }
    }

    private static func json(_ route: Route, _ check: CardCheck, isFirst: Bool) -> String {
        let reason: JSON =
            if case .fails(let failure) = check { .string("\(failure)") } else { .null }
        return JSON.object([
            .init("id", .string(route.id)), .init("kind", .string(route.kind.rawValue)),
            .init("name", .string(route.name)), .init("configured", .string(route.configuredName)),
            .init("works", .bool(check == .plays)), .init("reason", reason), .init("isFirst", .bool(isFirst)),
        ]).description
    }

    private static func advice(_ results: [Route.ID: CardCheck]) -> String {
        let isBusy = results.values.contains { words($0).hasPrefix("in use") }
        return isBusy
            ? "every speaker is in use by another program, or does not work: end that program, and try again"
            : "no speaker works: check the plug and the power of the best of them, and try again"
    }
}
