// The scores of the built-in sounds.

extension Score {
    static let chimes = Score(
        .chime, beatsPerMinute: 100, stepBeats: 0.5,
        keys: [79, 84, 81, 88, 79, 86, 84, 91, 81, 88, 79, 84])

    static let windChimes = Score(
        .chime, beatsPerMinute: 132, stepBeats: 0.25, velocity: 0.8,
        keys: [
            86, nil, 91, nil, nil, 88, 93, nil, 84, nil, nil, 86, nil, 95, nil, 88, nil, nil, 91, 84, nil, 93, nil, nil,
            86, nil,
            88, nil, 91, nil, 84, nil,
        ])

    static let softBells = Score(
        .bell, beatsPerMinute: 72, stepBeats: 1, velocity: 0.8, keys: [72, 67, 76, 72, 79, 76, 72, 67])

    static let towerBells = Score(
        .bell, beatsPerMinute: 110, stepBeats: 1, keys: [67, 65, 64, 62, 60, 59, 57, 55])

    /// The hammer strikes for 2 s and rests for 0.4 s.
    static let alarmClock = Score(
        .clockBell, beatsPerMinute: 750, stepBeats: 1,
        keys: (0..<30).map { (step: Int) -> Int? in
            step < 25 ? 96 + step % 2 * 2 : nil
        })

    static let glasses = Score(
        .glass, beatsPerMinute: 120, stepBeats: 0.5, keys: [84, 88, 91, 96, 91, 88, 86, 89, 93, 98, 93, 89])

    static let morningWalk = Score(
        .flute, beatsPerMinute: 108, stepBeats: 0.5, held: 0.45, velocity: 0.8,
        keys: [72, 74, 76, 79, 76, 79, 81, nil, 79, 76, 77, 74, 72, 74, 76, nil]
    ).with(
        Score(
            .pluck, beatsPerMinute: 108, stepBeats: 1, velocity: 0.45, keys: [48, 55, 53, 57, 48, 53, 55, 48]))

    static let musicBox = Score(
        .musicBox, beatsPerMinute: 96, stepBeats: 0.5,
        keys: [84, 79, 88, 79, 91, 88, 84, 79, 86, 81, 89, 81, 93, 89, 86, 83])

    static let harp = Score(
        .pluck, beatsPerMinute: 120, stepBeats: 0.25,
        keys: [
            60, 64, 67, 72, 76, 79, 76, 72, 57, 60, 64, 69, 72, 76, 72, 69, 53, 57, 60, 65, 69, 72, 69, 65, 55, 59, 62,
            67, 71,
            74, 71, 67,
        ])

    static let shepherd = Score(
        .flute, beatsPerMinute: 84, stepBeats: 0.5, held: 0.48,
        keys: [79, 76, 74, 72, 74, 76, 79, 81, 84, 81, 79, 76, 74, nil])

    static let ringtone = Score(
        .marimba, beatsPerMinute: 150, stepBeats: 0.5,
        keys: [76, 83, 80, 83, 76, 83, 80, 83, 78, 85, 81, 85, 78, 85, 81, 85])

    static let marimba = Score(
        .marimba, beatsPerMinute: 132, stepBeats: 0.5,
        keys: [67, 71, 74, 79, 74, 71, 69, 72, 76, 81, 76, 72, 71, 74, 78, 83, 78, 74])

    /// Two beeps and a rest. Groups of three or four beeps are evacuation signals.
    static let classicTone = Score(
        .beep, beatsPerMinute: 300, stepBeats: 1, held: 0.6, keys: [95, 95, nil, nil])

    static let pulse = Score(.sine, beatsPerMinute: 120, stepBeats: 0.5, held: 0.3, keys: [81, 81, 88, 88])

    static let climbingTone = Score(
        .sine, beatsPerMinute: 120, stepBeats: 0.5, held: 0.45, keys: [69, 72, 76, 79, 81, 84, 88, 91])

    /// A second of a low tone, a quarter of a second of rest: the sound that wakes the heaviest sleepers.
    static let heavySleeper = Score(
        beatsPerMinute: 60, beats: 1.25,
        notes: [Note(beat: 0, beats: 1, hertz: 520, velocity: 1, timbre: .square)])

    static let shipsHorn = Score(
        beatsPerMinute: 60, beats: 3,
        notes: [110.0, 138.6].map { Note(beat: 0, beats: 2.2, hertz: $0, velocity: 1, timbre: .horn) })

    static let birds = Score(
        beatsPerMinute: 60, beats: 6,
        notes: [0, 0.22, 0.44, 1.5, 1.75, 2.6, 2.75, 2.9, 3.05, 4.0, 4.22, 5.0, 5.15, 5.3].enumerated().map {
            index, beat in
            Note(
                beat: beat, beats: index % 3 == 0 ? 0.18 : 0.1, hertz: [2900, 3400, 2500, 3900][index % 4], velocity: 1,
                timbre: .sine, glide: index % 2 == 0 ? [0.85, 1.2, 0.9] : [1.2, 0.8, 1.1, 0.95])
        })

    /// Four syllables: the third is the highest, the last the longest.
    static let rooster = Score(
        beatsPerMinute: 60, beats: 3,
        notes: [
            Note(beat: 0, beats: 0.16, hertz: 480, velocity: 0.8, timbre: .throat, glide: [0.8, 1.1, 1]),
            Note(beat: 0.22, beats: 0.14, hertz: 560, velocity: 0.9, timbre: .throat, glide: [0.9, 1.1]),
            Note(beat: 0.4, beats: 0.5, hertz: 700, velocity: 1, timbre: .throat, glide: [0.9, 1.15, 1.2, 1.1]),
            Note(
                beat: 0.94, beats: 1.1, hertz: 620, velocity: 1, timbre: .throat,
                glide: [1.2, 1.25, 1.2, 1.15, 1.0, 0.85, 0.7, 0.6]),
        ])
}
