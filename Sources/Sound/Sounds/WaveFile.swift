// A sound as a file that everything can play.

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
