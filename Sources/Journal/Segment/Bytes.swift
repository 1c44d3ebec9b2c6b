// Numbers in files. All are little-endian and may be unaligned.

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

/// Returns `value` rounded up to a multiple of `unit`, which is a power of two.
func roundedUp(_ value: Int, to unit: Int) -> Int {
    (value + unit - 1) & ~(unit - 1)
}
