// The sound that is to be heard, made for the rates of all cards in use.

import Glibc
import Sound
import System

/// A cache of the sounds that were made. It has missing ones made, and knows what takes their place meanwhile.
struct SoundCache {
    /// What can be played for an order, the worse first.
    enum Choice: Hashable, Comparable {
        /// What is there at once.
        case tone
        /// The default sound, where another is not made in time.
        case standard
        /// What was ordered.
        case wanted
    }

    private let make: @Sendable (SoundKey) -> SoundCatalogue.Made
    private let callback: @Sendable (SoundKey, SoundCatalogue.Made) -> Void
    private(set) var order = SpeakerOrder.silent
    private var made: [SoundKey: Samples] = [:]
    private var making: Set<SoundKey> = []
    /// Whatever takes the place of something else has a beginning of its own.
    private var starts: [Choice: SoundStart] = [:]
    /// The timeout of a sound that is not made yet.
    private(set) var timeoutUptime: Double?
    /// Since when a sound is to be ready.
    private var notice: (id: String, uptime: Double)?
    private var known: (id: String, pulses: PulsePattern)?

    private static let timeoutMilliseconds = 200.0
    /// A file on a disk that hangs keeps its thread. What is built in never hangs, and is made whatever does.
    private static let filesMax = 4

    /// `make` takes its time, on a thread of its own; `callback` is called with what it has made.
    init(
        make: @escaping @Sendable (SoundKey) -> SoundCatalogue.Made,
        callback: @escaping @Sendable (SoundKey, SoundCatalogue.Made) -> Void
    ) {
        self.make = make
        self.callback = callback
    }

    private var id: String? {
        switch order {
        case .silent: nil
        case .ready(let sound, _): sound
        case .play(let playback): playback.sound
        }
    }

    /// What is worth making: the sound, and the default when it was waited for in vain, or is a file, which may be.
    private var ids: [String] {
        guard let id else { return [] }
        let isLate = if case .play = order { timeoutUptime == nil } else { false }
        return isLate || BuiltInSound(id: id) == nil ? [id, BuiltInSound.standard.id] : [id]
    }

    /// Something else is to be heard, on cards of these rates.
    mutating func prepare(_ order: SpeakerOrder, rates: Set<Int>, at uptime: Double = Uptime.now) {
        if case .play(let playback) = order {
            if case .play(let before) = self.order, before.reason == playback.reason, before.sound == playback.sound {
                // The same ring goes on, louder or softer.
            } else {
                starts = [:]
                // What was to be ready has had its time.
                let begin = notice.map { $0.id == playback.sound ? $0.uptime : uptime } ?? uptime
                let end = begin + SoundCache.timeoutMilliseconds
                timeoutUptime = end > uptime ? end : nil
            }
        } else {
            timeoutUptime = nil
        }
        if case .ready(let sound, _) = order {
            if notice?.id != sound { notice = (sound, uptime) }
        } else {
            notice = nil
        }
        self.order = order
        let ids = ids
        made = made.filter { ids.contains($0.key.id) }
        if order == .silent { known = nil }
        // What is mostly there is made before a card says its rate.
        for rate in rates.union(order == .silent ? [] : [48_000]) { make(rate: rate) }
    }

    mutating func make(rate: Int) {
        guard !isMade(rate: rate) else { return }
        for id in ids { startMaking(SoundKey(id: id, rate: rate)) }
    }

    private mutating func startMaking(_ key: SoundKey) {
        guard made[key] == nil, !making.contains(key) else { return }
        let files = making.filter { BuiltInSound(id: $0.id) == nil }
        guard BuiltInSound(id: key.id) != nil || files.count < SoundCache.filesMax else { return }
        let (make, callback) = (make, callback)
        do throws(SystemCallError) {
            try startThread(named: "sound") { callback(key, make(key)) }
            making.insert(key)
        } catch {
            // Without another thread it takes a moment here: no sound would be worse.
            callback(key, make(key))
        }
    }

    mutating func store(_ new: SoundCatalogue.Made, for key: SoundKey) {
        making.remove(key)
        if key.id == id || ids.contains(key.id) && !isMade(rate: key.rate) { made[key] = new.samples }
        // What has taken its place is needed no more.
        if key.id == id { made = made.filter { $0.key.id == id || $0.key.rate != key.rate } }
    }

    /// That of the sound, if it is made. It takes a while, the first time.
    mutating func pulses() -> PulsePattern {
        if let known, known.id == id { return known.pulses }
        guard let (key, samples) = made.first(where: { $0.key.id == id }) else { return .standard }
        let pulses = PulsePattern(of: samples)
        known = (key.id, pulses)
        return pulses
    }

    func isMade(rate: Int) -> Bool { id.map { made[SoundKey(id: $0, rate: rate)] != nil } ?? false }

    /// The best that can be played on a card of that rate now; nothing while it is worth waiting.
    func choice(rate: Int) -> Choice? {
        if isMade(rate: rate) { return .wanted }
        guard timeoutUptime == nil else { return nil }
        return made[SoundKey(id: BuiltInSound.standard.id, rate: rate)] == nil ? .tone : .standard
    }

    /// What is played by that choice on a card of that rate.
    mutating func sound(_ choice: Choice, for playback: Playback, rate: Int) -> PlayedSound {
        let id = choice == .standard ? BuiltInSound.standard.id : playback.sound
        let samples = choice == .tone ? nil : made[SoundKey(id: id, rate: rate)]
        let start = starts[choice] ?? SoundStart()
        starts[choice] = start
        return PlayedSound(samples ?? .plainTone(rate: rate), ramp: playback.ramp, start: start)
    }

    /// The wait for a sound has timed out: on cards of these rates something else takes its place.
    mutating func expire(at uptime: Double, rates: Set<Int>) {
        guard let end = timeoutUptime, end <= uptime else { return }
        timeoutUptime = nil
        for rate in rates { make(rate: rate) }
    }
}
