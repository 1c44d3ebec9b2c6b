// The sounds that every Rooster has.

/// A sound of Rooster's own: it is made, not recorded, so it is there whatever happens to the disk's files.
package struct BuiltInSound: Hashable, Sendable {
    /// What alarms call it, for ever.
    package let id: String
    /// What its owner reads.
    package let name: String
    let score: Score

    /// How loud all of them are, in LUFS: as loud as the softest instrument can be without distortion.
    package static let loudness = -16.0
    /// The largest value in any of them, a little below what a card can give.
    static let peakMax: Float = 0.89

    /// How long it is once through.
    package var seconds: Double { score.seconds }

    /// The sound, once through.
    package func samples(rate: Int = 48_000) -> Samples {
        score.rendered(rate: rate).levelled(to: BuiltInSound.loudness, peakMax: BuiltInSound.peakMax)
    }

    /// What an alarm sounds like whose owner chose nothing, or something that is not there.
    package static let standard = all[0]

    package init?(id: String) {
        guard let sound = BuiltInSound.all.first(where: { $0.id == id }) else { return nil }
        self = sound
    }

    init(_ id: String, _ name: String, _ score: Score) {
        (self.id, self.name, self.score) = (id, name, score)
    }

    /// All of them, as they are listed.
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
