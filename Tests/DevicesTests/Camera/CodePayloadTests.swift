// The tests of payloads: compared without white space at the ends, and stored only as a keyed hash.

import Devices
import Testing

@Suite struct CodePayloadTests {
    static let key = Array(UInt8(0)..<32)

    /// The value is from Python's hashlib. Another hash would make every enrolled code useless.
    @Test(arguments: [
        ("qr", "f0e0bbc2474483efc1a0c052da18f7f19070b15e49d29e8a553c1ef78d635072"),
        ("tag", "69ee0691f13d9fbfbb8cd0e3460807da46910ad8733b6ace8419cd44e05ede3a"),
    ])
    func digest_equalsTheReferenceValue(kind: String, digest: String) throws {
        let payload = try #require(CodePayload(Array("rooster-abc".utf8)))
        #expect(payload.digest(key: Self.key, kind: kind) == digest)
    }

    @Test func digest_differsForEveryKeyAndByte() throws {
        let payload = try #require(CodePayload(Array("rooster-abc".utf8)))
        let digest = payload.digest(key: Self.key, kind: "qr")
        #expect(payload.digest(key: Self.key.reversed(), kind: "qr") != digest)
        #expect(CodePayload(Array("rooster-abC".utf8))?.digest(key: Self.key, kind: "qr") != digest)
        #expect(payload.digest(key: [UInt8](repeating: 0, count: 65), kind: "qr") == nil)
    }

    /// Every Unicode white space character is removed at both ends and kept inside.
    @Test func whiteSpace_isRemovedOnlyAtTheEnds() {
        let spaces = (UInt32(0)...0x3000).compactMap(Unicode.Scalar.init).filter(\.properties.isWhitespace)
        #expect(spaces.count == 25)
        for space in spaces {
            let text = "a\(space)b"
            for worn in ["\(space)\(text)", "\(text)\(space)", "\r\n\(space)\(text)\(space)\n "] {
                #expect(CodePayload(Array(worn.utf8))?.bytes == Array(text.utf8), "U+\(String(space.value, radix: 16))")
            }
            #expect(CodePayload(Array("\(space)".utf8)) == nil)
        }
    }

    /// A code need not be text. Bytes that are invalid UTF-8 are not white space.
    @Test(
        arguments: [[0], [0xFF], [0x20, 0xE2, 0x80], [0x85], [0xA0], [0xC2], [0x80, 0x20], [0, 0x20, 0]] as [[UInt8]])
    func bytesThatAreNotText_areKept(bytes: [UInt8]) {
        var expected = bytes[...]
        while expected.first == 0x20 { expected = expected.dropFirst() }
        while expected.last == 0x20 { expected = expected.dropLast() }
        #expect(CodePayload(bytes)?.bytes == Array(expected))
        #expect(CodePayload([]) == nil)
    }
}
