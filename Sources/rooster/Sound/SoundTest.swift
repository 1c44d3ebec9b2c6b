// `rooster sound test`: a sound on the way that an alarm takes, for a few seconds.

import Glibc
import JSON
import Sound
import Vocabulary

/// A test ring of a service, from its first note to its end. Nobody but the service touches its cards and mixers: it could be
/// ringing.
struct SoundTest {
    private let call: ServiceCall
    private let id: String
    private let name: String
    private let volume: Double
    private let seconds: Int

    /// So many seconds ahead the service has a card opened and the sound made, as before an alarm.
    private static let secondsAhead = 2

    /// How long it may take until it has begun, and from then on until something is heard, in milliseconds. How often it is
    /// seen whether a service runs by now, and how long one that was started has to find its cards.
    private enum Timeouts {
        static let beginning = secondsAhead * 1000 + 2000
        static let hearing = 3000
        static let step = 100
        static let otherService = 1000
        static let cards = 1000
    }

    init(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        self.call = call
        id = arguments.words.count > 1 ? arguments.words[1] : BuiltInSound.standard.id
        seconds =
            try arguments.value("--seconds", "a whole number from 1 to 60") {
                Int($0).flatMap { (1...60).contains($0) ? $0 : nil }
            } ?? 5
        volume = try arguments.value("--volume", VolumeText.expected, VolumeText.read) ?? 0.8
        // Of files, the service may know more than this user can see.
        guard let name = BuiltInSound(id: id)?.name ?? (id.contains(".") ? id : nil) else {
            throw .notFound("there is no sound \(id.debugDescription): 'rooster sound list' shows all")
        }
        self.name = name
    }

    func run() throws(CommandError) {
        // Before there is a thread that they could end. Who stops a program by Ctrl-Z does not want it loud meanwhile.
        let signals = StopSignals(and: [SIGTSTP, SIGQUIT])
        var stop: Int32?
        defer { if let stop = stop ?? signals.wait(milliseconds: 0) { signals.end(by: stop) } }
        let waits = { (milliseconds: Int) in
            stop = signals.wait(milliseconds: milliseconds) ?? stop
            return stop == nil
        }
        guard try !call.service.isRunning() else {
            try call.refuseWhatOnlyAStartedOneDoes()
            try putBackWhatWasLeft()
            return try play(call.service, waits: waits)
        }
        let started = try StartedService(call.arguments, interruption: signals.descriptor)
        defer { started.end() }
        // A signal does not end what this one is asked: the test is to be stopped by it.
        let service = RunningService(socket: started.service.socket)
        var (waited, isServed) = (0, false)
        try play(service) { milliseconds in
            started.sayWhatItTells()
            waited += milliseconds
            if waited >= Timeouts.otherService { (waited, isServed) = (0, isServedByNow) }
            return !isServed && waits(milliseconds)
        }
        // From then on cards and mixers are that one's, and an alarm may be due.
        if isServed { complain("rooster: roosterd runs by now: it has the speakers, and the test is over") }
    }

    /// A test that was killed with what played it has left mixers raised, and the service knows nothing of that. While one of
    /// its sessions rings, it is the service that has raised them. What is started puts them back when it knows its cards.
    private func putBackWhatWasLeft() throws(CommandError) {
        guard StateDirectory.areMixersLeft, try call.service.status().sessions.isEmpty else { return }
        let started = try StartedService(call.arguments)
        defer { started.end() }
        let deadline = Deadline(in: Timeouts.cards)
        while try started.service.status().speaker.routes.isEmpty, deadline.millisecondsLeft > 0 { usleep(20_000) }
    }

    private var isServedByNow: Bool {
        do throws(CommandError) {
            return try call.service.isRunning()
        } catch {
            // One that does not let this in runs all the same.
            return true
        }
    }

    /// Returns when it is over, or when whoever waits says that it is to end.
    private func play(_ service: RunningService, waits: (_ milliseconds: Int) -> Bool) throws(CommandError) {
        let ring = JSON.object([
            .init("sound", .string(id)), .init("volume", .number(volume)), .init("ramp", .number(0)),
            .init("for", .number(seconds)),
        ])
        let answer = try service.ask(TestRing(ring: ring, in: SoundTest.secondsAhead))
        call.warn(answer.warnings.map(\.description))
        let name = answer.warnings.isEmpty ? name : "\(name), or what takes its place,"
        var (test, voice): (SessionReport?, String?)
        var (waited, unheard) = (0, 0)
        while true {
            guard waits(Timeouts.step) else { return try end(test, service, waits) }
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
                unheard += Timeouts.step
            } else {
                waited += Timeouts.step
            }
            if unheard > Timeouts.hearing {
                try end(test, service, waits)
                throw status.speaker.routes.isEmpty ? SpeakersCommand.noSpeaker : SoundTest.nothingHeard
            }
            if waited > Timeouts.beginning {
                throw .refused("the test has not begun: 'rooster status' shows whether an alarm rings")
            }
        }
        if voice == nil { throw SoundTest.nothingHeard }
    }

    private static let nothingHeard = CommandError.refused("nothing is heard: 'rooster speakers' shows what works")

    /// Ends the test, and no alarm that may ring by now. What was asked for a moment ago may not have begun.
    private func end(
        _ test: SessionReport?, _ service: RunningService, _ waits: (_ milliseconds: Int) -> Bool
    ) throws(CommandError) {
        var (test, waited) = (test, 0)
        while test == nil, waited < Timeouts.beginning {
            test = try service.status().sessions.first(where: \.test)
            guard test == nil else { break }
            // However often whoever waits says by now that it is to end, it is to be ended first.
            _ = waits(Timeouts.step)
            waited += Timeouts.step
        }
        guard let test else { return }
        _ = try service.ask(Stop(), meaning: MeantRing(alarm: test.alarm, at: test.at))
    }

    private func words(_ voice: String, _ status: StatusReport) -> String {
        guard let speaker = status.speaker.routes.first(where: { $0.id == voice }) else { return voice.asSentence }
        return "\(speaker.configured) (\(speaker.name))".asSentence
    }
}
