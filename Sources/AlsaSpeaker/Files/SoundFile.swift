// The reading of the owner's sound files, in all formats that libsndfile supports.

import Glibc
import Sound

/// A sound file that has been read and can be looped.
package struct SoundFile: Sendable {
    /// One channel at the requested rate, as loud as the built-in sounds.
    package let samples: Samples
    /// Texts on how the sound differs from what its owner may expect.
    package let warnings: [String]

    /// The limit of a sound: three minutes at 48 kHz, 35 MB. It is in memory once for each card rate in use.
    static let framesMax = 180 * 48_000
    package static let secondsMax = 180
    /// A shorter sound cannot be recognised as one, even when it loops.
    private static let secondsMin = 0.05
    /// A sound with a lower peak does not wake a sleeper. Amplifying it would amplify its noise.
    private static let peakMin: Float = 0.003
    /// Decibels below the built-in sounds. A sound that is softer by the first is rejected, by the second
    /// reported.
    private static let softest = 30.0
    private static let noticeablySofter = 10.0

    /// - Parameter secondsMax: the length of the beginning that is read.
    package init(at path: String, rate: Int, secondsMax: Int = SoundFile.secondsMax) throws(SoundFileError) {
        let file = try OpenSoundFile(at: path)
        var samples = Samples(values: [], rate: rate)
        var warnings = try samples.read(file, framesMax: min(SoundFile.framesMax, secondsMax * rate))
        guard !samples.values.isEmpty else { throw .empty }
        guard samples.peak > SoundFile.peakMin else { throw .silent }
        warnings += samples.shortenPauses()
        guard samples.seconds >= SoundFile.secondsMin else {
            throw .tooShort(milliseconds: Int(samples.seconds * 1000))
        }
        let softer = samples.makeAsLoudAsOthers()
        guard softer < SoundFile.softest else { throw .silent }
        if softer >= SoundFile.noticeablySofter {
            warnings.append("is \(Int(softer)) dB softer than the built-in sounds, and cannot be made louder")
        }
        samples.fadeEnds()
        self.samples = samples
        self.warnings = warnings
    }
}

extension Samples {
    /// Reads a file to its end or to the limit. Returns texts about that for the owner.
    fileprivate mutating func read(_ file: OpenSoundFile, framesMax: Int) throws(SoundFileError) -> [String] {
        let resampler = file.rate == rate ? nil : try Resampler(from: file.rate, to: rate)
        let expected = file.seconds * Double(rate) + 1
        values.reserveCapacity(Int(min(expected, Double(framesMax))))
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: OpenSoundFile.blockFrames)
        defer { block.deallocate() }
        var readCount = 0
        while values.count < framesMax {
            let count = file.read(into: block)
            readCount += count
            let frames = UnsafeBufferPointer(rebasing: block[..<count])
            if let resampler {
                try resampler.append(frames, isLast: count == 0, to: &values, countMax: framesMax)
            } else {
                values.append(contentsOf: frames.prefix(framesMax - values.count))
            }
            if count == 0 { break }
        }
        guard readCount < file.frameCount else { return [] }
        let whole = Samples.clock(file.frameCount / file.rate)
        return values.count == framesMax
            ? ["is \(whole) long: only its first \(Samples.clock(framesMax / rate)) are played, again and again"]
            : ["is damaged: only \(Samples.clock(readCount / file.rate)) of its \(whole) can be played"]
    }

    private static func clock(_ seconds: Int) -> String {
        let (minutes, rest) = (seconds / 60, seconds % 60)
        if minutes == 0 { return "\(rest) s" }
        return rest == 0 ? "\(minutes) min" : "\(minutes) min \(rest) s"
    }

    /// The beginning that is measured for its loudness.
    private static let secondsListened = 60
    private static let peakMax: Float = 0.89

    /// Scales the sound to the built-in loudness, or as far as its peak allows. Returns the missing
    /// decibels.
    fileprivate mutating func makeAsLoudAsOthers() -> Double {
        let most = Samples.peakMax / peak
        guard let loudness = loudness(ofFirst: rate * Samples.secondsListened) else {
            // A sound too short to measure is made as loud as possible. A longer one is silent.
            scale(by: most)
            return seconds < 0.4 ? 0 : .infinity
        }
        let wanted = BuiltInSound.loudness - loudness
        let gain = min(pow(10, Float(wanted) / 20), most)
        scale(by: gain)
        return wanted - 20 * log10(Double(gain))
    }

    private mutating func scale(by factor: Float) {
        values.withUnsafeMutableBufferPointer { values in
            for frame in values.indices { values[frame] *= factor }
        }
    }

    /// Fades both ends, so that the loop does not click.
    fileprivate mutating func fadeEnds() {
        let fade = min(rate / 200, values.count / 4)
        for frame in 0..<fade {
            let edge = Float(frame) / Float(fade)
            values[frame] *= edge
            values[values.count - 1 - frame] *= edge
        }
    }
}
