// The timbres of the instruments: the partials of a note, and how they start and decay.

struct Timbre: Hashable, Sendable {
    struct Partial: Hashable, Sendable {
        /// The partial's frequency, relative to the note's.
        var ratio: Double
        var amplitude: Double
        /// The time in which the partial decays by 60 dB; nil if it lasts as long as the note.
        var decaySeconds: Double?
    }

    var partials: [Partial]
    /// The fade-in, which prevents a click.
    var attackSeconds = 0.004
    /// The fade-out of a held note.
    var releaseSeconds = 0.02
}

extension Timbre {
    /// A small tube that is struck. Its overtones are not harmonic.
    static let chime = struck([(1, 1, 2.6), (2.76, 0.55, 1.4), (5.40, 0.25, 0.7), (8.93, 0.1, 0.35)])

    /// A bell: hum, prime, tierce, quint, nominal and some above.
    static let bell = struck([
        (0.5, 0.35, 4.5), (1, 0.8, 3.2), (1.19, 0.55, 2.4), (1.5, 0.3, 1.8), (2, 1, 1.8), (2.66, 0.3, 1.0),
        (3.01, 0.2, 0.8), (4.1, 0.12, 0.5),
    ])

    /// The two small bells of an old alarm clock, with a hammer between them.
    static let clockBell = struck([(1, 1, 0.5), (2.32, 0.8, 0.35), (4.25, 0.5, 0.2), (6.63, 0.3, 0.12)])

    static let glass = struck([(1, 1, 1.6), (2.32, 0.3, 0.9), (4.25, 0.12, 0.5)])

    static let marimba = struck([(1, 1, 0.7), (3.93, 0.35, 0.25), (9.6, 0.1, 0.08)])

    static let musicBox = struck([(1, 1, 1.6), (2, 0.25, 1.1), (5.4, 0.3, 0.45), (8.9, 0.08, 0.2)])

    /// A plucked string: every overtone, the higher the shorter.
    static let pluck = struck(
        stride(from: 1.0, through: 10, by: 1).map { (ratio: Double) in (ratio, 0.9 / ratio, 2 / ratio) })

    /// A soft pipe.
    static let flute = held([(1, 1), (2, 0.22), (3, 0.1), (4, 0.03)], attack: 0.05, release: 0.08)

    static let horn = held(
        stride(from: 1.0, through: 14, by: 1).map { (ratio: Double) in (ratio, 1 / ratio) }, attack: 0.06,
        release: 0.12)

    static let sine = held([(1, 1)], attack: 0.006, release: 0.02)

    /// A digital clock.
    static let beep = held([(1, 1), (3, 0.3), (5, 0.12)], attack: 0.002, release: 0.004)

    /// A square wave within the range of hearing. A low one wakes better than any other tone.
    static let square = held(
        stride(from: 1.0, through: 21, by: 2).map { (ratio: Double) in (ratio, 1 / ratio) }, attack: 0.005,
        release: 0.01)

    /// The voice of a bird: few strong overtones.
    static let throat = held(
        [(1, 0.7), (2, 1), (3, 0.8), (4, 0.45), (5, 0.3), (6, 0.15)], attack: 0.02, release: 0.05)

    private static func struck(_ partials: [(ratio: Double, amplitude: Double, decay: Double)]) -> Timbre {
        Timbre(
            partials: partials.map { Partial(ratio: $0.ratio, amplitude: $0.amplitude, decaySeconds: $0.decay) })
    }

    private static func held(
        _ partials: [(ratio: Double, amplitude: Double)], attack: Double, release: Double
    ) -> Timbre {
        Timbre(
            partials: partials.map { Partial(ratio: $0.ratio, amplitude: $0.amplitude, decaySeconds: nil) },
            attackSeconds: attack, releaseSeconds: release)
    }
}
