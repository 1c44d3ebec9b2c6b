// Scores: notes that repeat.

/// Notes that start over after the last beat.
struct Score: Hashable, Sendable {
    struct Note: Hashable, Sendable {
        /// The start, in beats.
        var beat: Double
        /// The duration in beats. Struck instruments decay by themselves.
        var beats: Double
        var hertz: Double
        var velocity: Double
        var timbre: Timbre
        /// Factors for the frequency, interpolated over the note. If empty, the frequency is constant.
        var glide: [Double] = []
    }

    var beatsPerMinute: Double
    /// The length of the loop in beats.
    var beats: Double
    var notes: [Note]

    var seconds: Double { beats * secondsPerBeat }

    var secondsPerBeat: Double { 60 / beatsPerMinute }
}

extension Score {
    /// Creates a melody of one instrument. A step has a key number (60 is middle C), or nil for no note.
    init(
        _ timbre: Timbre, beatsPerMinute: Double, stepBeats: Double, held beats: Double? = nil, velocity: Double = 1,
        keys: [Int?]
    ) {
        let notes = keys.enumerated().compactMap { step, key -> Note? in
            guard let key else { return nil }
            return Note(
                beat: Double(step) * stepBeats, beats: beats ?? stepBeats, hertz: hertz(ofKey: key), velocity: velocity,
                timbre: timbre)
        }
        self.init(beatsPerMinute: beatsPerMinute, beats: Double(keys.count) * stepBeats, notes: notes)
    }

    /// Returns both scores combined. Length and tempo are this one's.
    func with(_ other: Score) -> Score {
        Score(beatsPerMinute: beatsPerMinute, beats: beats, notes: notes + other.notes)
    }
}
