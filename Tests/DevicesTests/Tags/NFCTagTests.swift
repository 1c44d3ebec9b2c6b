// The tests of tag identifiers: valid, random as a phone has them, and never in a log.

import Testing

@testable import Devices

@Suite struct NFCTagTests {
    @Test(arguments: [0, 1, 3, 17, 64, 256]) func identifierOfAWrongLength_isNil(count: Int) {
        #expect(NFCTag(identifier: Array(repeating: 7, count: count)) == nil)
    }

    @Test func identifierOfZeros_isNil() {
        #expect(NFCTag(identifier: [0, 0, 0, 0]) == nil)
    }

    @Test func identifierOfAPhone_isRandom() throws {
        #expect(try #require(NFCTag(identifier: [0x08, 1, 2, 3])).isRandom)
        #expect(try !#require(NFCTag(identifier: [0x04, 1, 2, 3])).isRandom)
        #expect(try !#require(NFCTag(identifier: [0x08, 1, 2, 3, 4, 5, 6])).isRandom)
    }

    @Test func payload_isInHexadecimalDigits() throws {
        let tag = try #require(NFCTag(identifier: [0x04, 0xAF, 0x90, 0x00]))
        #expect(String(decoding: tag.payload, as: UTF8.self) == "04AF9000")
        #expect(CodePayload(tag.payload)?.bytes == tag.payload)
    }

    @Test func identifier_isNotInDescriptions() throws {
        let tag = try #require(NFCTag(identifier: [0x04, 0xAF, 0x90, 0x00]))
        #expect("\(tag) \(TagReport.tag(tag, wasThere: false))".contains("a tag of 4 bytes"))
        #expect(!"\(TagReport.tag(tag, wasThere: false))".contains("175"))
    }
}
