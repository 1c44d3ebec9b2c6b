// The tests of line names in the configuration.

import Testing

@testable import Devices

@Suite struct LineNameTests {
    @Test(arguments: ["GPIO17", "pinctrl-rp1:GPIO17", "cp2112_gpio:3", "a:b:C7"]) func name_isWrittenAsItIsRead(
        text: String
    ) {
        #expect(LineName(text: text)?.description == text)
    }

    @Test(arguments: ["", "17", ":17", "chip:", "a::b", "GPIO 17", "GPIO17\n", "ä", String(repeating: "x", count: 64)])
    func invalidLineName_isNil(text: String) {
        #expect(LineName(text: text) == nil)
    }

    @Test func number_isAnOffset_onlyWithAChip() {
        #expect(LineName("3", chip: "cp2112_gpio").offset == 3)
        #expect(LineName("GPIO3").offset == nil)
        #expect(LineName("99999999999999999999", chip: "a").offset == nil)
    }
}
