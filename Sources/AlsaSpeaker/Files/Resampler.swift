// The conversion of a sound to a card's rate, and the only owner of libsamplerate's handle.

import CSamplerate

/// Converts one sample rate to another in blocks. It keeps only the state that the next block depends on.
final class Resampler {
    private let state: OpaquePointer
    private let ratio: Double
    private var made = [Float](repeating: 0, count: 4096)

    init(from rate: Int, to newRate: Int) throws(SoundFileError) {
        ratio = Double(newRate) / Double(rate)
        var status: Int32 = 0
        // Adds noise below -97 dB only. A small machine must be done within seconds before a ring.
        guard let state = src_new(Int32(SRC_SINC_FASTEST), 1, &status) else {
            throw .resampling(String(cString: src_strerror(status)))
        }
        self.state = state
    }

    deinit {
        src_delete(state)
    }

    /// Converts the next frames and appends the result, up to `countMax` values in total. The last call,
    /// even without frames, appends the rest.
    func append(
        _ frames: UnsafeBufferPointer<Float>, isLast: Bool, to values: inout [Float], countMax: Int
    ) throws(SoundFileError) {
        var used = 0
        while values.count < countMax {
            var data = SRC_DATA()
            data.data_in = frames.baseAddress.map { $0 + used }
            data.input_frames = frames.count - used
            data.end_of_input = isLast ? 1 : 0
            data.src_ratio = ratio
            let room = min(made.count, countMax - values.count)
            let status = made.withUnsafeMutableBufferPointer { made in
                data.data_out = made.baseAddress
                data.output_frames = room
                return src_process(state, &data)
            }
            guard status == 0 else { throw .resampling(String(cString: src_strerror(status))) }
            used += data.input_frames_used
            values.append(contentsOf: made[..<data.output_frames_gen])
            if data.output_frames_gen == 0, used == frames.count || data.input_frames_used == 0 { return }
        }
    }
}
