// `rooster sound test`: a sound on the way that an alarm takes, for a few seconds.

import Configuration
import Glibc
import LinuxDevices
import Sound

struct SoundTest {
    private let id: String
    private let seconds: Int
    private let volume: Double
    /// Where it is to be heard, and where its files are; nothing where that is as it is for alarms.
    private let speaker: String?
    private let sounds: String?
    private let call: ServiceCall

    init(_ call: ServiceCall) throws(Refusal) {
        let arguments = call.arguments
        id = arguments.words.count > 1 ? arguments.words[1] : BuiltInSound.standard.id
        seconds =
            try arguments.value("--seconds", "a whole number from 1 to 600") {
                Int($0).flatMap { (1...600).contains($0) ? $0 : nil }
            } ?? 5
        volume = try arguments.value("--volume", VolumeText.expected, VolumeText.read) ?? 0.8
        speaker = arguments.value("--speaker")
        sounds = arguments.value("--sounds")
        self.call = call
    }

    /// The service plays it where one runs. Nobody else may touch its cards and mixers: it could be ringing.
    func run() throws(Refusal) {
        // Before there is a thread that they could end. Who stops a program by Ctrl-Z does not want it loud meanwhile.
        let signals = StopSignals(and: [SIGTSTP, SIGQUIT])
        var stop: Int32?
        let waits = { (milliseconds: Int) in
            stop = signals.wait(milliseconds: milliseconds) ?? stop
            return stop == nil
        }
        if try call.service.isRunning() {
            let test = try served()
            try putBackWhatWasLeft()
            try test.run(waits: waits)
        } else {
            try runAlone(waits)
        }
        if let stop { signals.end(by: stop) }
    }

    /// A test that played by itself and was killed has left mixers raised, and the service knows nothing of that. While one
    /// of its sessions rings, it is the service that has raised them.
    private func putBackWhatWasLeft() throws(Refusal) {
        var settings = SpeakerSettings(cards: SystemCards())
        settings.mixerDirectory = StateDirectory.path
        guard settings.areMixersLeft, try call.service.status().sessions.isEmpty else { return }
        try Audition.putBack(settings)
    }

    /// Plays until a service starts: from then on cards and mixers are its own, and an alarm may be due.
    private func runAlone(_ waits: (_ milliseconds: Int) -> Bool) throws(Refusal) {
        var (waited, isServed) = (0, false)
        try audition().run { milliseconds in
            waited += milliseconds
            if waited >= 1000 { (waited, isServed) = (0, isServedByNow) }
            return !isServed && waits(milliseconds)
        }
        if isServed { complain("rooster: roosterd runs by now: it has the speakers, and the test is over") }
    }

    private var isServedByNow: Bool {
        do throws(Refusal) {
            return try call.service.isRunning()
        } catch {
            // One that does not let this in runs all the same.
            return true
        }
    }

    private func served() throws(Refusal) -> ServedTest {
        guard speaker == nil, sounds == nil else {
            throw .refused(
                "roosterd runs, and plays as its configuration says: leave out --speaker and --sounds, or stop it first "
                    + "('sudo systemctl stop rooster'; no alarm rings then)")
        }
        // Of files, the service may know more than this user can see.
        let name = BuiltInSound(id: id)?.name ?? (id.contains(".") ? id : nil)
        guard let name else { throw unknown }
        return ServedTest(name: name, sound: id, volume: volume, seconds: seconds, call: call)
    }

    private func audition() throws(Refusal) -> Audition {
        let configuration = SpeakersCommand.configuration(call.arguments).speaker
        let catalogue = SoundCatalogue(directory: sounds ?? configuration.sounds)
        guard let entry = catalogue.entries().first(where: { $0.id == id }) else {
            throw catalogue.problem(isAskedFor: sounds != nil).map { .refused($0) } ?? unknown
        }
        let order = configuration.order.putting(speaker)
        let list = SystemCards(order)
        let cards = try SpeakersCommand.systemCards(list)
        if let speaker, order.namesWithoutRoute(among: cards.map(\.route)).contains(speaker) {
            throw .notFound("there is no speaker \(speaker.debugDescription): 'rooster speakers' shows all")
        }
        var settings = SpeakerSettings(cards: list)
        settings.order = order
        settings.mixerDecibels = configuration.mixerDecibels
        settings.sounds = catalogue
        settings.mixerDirectory = StateDirectory.make()
        let playback = Playback(reason: "test", sound: id, ramp: Ramp(volume: volume, seconds: 0, startUptime: 0))
        return Audition(name: entry.name, playback: playback, seconds: seconds, settings: settings, cards: cards)
    }

    private var unknown: Refusal {
        .notFound("there is no sound \(id.debugDescription): 'rooster sound list' shows all")
    }
}

extension RouteOrder {
    /// The same order, behind one that comes first.
    fileprivate func putting(_ first: String?) -> RouteOrder {
        guard let first else { return self }
        return switch self {
        case .standard: .listed([first])
        case .listed(let names): .listed([first] + names)
        }
    }
}
