// A sound that the running service lets be heard: as long as it runs, cards and mixers are its own.

import Glibc
import JSON
import Vocabulary

/// A test ring of the service, from its first note to its end.
struct ServedTest {
    /// What the sound is called.
    let name: String
    /// Its id, and how it is to be heard.
    let sound: String
    let volume: Double
    let seconds: Int
    let call: ServiceCall

    /// So many seconds ahead the service has a card opened and the sound made, as before an alarm.
    private static let secondsAhead = 2

    /// How long it may take until it has begun, and from then on until something is heard, in milliseconds.
    private enum Patience {
        static let beginning = secondsAhead * 1000 + 2000
        static let hearing = 3000
        static let step = 100
    }

    private var service: RunningService { call.service }

    /// Returns when it is over, or when whoever waits says that it is to end.
    func run(waits: (_ milliseconds: Int) -> Bool) throws(Refusal) {
        let ring = JSON.object([
            .init("sound", .string(sound)), .init("volume", .number(volume)), .init("ramp", .number(0)),
            .init("for", .number(seconds)),
        ])
        let answer = try service.ask(TestRing(ring: ring, in: ServedTest.secondsAhead))
        call.warn(answer.warnings.map(\.description))
        let name = answer.warnings.isEmpty ? name : "\(name), or what takes its place,"
        var (test, voice): (SessionReport?, String?)
        var (waited, unheard) = (0, 0)
        while true {
            guard waits(Patience.step) else { return try end(test, waits) }
            let status = try service.status()
            let session = status.sessions.first(where: \.test)
            // It ends by itself, or because an alarm does not wait for it.
            if session == nil, test != nil { break }
            test = session
            if test != nil, let heard = status.speaker.voice {
                if heard != voice {
                    print(voice == nil ? "\(name) on \(words(heard, status))" : "now on \(words(heard, status))")
                    // Whoever reads it by a pipe is told while it is heard.
                    fflush(nil)
                }
                (voice, unheard) = (heard, 0)
            } else if test != nil {
                unheard += Patience.step
            } else {
                waited += Patience.step
            }
            if unheard > Patience.hearing {
                try end(test, waits)
                throw ServedTest.nothingHeard
            }
            if waited > Patience.beginning {
                throw .refused("the test has not begun: 'rooster status' shows whether an alarm rings")
            }
        }
        if voice == nil { throw ServedTest.nothingHeard }
    }

    private static let nothingHeard = Refusal.refused("nothing is heard: 'rooster speakers' shows what works")

    /// Ends the test, and no alarm that may ring by now. What was asked for a moment ago may not have begun.
    private func end(_ test: SessionReport?, _ waits: (_ milliseconds: Int) -> Bool) throws(Refusal) {
        var (test, waited) = (test, 0)
        while test == nil, waited < Patience.beginning {
            test = try service.status().sessions.first(where: \.test)
            guard test == nil else { break }
            // However often whoever waits says by now that it is to end, it is to be ended first.
            _ = waits(Patience.step)
            waited += Patience.step
        }
        guard let test else { return }
        _ = try service.ask(Stop(), meaning: MeantRing(alarm: test.alarm, at: test.at))
    }

    private func words(_ voice: String, _ status: StatusReport) -> String {
        guard let speaker = status.speaker.routes.first(where: { $0.id == voice }) else { return voice.asSentence }
        return "\(speaker.configured) (\(speaker.name))".asSentence
    }
}
