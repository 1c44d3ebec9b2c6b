// Reads the owner's own sounds: whatever libsndfile can, and no more of it than is of use.

import CSndfile
import Devices
import Glibc

/// A sound file, read and ready to be played over and over.
public struct SoundFile: Sendable {
    /// One channel at the file's own rate, as loud as the built-in sounds.
    public let samples: Samples
    /// What is not as its owner may think, in words.
    public let warnings: [String]

    /// How much of a file is played. More would only fill the memory: a ring is over before.
    static let secondsMax = 300
    /// What is shorter is no sound, even over and over.
    static let secondsMin = 0.05
    private static let channelsMax: Int32 = 32
    private static let rates: ClosedRange<Int32> = 4000...384_000
    private static let framesAtATime = 4096
    /// What is softer than this everywhere wakes nobody. It cannot be made louder without its noise.
    private static let peakMin: Float = 0.003

    /// Reads a file.
    public init(at path: String) throws(SoundFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errorNumber: errno) }
        // A pipe would keep its reader waiting for ever.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size > 0 else { throw .empty }
        var info = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw .unreadable(String(cString: sf_strerror(nil)))
        }
        defer { sf_close(file) }
        guard SoundFile.rates.contains(info.samplerate) else { throw .rate(hertz: Int(info.samplerate)) }
        guard (1...SoundFile.channelsMax).contains(info.channels) else { throw .channels(Int(info.channels)) }
        let (values, warnings) = SoundFile.read(file, info)
        let rate = Int(info.samplerate)
        guard Double(values.count) >= SoundFile.secondsMin * Double(rate) else {
            if values.isEmpty { throw .empty }
            throw .tooShort(milliseconds: values.count * 1000 / rate)
        }
        let raw = Samples(values: values, rate: rate)
        guard raw.peak > SoundFile.peakMin else { throw .silent }
        samples = raw.madeForLooping()
        self.warnings = warnings
    }

    /// All channels together, up to the end or as much as is of use.
    private static func read(_ file: OpaquePointer, _ info: SF_INFO) -> (values: [Float], warnings: [String]) {
        let most = SoundFile.secondsMax * Int(info.samplerate)
        let channels = Int(info.channels)
        var values: [Float] = []
        values.reserveCapacity(min(most, max(0, Int(info.frames))))
        var block = [Float](repeating: 0, count: framesAtATime * channels)
        while values.count < most {
            let count = Int(sf_readf_float(file, &block, sf_count_t(min(framesAtATime, most - values.count))))
            guard count > 0 else { break }
            for frame in 0..<count {
                var sum: Float = 0
                for channel in 0..<channels { sum += block[frame * channels + channel] }
                values.append(sum.isFinite ? sum / Float(channels) : 0)
            }
        }
        let seconds = Int(info.frames) / Int(info.samplerate)
        var warnings: [String] = []
        if values.count >= most, info.frames > most {
            warnings.append("it is \(seconds / 60) minutes long: the first \(secondsMax / 60) are played over and over")
        } else if values.count < info.frames {
            let read = values.count / Int(info.samplerate)
            warnings.append("it breaks off after \(read) of \(seconds) seconds: what is there is played")
        }
        return (values, warnings)
    }
}

/// Why a sound file is not played.
public enum SoundFileError: Error, Hashable, Sendable {
    /// The system says no, in its own number.
    case system(errorNumber: Int32)
    /// A directory, a device or a pipe has that name.
    case notAFile
    /// There is nothing in it.
    case empty
    /// libsndfile cannot read it, in its words.
    case unreadable(String)
    /// No card plays that.
    case rate(hertz: Int)
    /// Nobody has so many loudspeakers.
    case channels(Int)
    /// It is over before it is heard.
    case tooShort(milliseconds: Int)
    /// There is a sound in it that nobody hears.
    case silent
    /// It could not be brought to a card's rate.
    case resampling(String)
}

extension SoundFileError: CustomStringConvertible {
    /// In words.
    public var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notAFile: "it is not a file"
        case .empty: "it is empty"
        case .unreadable(let words): words.split(separator: "\n").joined(separator: " ")
        case .rate(let hertz): "it says it has \(hertz) values a second"
        case .channels(let count): "it says it has \(count) channels"
        case .tooShort(let milliseconds): "it lasts only \(milliseconds) ms"
        case .silent: "there is nothing to be heard in it"
        case .resampling(let words): words
        }
    }
}

extension Samples {
    /// How much is listened to, to tell how loud a sound is.
    private static let secondsListened = 60

    /// As loud as the built-in sounds, as far as its largest values allow, and with ends that fit together.
    fileprivate func madeForLooping() -> Samples {
        let part = Samples(values: Array(values.prefix(rate * Samples.secondsListened)), rate: rate)
        // One that is too short to tell is made as loud as it can be.
        let gain = part.loudness.map { pow(10, Float(BuiltInSound.loudness - $0) / 20) } ?? .infinity
        let scale = min(gain, Samples.peakMax / peak)
        let fade = min(rate / 200, values.count / 4)
        var looped = Samples(values: values.map { $0 * scale }, rate: rate)
        for frame in 0..<fade {
            let edge = Float(frame) / Float(fade)
            looped.values[frame] *= edge
            looped.values[values.count - 1 - frame] *= edge
        }
        return looped
    }

    private static let peakMax: Float = 0.89
}
