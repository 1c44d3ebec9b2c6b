// `rooster sound test`: plays a sound for a few seconds through the speaker that an alarm would use.

import API
import Alarms
import Glibc
import JSON
import Sound
import Text

/// A test ring, from its start to its end. The service plays it, because only the service may open cards: an
/// alarm could be ringing.
struct SoundTest {
    private let call: ServiceCall
    private let id: String
    private let name: String
    private let volume: Double
    private let seconds: Int

    /// The delay before the test, in which the service opens a card and renders the sound, as before an
    /// alarm.
    private static let secondsAhead = 2

    /// The timeouts until the test begins and until it is audible, and the interval of polls, in
    /// milliseconds.
    private enum Timeouts {
        static let beginning = secondsAhead * 1000 + 2000
        static let hearing = 3000
        static let step = 100
    }

    init(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        self.call = call
        id = arguments.operands.count > 1 ? arguments.operands[1] : BuiltInSound.standard.id
        seconds =
            try arguments.value("--seconds", "a whole number from 1 to 60") {
                Int($0).flatMap { (1...60).contains($0) ? $0 : nil }
            } ?? 5
        volume = try arguments.value("--volume", VolumeText.expected, VolumeText.read) ?? 0.8
        // An id with a dot is the name of a file. Only the service checks it, because this user may not see
        // the file.
        guard let name = BuiltInSound(id: id)?.name ?? (id.contains(".") ? id : nil) else {
            throw SoundCommand.noSuchSound(id)
        }
        self.name = name
    }

    /// Plays the test until it ends, or until a signal.
    func run() throws(CommandError) {
        // Signals are blocked before any thread starts. Ctrl-Z ends the test as well, since a suspended
        // command would leave it playing.
        let signals = StopSignals(and: [SIGTSTP, SIGQUIT])
        var stop: Int32?
        defer { if let stop = stop ?? signals.wait(milliseconds: 0) { signals.end(by: stop) } }
        let ring = Patch<RingSettings>([
            .init("sound", id), .init("volume", volume), .init("ramp", 0), .init("for", seconds),
        ])
        let answer = try call.service.ask(TestRing(ring: ring, delaySeconds: SoundTest.secondsAhead))
        call.warn(answer.warnings.map(\.message.capitalisedFirst))
        let replacement = answer.warnings.isEmpty ? "" : "\(BuiltInSound.standard.name) instead of "
        var (test, output): (SessionReport?, String?)
        var (waited, unheard) = (0, 0)
        while true {
            stop = signals.wait(milliseconds: Timeouts.step)
            guard stop == nil else { return try end(test, signals) }
            let status = try call.service.status()
            let session = status.sessions.first(where: \.test)
            // The test has ended, perhaps because an alarm has begun to ring.
            if session == nil, test != nil { break }
            test = session
            if test != nil, let heard = status.speaker.output {
                if heard != output {
                    print(output == nil ? "Playing \(replacement)\(name) on" : "Now on", text(heard, status))
                    // Flushed, so that a pipe passes the line on while the sound is audible.
                    fflush(nil)
                }
                (output, unheard) = (heard, 0)
            } else if test != nil {
                unheard += Timeouts.step
            } else {
                waited += Timeouts.step
            }
            if unheard > Timeouts.hearing {
                try end(test, signals)
                throw status.speaker.routes.isEmpty ? SpeakersCommand.noSpeaker : SoundTest.nothingHeard
            }
            if waited > Timeouts.beginning {
                throw .refused(sentences("The test has not begun", "'rooster status' shows whether an alarm rings"))
            }
        }
        if output == nil { throw SoundTest.nothingHeard }
    }

    private static let nothingHeard = CommandError.refused(
        sentences("Nothing is heard", "'rooster speakers' shows which speakers work"))

    /// Stops the test, but never an alarm that has begun to ring. If the test has not begun yet, waits for
    /// it first.
    private func end(_ begun: SessionReport?, _ signals: StopSignals) throws(CommandError) {
        var (test, waited) = (begun, 0)
        while test == nil, waited < Timeouts.beginning {
            test = try call.service.status().sessions.first(where: \.test)
            guard test == nil else { break }
            // Further signals are ignored, because the test must be stopped first.
            _ = signals.wait(milliseconds: Timeouts.step)
            waited += Timeouts.step
        }
        guard let test else { return }
        _ = try call.service.ask(Stop(), ifRing: RingReference(alarm: test.alarm, at: test.at))
    }

    private func text(_ output: String, _ status: StatusReport) -> String {
        guard let speaker = status.speaker.routes.first(where: { $0.id == output }) else { return output.asSentence }
        return "\(speaker.configured) (\(speaker.name))".asSentence
    }
}
