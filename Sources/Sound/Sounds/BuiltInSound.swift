// The built-in sounds.

/// A built-in sound. It is synthesized, so no damage to the disk can remove it.
package struct BuiltInSound: Hashable, Sendable {
    /// The id in alarms. It never changes.
    package let id: String
    /// The name that the owner sees.
    package let name: String
    let score: Score

    /// The loudness of all built-in sounds in LUFS: the limit of the softest instrument without distortion.
    package static let loudness = -16.0
    /// The largest sample value, slightly below full scale.
    static let peakMax: Float = 0.89

    /// The duration of one pass.
    package var seconds: Double { score.seconds }

    /// Renders one pass of the sound.
    package func samples(rate: Int = 48_000) -> Samples {
        score.rendered(rate: rate).levelled(to: BuiltInSound.loudness, peakMax: BuiltInSound.peakMax)
    }

    /// The sound of an alarm whose owner chose none, or one that does not exist.
    package static let standard = all[0]

    package init?(id: String) {
        guard let sound = BuiltInSound.all.first(where: { $0.id == id }) else { return nil }
        self = sound
    }

    init(_ id: String, _ name: String, _ score: Score) {
        (self.id, self.name, self.score) = (id, name, score)
    }

    /// All built-in sounds, in the order in which they are listed.
    package static let all: [BuiltInSound] = [
        BuiltInSound("chimes01", "Chimes", .chimes), BuiltInSound("chimes02", "Wind Chimes", .windChimes),
        BuiltInSound("bells01", "Soft Bells", .softBells), BuiltInSound("bells02", "Tower Bells", .towerBells),
        BuiltInSound("bells03", "Alarm Clock", .alarmClock), BuiltInSound("glass01", "Glasses", .glasses),
        BuiltInSound("melody01", "Morning Walk", .morningWalk), BuiltInSound("melody02", "Music Box", .musicBox),
        BuiltInSound("melody03", "Harp", .harp), BuiltInSound("melody04", "Shepherd", .shepherd),
        BuiltInSound("ringtone1", "Ringtone", .ringtone), BuiltInSound("ringtone2", "Marimba", .marimba),
        BuiltInSound("tone01", "Classic Tone", .classicTone), BuiltInSound("tone02", "Pulse", .pulse),
        BuiltInSound("tone03", "Climbing Tone", .climbingTone),
        BuiltInSound("square520", "Heavy Sleeper (520 Hz)", .heavySleeper),
        BuiltInSound("horn01", "Ship's Horn", .shipsHorn), BuiltInSound("birds01", "Birds", .birds),
        BuiltInSound("rooster01", "Rooster", .rooster),
    ]
}
