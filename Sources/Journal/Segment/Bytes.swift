// Numbers in files: little-endian, wherever they stand.

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

extension UnsafeRawBufferPointer {
    func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}

/// `value`, or the next multiple of `unit`, which is a power of two.
func roundedUp(_ value: Int, to unit: Int) -> Int {
    (value + unit - 1) & ~(unit - 1)
}
