// The cache of the sounds that the current order needs, at the rates of all cards in use.

import Glibc
import Sound
import System

/// A cache of rendered sounds. It starts the rendering of missing ones, and chooses a substitute meanwhile.
struct SoundCache {
    /// The sound that can be played for an order, the worse choice first.
    enum Choice: Hashable, Comparable {
        /// A tone, which is available at once.
        case tone
        /// The default sound, if the ordered one is not rendered in time.
        case standard
        /// The ordered sound.
        case wanted
    }

    private let make: @Sendable (SoundKey) -> SoundCatalogue.Made
    private let callback: @Sendable (SoundKey, SoundCatalogue.Made) -> Void
    private(set) var order = SpeakerOrder.silent
    private var made: [SoundKey: Samples] = [:]
    private var making: Set<SoundKey> = []
    /// Each choice has its own start, because a substitute begins when it first plays.
    private var starts: [Choice: SoundStart] = [:]
    /// The timeout of a sound that is not rendered yet.
    private(set) var timeoutUptime: Double?
    /// The sound that a `ready` order named, and the uptime of that order.
    private var notice: (id: String, uptime: Double)?
    private var known: (id: String, pulses: PulsePattern)?

    private static let timeoutMilliseconds = 200.0
    /// The limit of files that are read at once: each blocks a thread if the disk hangs. Built-in sounds do
    /// not count, because their rendering cannot hang.
    private static let filesMax = 4

    /// `make` renders a sound and may block, on a thread of its own. `callback` receives the result.
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

    /// The sounds to render: the ordered one, and the default if the ordered one is late or is a file.
    private var ids: [String] {
        guard let id else { return [] }
        let isLate = if case .play = order { timeoutUptime == nil } else { false }
        return isLate || BuiltInSound(id: id) == nil ? [id, BuiltInSound.standard.id] : [id]
    }

    /// Applies an order, for cards of these rates.
    mutating func prepare(_ order: SpeakerOrder, rates: Set<Int>, at uptime: Double = Uptime.now) {
        if case .play(let playback) = order {
            if case .play(let before) = self.order, before.reason == playback.reason, before.sound == playback.sound {
                // The same ring continues, at another volume.
            } else {
                starts = [:]
                // The timeout counts from the order to be ready.
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
        // The most common rate is rendered before a card reports its own.
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
        making.insert(key)
        runOnThread(named: "sound") { [make, callback] in callback(key, make(key)) }
    }

    mutating func store(_ new: SoundCatalogue.Made, for key: SoundKey) {
        making.remove(key)
        if key.id == id || ids.contains(key.id) && !isMade(rate: key.rate) { made[key] = new.samples }
        // The sound is rendered at this rate, so its substitute is no longer needed.
        if key.id == id { made = made.filter { $0.key.id == id || $0.key.rate != key.rate } }
    }

    /// Returns the pattern of the ordered sound, or the standard one until it is rendered. The first call is
    /// slow.
    mutating func pulses() -> PulsePattern {
        if let known, known.id == id { return known.pulses }
        guard let (key, samples) = made.first(where: { $0.key.id == id }) else { return .standard }
        let pulses = PulsePattern(of: samples)
        known = (key.id, pulses)
        return pulses
    }

    func isMade(rate: Int) -> Bool { id.map { made[SoundKey(id: $0, rate: rate)] != nil } ?? false }

    /// Returns the best choice for a card of that rate now, or nil while waiting is better.
    func choice(rate: Int) -> Choice? {
        if isMade(rate: rate) { return .wanted }
        guard timeoutUptime == nil else { return nil }
        return made[SoundKey(id: BuiltInSound.standard.id, rate: rate)] == nil ? .tone : .standard
    }

    /// Returns the sound to play for a choice on a card of that rate.
    mutating func sound(_ choice: Choice, for playback: Playback, rate: Int) -> PlayedSound {
        let id = choice == .standard ? BuiltInSound.standard.id : playback.sound
        let samples = choice == .tone ? nil : made[SoundKey(id: id, rate: rate)]
        let start = starts[choice] ?? SoundStart()
        starts[choice] = start
        return PlayedSound(samples ?? .plainTone(rate: rate), ramp: playback.ramp, start: start)
    }

    /// Ends the wait for a sound that has timed out, and renders the substitute at these rates.
    mutating func expire(at uptime: Double, rates: Set<Int>) {
        guard let end = timeoutUptime, end <= uptime else { return }
        timeoutUptime = nil
        for rate in rates { make(rate: rate) }
    }
}
