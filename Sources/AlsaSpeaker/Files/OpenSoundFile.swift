// An open sound file, and the only owner of libsndfile's handle.

import CSndfile
import Glibc
import Sound

/// A file whose header describes playable sound. The content is read in blocks.
final class OpenSoundFile {
    private let file: OpaquePointer
    private var block: [Float]
    let rate: Int
    /// The number of frames according to the header.
    let frameCount: Int
    private let channels: Int

    private static let rates: ClosedRange<Int32> = 4000...384_000
    private static let channelsMax: Int32 = 32
    static let blockFrames = 4096

    init(at path: String) throws(SoundFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errorNumber: errno) }
        // Reading a pipe could block for ever.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size > 0 else { throw .empty }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errorNumber: errno) }
        let (opened, info) = try OpenSoundFile.opened(descriptor)
        file = opened
        (rate, channels, frameCount) = (Int(info.samplerate), Int(info.channels), Int(info.frames))
        block = [Float](repeating: 0, count: OpenSoundFile.blockFrames * channels)
    }

    deinit {
        sf_close(file)
    }

    /// Passes the descriptor to libsndfile, which owns it from here on. Version 1.2.0 closes it even if it
    /// rejects the file. A second close could close another thread's descriptor.
    private static func opened(_ descriptor: Int32) throws(SoundFileError) -> (OpaquePointer, SF_INFO) {
        var info = SF_INFO()
        guard let file = sf_open_fd(descriptor, Int32(SFM_READ), &info, 1) else {
            throw .unreadable(String(cString: sf_strerror(nil)))
        }
        let problem: SoundFileError? =
            if !rates.contains(info.samplerate) {
                .rate(hertz: Int(info.samplerate))
            } else if !(1...channelsMax).contains(info.channels) {
                .channels(Int(info.channels))
            } else {
                info.frames > 0 ? nil : .empty
            }
        if let problem {
            sf_close(file)
            throw problem
        }
        return (file, info)
    }

    /// The duration of one pass according to the header.
    var seconds: Double { Double(frameCount) / Double(rate) }

    /// Reads the next frames, mixed to one channel. Returns their number, 0 at the end.
    func read(into frames: UnsafeMutableBufferPointer<Float>) -> Int {
        let wanted = min(frames.count, OpenSoundFile.blockFrames)
        let share = 1 / Float(channels)
        return block.withUnsafeMutableBufferPointer { block in
            let count = Int(sf_readf_float(file, block.baseAddress, sf_count_t(wanted)))
            for frame in 0..<max(count, 0) {
                var sum: Float = 0
                for channel in 0..<channels { sum += block[frame * channels + channel] }
                frames[frame] = sum.isFinite ? sum * share : 0
            }
            return max(count, 0)
        }
    }
}
