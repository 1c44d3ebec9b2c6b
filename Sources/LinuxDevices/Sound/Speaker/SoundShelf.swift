// The sound that is to be heard, made for the rates of all cards in use.

import Devices
import Glibc

/// Keeps what was made, has made what is missing, and knows what takes its place meanwhile.
struct SoundShelf {
    private let make: @Sendable (SoundKey) -> SoundCatalogue.Made
    private let tell: @Sendable (SoundKey, SoundCatalogue.Made) -> Void
    private(set) var order = SpeakerOrder.silent
    private var made: [SoundKey: Samples] = [:]
    private var making: Set<SoundKey> = []
    private var start = SoundStart()
    /// Until then a sound that is not made is waited for.
    private(set) var patienceEndUptime: Double?
    /// Something else is played until the sound is made.
    private var hasSubstitute = false
    private var known: (id: String, rhythm: Rhythm)?

    private static let patienceMilliseconds = 200.0
    /// A file on a disk that hangs keeps its thread.
    private static let makingMax = 4

    /// `make` takes its time, on a thread of its own; `tell` is called with what it has made.
    init(
        make: @escaping @Sendable (SoundKey) -> SoundCatalogue.Made,
        tell: @escaping @Sendable (SoundKey, SoundCatalogue.Made) -> Void
    ) {
        self.make = make
        self.tell = tell
    }

    private var id: String? {
        switch order {
        case .silent: nil
        case .ready(let sound, _): sound
        case .play(let playback): playback.sound
        }
    }

    /// Something else is to be heard, on cards of these rates.
    mutating func take(_ order: SpeakerOrder, rates: Set<Int>) {
        if case .play(let playback) = order {
            if case .play(let before) = self.order, before.reason == playback.reason, before.sound == playback.sound {
                // The same ring goes on, louder or softer.
            } else {
                (start, hasSubstitute) = (SoundStart(), false)
                patienceEndUptime = Uptime.now + SoundShelf.patienceMilliseconds
            }
        } else {
            patienceEndUptime = nil
        }
        self.order = order
        made = made.filter { $0.key.id == id }
        if order == .silent { known = nil }
        // What is mostly there is made before a card says its rate.
        for rate in rates.union(order == .silent ? [] : [48_000]) { make(rate: rate) }
    }

    /// Has the sound made for a card of that rate.
    mutating func make(rate: Int) {
        guard let id else { return }
        let key = SoundKey(id: id, rate: rate)
        guard made[key] == nil, !making.contains(key), making.count < SoundShelf.makingMax else { return }
        let (make, tell) = (make, tell)
        do throws(RouteFailure) {
            try startThread(named: "sound") { tell(key, make(key)) }
            making.insert(key)
        } catch {
            // Without another thread it takes a moment here: no sound would be worse.
            tell(key, make(key))
        }
    }

    mutating func put(_ new: SoundCatalogue.Made, for key: SoundKey) {
        making.remove(key)
        guard key.id == id else { return }
        made[key] = new.samples
        // Whatever took its place has a beginning of its own.
        if hasSubstitute { (start, hasSubstitute) = (SoundStart(), false) }
    }

    /// That of the sound, if it is made. It takes a while, the first time.
    mutating func rhythm() -> Rhythm {
        if let known, known.id == id { return known.rhythm }
        guard let (key, samples) = made.first(where: { $0.key.id == id }) else { return .standard }
        let rhythm = Rhythm(of: samples)
        known = (key.id, rhythm)
        return rhythm
    }

    func isMade(rate: Int) -> Bool { id.map { made[SoundKey(id: $0, rate: rate)] != nil } ?? false }

    /// What is to be played on a card of that rate now; nothing while it is worth waiting.
    mutating func sound(for playback: Playback, rate: Int) -> PlayedSound? {
        let key = SoundKey(id: playback.sound, rate: rate)
        if let samples = made[key] { return PlayedSound(samples, ramp: playback.ramp, start: start) }
        guard patienceEndUptime == nil else { return nil }
        hasSubstitute = true
        return PlayedSound(Samples.plainTone(rate: rate), ramp: playback.ramp, start: start)
    }

    /// Whether it is no longer worth waiting.
    mutating func losePatience(at uptime: Double) {
        if let end = patienceEndUptime, end <= uptime { patienceEndUptime = nil }
    }
}
