// A checksum that is the same on every machine. It is not cryptographic.

/// The 64-bit FNV-1a hash. Inlined, because the simulator hashes every event of a night.
@frozen public struct FNV1a: Sendable {
    /// The hash of all input so far.
    public var value: UInt64

    /// Creates the hash of these bytes.
    @inlinable public init(_ bytes: some Sequence<UInt8> = []) {
        value = 0xCBF2_9CE4_8422_2325
        combine(bytes)
    }

    /// Adds bytes.
    @inlinable public mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(UInt64(byte)) }
    }

    /// Adds a number, as if it were one byte.
    @inlinable public mutating func combine(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
