// A sound that is heard for a while, on the way that an alarm takes.

import Glibc
import LinuxDevices
import Sound
import Synchronization

/// Plays a sound, says where it is heard, and leaves everything as it was.
struct Audition {
    /// What the sound is called.
    let name: String
    let playback: Playback
    /// How long it is to be heard.
    let seconds: Int
    let settings: SpeakerSettings
    let cards: [Card]

    /// How long it may take, in milliseconds, until the cards are known, one is open, the sound is made and something is
    /// heard, and how long until cards and mixers are let go of afterwards.
    private enum Patience {
        static let cards = 1000
        static let card = 1500
        static let sound = 10_000
        static let hearing = 3000
        static let silenceLeast = 100
        static let silence = 5000
        static let step = 20
    }

    /// Plays until it was heard for long enough, or whoever waits says that it is to end.
    func run(waits: (_ milliseconds: Int) -> Bool) throws(Refusal) {
        let speaker = try Audition.start(settings)
        defer { Audition.fallSilent(speaker) }
        let told = ToldReports(speaker)
        var said: Set<String> = []
        guard prepare(speaker, { waits(Patience.step) }) else { return }
        speaker.order(.play(playback))
        var (heard, unheard) = (0, 0)
        while heard < seconds * 1000 {
            guard waits(Patience.step) else { return }
            for report in told.take() where said.insert("\(report)").inserted { say(report) }
            let isHeard = speaker.status.activeOutput != nil
            (heard, unheard) = isHeard ? (heard + Patience.step, 0) : (heard, unheard + Patience.step)
            if unheard > Patience.hearing {
                throw .refused("nothing is heard: 'rooster speakers' shows what works")
            }
        }
    }

    /// Puts back mixers that a test has left as they were for it, because it was killed.
    static func putBack(_ settings: SpeakerSettings) throws(Refusal) {
        let speaker = try start(settings)
        // It puts them back by itself, as soon as it knows its cards.
        wait { waited in speaker.status.routes.isEmpty && waited < Patience.cards }
        fallSilent(speaker)
    }

    /// Looks again and again whether there is anything to wait for still, and tells how long it has waited.
    private static func wait(while goesOn: (_ waited: Int) -> Bool) {
        var waited = 0
        while goesOn(waited) {
            usleep(UInt32(Patience.step) * 1000)
            waited += Patience.step
        }
    }

    private static func start(_ settings: SpeakerSettings) throws(Refusal) -> LinuxSpeaker {
        do {
            return try LinuxSpeaker.start(settings)
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Has a card opened and the sound made ahead, as for an alarm. What takes too long is played as well as it goes.
    private func prepare(_ speaker: LinuxSpeaker, _ goesOn: () -> Bool) -> Bool {
        speaker.order(.ready(sound: playback.sound, isNear: true))
        var waited = 0
        while !speaker.status.isReady {
            let isOpen = speaker.status.routes.contains { $0.health == .good }
            guard waited < (isOpen ? Patience.sound : Patience.card) else { break }
            guard goesOn() else { return false }
            waited += Patience.step
        }
        return true
    }

    /// What the cards have not played yet is taken back, and mixers are put back, on other threads: that is waited for.
    private static func fallSilent(_ speaker: LinuxSpeaker) {
        speaker.order(.silent)
        wait { waited in
            waited < Patience.silenceLeast || !speaker.areMixersRestored && waited < Patience.silence
        }
        guard !speaker.areMixersRestored else { return }
        complain("rooster: the volume may still be as for the test: the next 'rooster sound test' puts it back")
    }

    private func say(_ report: SpeakerReport) {
        switch report {
        case .started(let voice, _): print("\(name) on \(words(voice))")
        case .changed(_, let voice, let why): print("now on \(words(voice)): \(why)")
        case .failed(let route, let failure): complain("rooster: \(words(.route(route))): \(failure)")
        case .routesChanged: break
        case .warning(let words): complain("rooster: \(words)")
        }
    }

    private func words(_ voice: ActiveOutput) -> String {
        guard case .route(let id) = voice, let card = cards.first(where: { $0.route.id == id }) else {
            return "\(voice)"
        }
        return "\(card.route.configuredName) (\(card.route.name))"
    }
}

/// What a speaker has told and nobody has taken yet.
private final class ToldReports: Sendable {
    private let reports = Mutex<[SpeakerReport]>([])

    init(_ speaker: LinuxSpeaker) {
        let stream = speaker.reports
        Task { [self] in
            for await report in stream { reports.withLock { $0.append(report) } }
        }
    }

    func take() -> [SpeakerReport] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
