// The format of the frames that a card accepts.

/// The layout of a frame: one sample for every channel, interleaved.
package struct FrameFormat: Hashable, Sendable {
    /// The encoding of a sample, little-endian like the cards of every machine that Rooster runs on.
    package enum Sample: String, Hashable, Sendable, CaseIterable {
        case s16, s32
        /// 24 bits in the lower part of 32.
        case s24
        /// 24 bits in three bytes.
        case s24packed
        case float32

        package var bytes: Int {
            switch self {
            case .s16: 2
            case .s24packed: 3
            case .s24, .s32, .float32: 4
            }
        }
    }

    package var sample: Sample
    /// The number of channels. All of them carry the same sound.
    package var channels: Int
    package var rate: Int

    package init(_ sample: Sample, channels: Int, rate: Int) {
        (self.sample, self.channels, self.rate) = (sample, channels, rate)
    }

    package var frameBytes: Int { sample.bytes * channels }
}

extension FrameFormat {
    /// Writes a value to all channels of a frame. It is clamped, because an overflow would change its sign.
    func store(_ value: Float, frame: Int, in bytes: UnsafeMutableRawBufferPointer) {
        let value = value.isFinite ? min(max(value, -1), 1) : 0
        var offset = frame * frameBytes
        for _ in 0..<channels {
            switch sample {
            case .s16:
                bytes.storeBytes(
                    of: Int16((value * 32_767).rounded()).littleEndian, toByteOffset: offset, as: Int16.self)
            case .s24:
                bytes.storeBytes(
                    of: Int32((value * 8_388_607).rounded()).littleEndian, toByteOffset: offset, as: Int32.self)
            case .s24packed:
                let bits = UInt32(bitPattern: Int32((value * 8_388_607).rounded()))
                for part in 0..<3 { bytes[offset + part] = UInt8(truncatingIfNeeded: bits >> (8 * part)) }
            case .s32:
                // A Float cannot represent 2^31 - 1. It would round to 2^31, which overflows.
                bytes.storeBytes(
                    of: Int32((Double(value) * 2_147_483_647).rounded()).littleEndian, toByteOffset: offset,
                    as: Int32.self)
            case .float32:
                bytes.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
            offset += sample.bytes
        }
    }
}
