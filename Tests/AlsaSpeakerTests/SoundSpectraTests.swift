// Each built-in sound is heard as its score has it: the tones that begin, in what ALSA has written, by the names of the notes.

import Foundation
import Sound
import Testing

@testable import AlsaSpeaker

@Suite struct SoundSpectraTests {
    /// Tones that begin together.
    struct Beginning {
        /// When they begin, and for how long they are listened to.
        var start: Double
        var seconds: Double
        /// The lowest first: nothing below it begins.
        var hertz: [Double]
        /// All that is heard then is meant, and not only what begins.
        var isAll = false
    }

    /// The tone of a note by its name, as `C#6`.
    static func hertz(_ name: String) -> Double {
        let keys: [Character: Int] = ["C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2]
        let key = (keys[name.first ?? "A"] ?? 0) + (name.contains("#") ? 1 : 0)
        let octave = Int(String(name.last ?? "4")) ?? 4
        return 440 * pow(2, Double(key + 12 * (octave - 4)) / 12)
    }

    /// The first notes of a melody, one after the other. A bell has a hum below its note, an octave lower.
    static func melody(every seconds: Double, _ names: String..., hum: Bool = false) -> [Beginning] {
        names.enumerated().map { place, name in
            let tone = hertz(name)
            return Beginning(
                start: Double(place) * seconds, seconds: min(seconds, 0.6), hertz: hum ? [tone / 2, tone] : [tone])
        }
    }

    /// A voice that slides: its tone in the middle of a slide.
    static func slide(at middle: Double, _ hertz: Double) -> Beginning {
        Beginning(start: middle - 0.01, seconds: 0.02, hertz: [hertz], isAll: true)
    }

    /// What is written on the music, by hand and by ear, and not taken from the scores. Only where a voice slides, its tone in
    /// the middle is a product of the score's own numbers: that the score is sung is shown, not that it is right.
    static let music: [String: [Beginning]] = [
        "chimes01": melody(every: 0.3, "G5", "C6", "A5", "E6", "G5", "D6"),
        "chimes02": [(0, "D6"), (2, "G6"), (5, "E6"), (6, "A6"), (8, "C6")].map { step, name in
            Beginning(start: step * 15 / 132, seconds: 15.0 / 132, hertz: [hertz(name)])
        },
        "bells01": melody(every: 60.0 / 72, "C5", "G4", "E5", "C5", hum: true),
        // The hum of the first is the note of the last, and goes on.
        "bells02": [Beginning(start: 0, seconds: 60.0 / 110, hertz: [hertz("G4")])]
            + melody(every: 60.0 / 110, "G4", "F4", "E4", "D4", "C4", hum: true).dropFirst(),
        "bells03": melody(every: 0.08, "C7", "D7", "C7", "D7"),
        "glass01": melody(every: 0.25, "C6", "E6", "G6", "C7", "G6", "E6"),
        // So does the lower note of the first.
        "melody01": [
            (0, ["C5"]), (1, ["D5"]), (2, ["G3", "E5"]), (3, ["G5"]), (4, ["F3", "E5"]), (5, ["G5"]),
        ].map { step, names in
            Beginning(start: step * 30 / 108, seconds: 30.0 / 108, hertz: names.map(hertz))
        },
        "melody02": melody(every: 0.3125, "C6", "G5", "E6", "G5", "G6", "E6"),
        "melody03": melody(every: 0.125, "C4", "E4", "G4", "C5", "E5", "G5"),
        "melody04": melody(every: 30.0 / 84, "G5", "E5", "D5", "C5", "D5", "E5"),
        "ringtone1": melody(every: 0.2, "E5", "B5", "G#5", "B5", "E5", "B5"),
        "ringtone2": melody(every: 30.0 / 132, "G4", "B4", "D5", "G5", "D5", "B4"),
        "tone01": melody(every: 0.2, "B6"),
        "tone02": melody(every: 0.5, "A5", "E6"),
        "tone03": melody(every: 0.25, "A4", "C5", "E5", "G5", "A5", "C6", "E6", "G6"),
        "square520": [Beginning(start: 0, seconds: 0.6, hertz: [520])],
        "horn01": [Beginning(start: 0, seconds: 0.6, hertz: [110, 138.6])],
        "birds01": [slide(at: 0.05, 2972.5), slide(at: 0.15, 3045), slide(at: 0.47, 2562.5), slide(at: 1.5333, 3900)],
        "rooster01": [slide(at: 0.0525, 456), slide(at: 0.1575, 504), slide(at: 0.675, 822.5), slide(at: 2.008, 403)],
    ]

    /// Enough for all of these tones, and done in a third of the time that 48 kHz take.
    static let rate = 16_000

    static let ids: [String] = BuiltInSound.all.map(\.id)

    /// Half a semitone.
    func isNear(_ a: Double, _ b: Double) -> Bool { abs(12 * log2(a / b)) < 0.5 }

    @Test(arguments: ids) func whatBeginsInASound_isWhatItsScoreSays(id: String) throws {
        let sound = try #require(BuiltInSound(id: id))
        let recorder = try Recorder(format: .float32, rate: Self.rate)
        var fast = try FastPlayer("recorder", recorder)
        let ramp = Ramp(volume: 1, seconds: 0, startUptime: 100_000)
        fast.player.play(PlayedSound(sound.samples(rate: Self.rate), ramp: ramp, start: SoundStart()))
        // Once through, and the first tones once more.
        try fast.run(to: 100_000 + sound.seconds * 1000 + 1000)
        let values = try recorder.values()
        for beginning in try #require(Self.music[id]) {
            let count = Int(beginning.seconds * Double(Self.rate))
            var start = Int(beginning.start * Double(Self.rate))
            // The first has the end of the sound before it.
            if start < count { start += Int(sound.seconds * Double(Self.rate)) }
            var spectrum = Spectrum(values[start..<start + count], rate: Self.rate)
            if !beginning.isAll {
                spectrum = spectrum.risen(above: Spectrum(values[start - count..<start], rate: Self.rate))
            }
            let tones = spectrum.tones(within: 15)
            let lowest = try #require(tones.first)
            #expect(isNear(lowest, beginning.hertz[0]), "\(lowest) Hz at \(beginning.start) s")
            for hertz in beginning.hertz {
                #expect(tones.contains { isNear($0, hertz) }, "\(hertz) Hz at \(beginning.start) s")
            }
        }
    }
}
