// Brings a sound to the rate of a card.

import CSamplerate
import Devices

extension Samples {
    /// The same at another rate.
    public func resampled(to newRate: Int) throws(SoundFileError) -> Samples {
        guard newRate != rate else { return self }
        let ratio = Double(newRate) / Double(rate)
        let count = Int((Double(values.count) * ratio).rounded(.up)) + 1
        var status: Int32 = 0
        let resampled = [Float](unsafeUninitializedCapacity: count) { output, made in
            values.withUnsafeBufferPointer { input in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.data_out = output.baseAddress
                data.input_frames = input.count
                data.output_frames = count
                data.src_ratio = ratio
                status = src_simple(&data, Int32(SRC_SINC_MEDIUM_QUALITY), 1)
                made = status == 0 ? Int(data.output_frames_gen) : 0
            }
        }
        guard status == 0 else { throw .resampling(String(cString: src_strerror(status))) }
        return Samples(values: resampled, rate: newRate)
    }
}
