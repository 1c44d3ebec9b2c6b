// Sound as samples, and its WAV encoding.

import Glibc

/// One channel of sound that is played in a loop.
package struct Samples: Hashable, Sendable {
    /// From -1 to 1.
    package var values: [Float]
    /// Values per second.
    package var rate: Int

    package init(values: [Float], rate: Int) {
        self.values = values
        self.rate = rate
    }

    /// The duration of one pass.
    package var seconds: Double { Double(values.count) / Double(rate) }

    /// The largest absolute value.
    package var peak: Float { values.reduce(0) { max($0, abs($1)) } }
}

extension Samples {
    /// Renders a beep of 880 Hz, twice a second. It is cheap at every rate, so it is there while another
    /// sound is still being made.
    package static func plainTone(rate: Int) -> Samples {
        let (period, on) = (rate / 2, rate * 3 / 10)
        let fade = Float(max(1, rate / 200))
        let values = (0..<max(period, 1)).map { frame -> Float in
            guard frame < on else { return 0 }
            let edge = min(Float(frame), Float(on - frame), fade) / fade
            return 0.6 * edge * sin(2 * .pi * 880 * Float(frame) / Float(rate))
        }
        return Samples(values: values, rate: rate)
    }
}

extension Samples {
    /// The bytes of a WAV file: 16 bits, one channel.
    package var waveFile: [UInt8] {
        let bytesPerSample = 2
        let dataBytes = values.count * bytesPerSample
        var bytes = Array("RIFF".utf8)
        bytes.append(little: UInt32(36 + dataBytes))
        bytes += Array("WAVEfmt ".utf8)
        bytes.append(little: UInt32(16))
        bytes.append(little: UInt16(1))
        bytes.append(little: UInt16(1))
        bytes.append(little: UInt32(rate))
        bytes.append(little: UInt32(rate * bytesPerSample))
        bytes.append(little: UInt16(bytesPerSample))
        bytes.append(little: UInt16(16))
        bytes += Array("data".utf8)
        bytes.append(little: UInt32(dataBytes))
        for value in values {
            let scaled = (min(max(value, -1), 1) * Float(Int16.max)).rounded()
            bytes.append(little: UInt16(bitPattern: Int16(scaled)))
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(little number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { self += $0 }
    }
}
