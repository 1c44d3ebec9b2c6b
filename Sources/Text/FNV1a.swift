// A checksum that is the same on every machine.

/// The 64-bit FNV-1a hash.
public struct FNV1a: Sendable {
    /// The hash of everything so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of these bytes.
    public init(_ bytes: some Sequence<UInt8> = []) { combine(bytes) }

    /// Adds bytes.
    public mutating func combine(_ bytes: some Sequence<UInt8>) { for byte in bytes { combine(UInt64(byte)) } }

    /// Adds a number as if it were one byte.
    public mutating func combine(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
}
