// What is played: notes on a loop.

/// Some notes that begin anew when the last bar is over.
struct Score: Hashable, Sendable {
    struct Note: Hashable, Sendable {
        /// When it begins, in beats from the start.
        var beat: Double
        /// How long it is held, in beats; what is struck dies away by itself.
        var beats: Double
        /// Its tone in swings a second.
        var hertz: Double
        var velocity: Double
        var timbre: Timbre
        /// Where its tone goes: by how much it is higher, evenly from one to the next; it stays where this is empty.
        var glide: [Double] = []
    }

    var beatsPerMinute: Double
    /// How many beats there are until it begins anew.
    var beats: Double
    var notes: [Note]

    var seconds: Double { beats * secondsPerBeat }

    var secondsPerBeat: Double { 60 / beatsPerMinute }
}

extension Score {
    /// A melody of one instrument: each step's key number (60 is the middle of a piano), nil where no note begins.
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

    /// Both at once; the length and the speed are this one's.
    func with(_ other: Score) -> Score {
        Score(beatsPerMinute: beatsPerMinute, beats: beats, notes: notes + other.notes)
    }
}
