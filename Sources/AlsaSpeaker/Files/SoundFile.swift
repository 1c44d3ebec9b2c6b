// Reads the owner's own sounds: whatever libsndfile can, and no more of it than is of use.

import Glibc
import Sound

/// A sound file, read and ready to be played over and over.
package struct SoundFile: Sendable {
    /// One channel at the rate that was asked for, as loud as the built-in sounds.
    package let samples: Samples
    /// What is not as its owner may think, in words.
    package let warnings: [String]

    /// How much of a file is played: three minutes at the usual rate, and 35 MB. A machine with little memory has to hold it
    /// for each card that another one takes over from.
    static let framesMax = 180 * 48_000
    static let secondsMax = 180
    /// What is shorter is no sound, even over and over.
    private static let secondsMin = 0.05
    /// What is softer than this everywhere wakes nobody. It cannot be made louder without its noise.
    private static let peakMin: Float = 0.003
    /// Nor is anybody woken by what is so much softer than the built-in sounds, in decibels; of the lesser one is told.
    private static let softest = 30.0
    private static let noticeablySofter = 10.0

    package init(at path: String, rate: Int) throws(SoundFileError) {
        let file = try OpenSoundFile(at: path)
        var samples = Samples(values: [], rate: rate)
        var warnings = try samples.read(file, framesMax: min(SoundFile.framesMax, SoundFile.secondsMax * rate))
        guard !samples.values.isEmpty else { throw .empty }
        guard samples.peak > SoundFile.peakMin else { throw .silent }
        warnings += samples.shortenPauses()
        guard samples.seconds >= SoundFile.secondsMin else {
            throw .tooShort(milliseconds: Int(samples.seconds * 1000))
        }
        let softer = samples.makeAsLoudAsOthers()
        guard softer < SoundFile.softest else { throw .silent }
        if softer >= SoundFile.noticeablySofter {
            warnings.append("it is \(Int(softer)) dB softer than the built-in sounds, for all that can be done")
        }
        samples.fadeEnds()
        self.samples = samples
        self.warnings = warnings
    }
}

extension Samples {
    /// Reads a file to its end, or as much as is of use, and answers what there is to say about that.
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
            ? ["it lasts \(whole): only \(Samples.clock(framesMax / rate)) of it is played, over and over"]
            : ["it breaks off after \(Samples.clock(readCount / file.rate)) of \(whole): what is there is played"]
    }

    private static func clock(_ seconds: Int) -> String {
        "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    /// How much is listened to, to tell how loud a sound is.
    private static let secondsListened = 60
    private static let peakMax: Float = 0.89

    /// As loud as the built-in sounds, or as its largest values allow. Answers by how many decibels it stays softer.
    fileprivate mutating func makeAsLoudAsOthers() -> Double {
        let most = Samples.peakMax / peak
        guard let loudness = loudness(ofFirst: rate * Samples.secondsListened) else {
            // One that is too short to tell is made as loud as it can be; of a longer one nothing is heard.
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

    /// Ends that fit together.
    fileprivate mutating func fadeEnds() {
        let fade = min(rate / 200, values.count / 4)
        for frame in 0..<fade {
            let edge = Float(frame) / Float(fade)
            values[frame] *= edge
            values[values.count - 1 - frame] *= edge
        }
    }
}
