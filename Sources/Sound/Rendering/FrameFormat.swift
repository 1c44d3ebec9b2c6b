// How a card wants its numbers.

/// The shape of the frames that a card takes: each has a value for every channel, one behind the other.
package struct FrameFormat: Hashable, Sendable {
    /// How a value is written. All are little-endian, as the cards of all machines that Rooster runs on are.
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
    /// How many channels there are; all of them get the same.
    package var channels: Int
    package var rate: Int

    package init(_ sample: Sample, channels: Int, rate: Int) {
        (self.sample, self.channels, self.rate) = (sample, channels, rate)
    }

    package var frameBytes: Int { sample.bytes * channels }
}

extension FrameFormat {
    /// Writes one value for all channels of a frame. What is too large becomes the largest, never its opposite.
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
                // A float cannot tell the largest of these from one more, which would be too large.
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
