// The secrets of clients over HTTP, and their hashes.

import CSodium

/// Makes secrets from a random key of this process. The secret of a purpose is always the same, so a repeated
/// request gets the same response although no secret is stored.
package struct ClientSecrets: Sendable {
    private let key: [UInt8]

    private static let byteCount = 32

    package init() {
        var random = SystemRandomNumberGenerator()
        key = (0..<ClientSecrets.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Returns the secret of a purpose, as text of 256 bits; nil if libsodium does not work.
    package func secret(for purpose: String) -> String? {
        ClientSecrets.hash(Array(purpose.utf8), key: key).map(\.base64ForURLs)
    }

    /// Returns the hash (BLAKE2b) of a secret in hexadecimal; nil if libsodium does not work. A secret is
    /// random, so its hash needs no key.
    package static func hash(of secret: String) -> String? { hash(Array(secret.utf8), key: [])?.hexadecimal }

    private static func hash(_ message: [UInt8], key: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard sodium_init() >= 0,
            crypto_generichash(&digest, digest.count, message, UInt64(message.count), key, key.count) == 0
        else { return nil }
        return digest
    }
}

extension [UInt8] {
    package var hexadecimal: String {
        var text = [CChar](repeating: 0, count: 2 * count + 1)
        sodium_bin2hex(&text, text.count, self, count)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes in the form of base64 that URLs may contain, without padding.
    fileprivate var base64ForURLs: String { base64(sodium_base64_VARIANT_URLSAFE_NO_PADDING) }

    package var base64: String { base64(sodium_base64_VARIANT_ORIGINAL) }

    /// Decodes base64 with padding, or returns nil for any other text.
    package init?(base64 text: String) {
        let size = text.utf8.count / 4 * 3
        var (bytes, count) = ([UInt8](repeating: 0, count: size), 0)
        let result = sodium_base642bin(
            &bytes, size, text, text.utf8.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL)
        guard result == 0 else { return nil }
        self = Array(bytes.prefix(count))
    }

    private func base64(_ variant: Int32) -> String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(count, variant))
        sodium_bin2base64(&text, text.count, self, count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
