// The tests of base64, with Foundation's as the oracle.

import Foundation
import Testing
import Text

@Suite struct Base64Tests {
    @Test func everyLength_isReadBack() {
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
            #expect(bytes.base64 == Data(bytes).base64EncodedString())
            #expect([UInt8](base64: bytes.base64) == bytes)
        }
    }

    @Test(arguments: ["A", "AAA", "AA==AA", "A A=", "AAA=\n", "AB-_", "=", "é", "AAAAA"])
    func otherText_isRefused(text: String) {
        #expect([UInt8](base64: text) == nil)
    }
}
