// The tests of the light of a sunrise by time, and of the place of its lamp.

import Testing

@testable import Devices

@Suite struct SunriseLampTests {
    /// Values of CIE L* from the standard's formula: half of the lightness is 18.4 % of the power.
    @Test(arguments: [(0.0, 0.0), (0.08, 0.008856), (0.25, 0.04415), (0.5, 0.18419), (0.75, 0.48278), (1.0, 1.0)])
    func luminance_isThatOfTheLightness(lightness: Double, luminance: Double) {
        #expect(abs(SunriseLight.luminance(ofLightness: lightness) - luminance) < 0.00001)
        #expect(abs(SunriseLight.lightness(ofLuminance: luminance) - lightness) < 0.0001)
    }

    @Test(arguments: [1, 255, 1_000_000])
    func light_risesToTheFullValue_atMostTenTimesASecond(max: Int) {
        let light = SunriseLight.rising(fromUptime: 5000, untilUptime: 5000 + 1_800_000)
        #expect(light.output(at: 0, max: max).value == 0)
        var (uptime, value, count) = (5000, -1, 0)
        while true {
            let output = light.output(at: uptime, max: max)
            #expect(output.value >= value && output.value <= max)
            value = output.value
            guard let until = output.untilUptime else { break }
            #expect(until - uptime >= min(100, 1_805_000 - uptime))
            uptime = until
            count += 1
        }
        #expect(uptime == 1_805_000 && value == max)
        // A lamp with few values is set only when its value changes.
        #expect(count <= min(max + 2, 18_001))
    }

    @Test func fullLight_neverChanges() {
        #expect(SunriseLight.full.output(at: 7, max: 255) == (255, nil))
        #expect(SunriseLight.rising(fromUptime: 0, untilUptime: 7).output(at: 7, max: 255) == (255, nil))
    }

    @Test(arguments: [
        ("pwm:0:1", SunriseOutput.pwm(chip: 0, channel: 1)), ("led:bed", .led("bed")),
        ("led:green:indicator", .led("green:indicator")),
    ])
    func place_isRead_andWrittenBack(text: String, output: SunriseOutput) {
        #expect(SunriseOutput(text: text) == output)
        #expect(output.description == text)
    }

    @Test(arguments: ["", "pwm", "pwm:0", "pwm:0:", "pwm:-1:0", "pwm:0:1:2", "led:", "led:..", "led:a/b", "GPIO18"])
    func anyOtherText_namesNoPlace(text: String) {
        #expect(SunriseOutput(text: text) == nil)
    }
}
