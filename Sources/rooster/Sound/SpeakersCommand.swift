// `rooster speakers`: what there is to be heard on, in the order in which it is tried, and whether it works.

import Configuration
import JSON
import LinuxDevices
import Sound
import Vocabulary

enum SpeakersCommand {
    static let command = Command.ofService(
        "speakers", "shows what Rooster can be heard on, and whether it works",
        help: """
            Usage: rooster speakers [--config FILE] [--json]

            Lists every speaker in the order in which Rooster takes them: as the configuration says, else what is plugged
            into USB, then the headphone socket and its like, then the sound server, then screens. The one that is heard,
            or would be, is marked; when it fails, the next one takes over.

            It asks roosterd how they are, and tries the others in silence if roosterd has none in use, and nothing rings
            within a minute. Where roosterd does not run, it tries all of them, in the order that the configuration file says.
            None is tried where roosterd runs and does not say how they are, and none if your user may not play on all cards.

              --config FILE   the configuration where roosterd does not run; without it,
                              \(ConfigurationReading.standardPath)
              --json          one JSON object a line: id, kind, name, configured, works, reason, isFirst, isHeard

            The word in the second column is what a configuration calls the speaker. "In use" is no fault: another
            program has the speaker.

            The exit status is 1 when nothing would be heard.
            """,
        valued: ["--config"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let list = if let served = try served(call.service) { served } else { try tried(call.arguments) }
        for line in list.lines(isJSON: call.isJSON) { print(line) }
        if let advice = list.advice { throw .notWell(advice) }
    }

    /// As the service says; nothing where none runs. Where one runs that does not say, nobody tries them: it may be ringing.
    private static func served(_ service: RunningService) throws(Refusal) -> SpeakerList? {
        guard try service.isRunning() else { return nil }
        let status = try service.status()
        var list = SpeakerList(status.speaker)
        guard !list.speakers.isEmpty else { throw .refused(nothingThere) }
        guard !status.simulated, !needsSpeakers(status, list) else { return list }
        let idle = Set(list.speakers.filter(\.isIdle).map(\.id))
        guard !idle.isEmpty else { return list }
        do {
            // Those that are named by ALSA's names are there only for whoever names them.
            let cards = try SystemCards(.listed(idle.sorted())).cards().filter { idle.contains($0.route.id) }
            list.take(results(of: cards))
        } catch {
            complain("rooster: \(error)")
        }
        return list
    }

    /// Whether the service has speakers in use, or will have in a moment. The next one that it opens must not be busy then.
    private static func needsSpeakers(_ status: StatusReport, _ list: SpeakerList) -> Bool {
        let near = status.now.milliseconds + nearSeconds * 1000
        return !status.sessions.isEmpty || status.next.contains { $0.at.milliseconds < near }
            || list.speakers.contains { !$0.isIdle }
    }

    /// The service opens a speaker ten seconds before a ring, and trying one may take two.
    private static let nearSeconds = 60

    private static func tried(_ arguments: Arguments) throws(Refusal) -> SpeakerList {
        let order = SpeakersCommand.configuration(arguments).speaker.order
        let cards = try systemCards(SystemCards(order))
        return SpeakerList(order.ranked(cards.map(\.route)), results(of: cards))
    }

    /// What came of trying these. Whoever may not play on all of them learns nothing by trying.
    static func results(of cards: [Card], areAllowed: Bool = SystemCards.areAllowed) -> [Route.ID: CardCheck] {
        guard areAllowed else {
            complain("rooster: your user may not play on the sound cards (they are the group audio's): none is tried")
            return [:]
        }
        return CardCheck.results(of: cards)
    }

    /// The configuration by which the service would run; its mistakes are said.
    static func configuration(_ arguments: Arguments) -> Configuration {
        let reading = ConfigurationReading.ofFile(at: arguments.value("--config"))
        for mistake in reading.problems { complain("rooster: \(mistake)") }
        return reading.configuration
    }

    /// The machine's cards, or why there is nothing to be heard on.
    static func systemCards(_ list: some CardList) throws(Refusal) -> [Card] {
        do {
            let cards = try list.cards()
            guard cards.isEmpty else { return cards }
        } catch {
            throw .refused("\(error)")
        }
        throw .refused(nothingThere)
    }

    private static let nothingThere =
        "there is no speaker: plug in a USB speaker or sound card, or switch on the machine's own (on a Raspberry Pi: "
        + "dtparam=audio=on in /boot/firmware/config.txt, then restart)"
}
