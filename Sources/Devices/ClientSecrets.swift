// The secrets of clients over HTTP, and their hashes.

import CSodium
import Text

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

    /// Returns the text of a printed code for a purpose; nil if libsodium does not work.
    package func printedCode(for purpose: String) -> String? {
        ClientSecrets.hash(Array(purpose.utf8), key: key).map { CodePayload.printedText(ofRandom: $0) }
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
}
