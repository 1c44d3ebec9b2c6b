// A short mark by which texts and bytes are told from others. It is no secret and keeps none.

/// The FNV-1a hash of these bytes.
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
