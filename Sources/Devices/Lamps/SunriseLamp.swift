// The protocol of the lamp of the sunrise, its light and its place in the system.

import Glibc

/// A lamp that can be dimmed.
package protocol SunriseLamp: Sendable {
    /// Shows this light until the next call; nil switches the lamp off. Returns at once.
    func show(_ light: SunriseLight?)
    /// Switches the lamp off, releases it for good and ends the reports.
    func end()
    /// The lamp's reports, for one listener.
    var reports: AsyncStream<SunriseReport> { get }
}

package enum SunriseReport: Hashable, Sendable {
    /// The lamp can be set, at the start or after a failure.
    case ready
    /// The lamp cannot be set. The driver keeps trying.
    case failed(SunriseFailure)
}

/// The light of a sunrise by uptime, even in perceived brightness: equal steps of the lightness L* of CIE 1976 in
/// equal times. The power of a lamp, which is linear, would seem to rise at once and then hardly any more.
package enum SunriseLight: Hashable, Sendable {
    case rising(fromUptime: Int, untilUptime: Int)
    case full

    /// The least time between two settings of a lamp.
    package static let stepMilliseconds = 100

    /// Returns the value of a lamp with values from 0 to `max`, and the time of its next change; nil for never.
    package func output(at uptime: Int, max: Int) -> (value: Int, untilUptime: Int?) {
        guard case .rising(let from, let until) = self, uptime < until else { return (max, nil) }
        guard uptime >= from else { return (0, from) }
        let length = Double(until - from)
        let luminance = SunriseLight.luminance(ofLightness: Double(uptime - from) / length)
        let value = Int((luminance * Double(max)).rounded())
        let next = SunriseLight.lightness(ofLuminance: (Double(value) + 0.5) / Double(max))
        let change = from + Int((next * length).rounded(.up))
        return (value, Swift.min(until, Swift.max(change, uptime + SunriseLight.stepMilliseconds)))
    }

    /// Returns the relative luminance of a lightness. Both are from 0 to 1.
    package static func luminance(ofLightness lightness: Double) -> Double {
        let part = (100 * lightness + 16) / 116
        return lightness > 0.08 ? part * part * part : 100 * lightness / linearSlope
    }

    static func lightness(ofLuminance luminance: Double) -> Double {
        let lightness = luminance * linearSlope / 100
        return lightness > 0.08 ? (116 * cbrt(luminance) - 16) / 100 : lightness
    }

    /// The slope of L* near black, where the cube root would be too steep: (29/3)³.
    private static let linearSlope = 24_389.0 / 27
}

/// The place of a lamp below `/sys/class`.
package enum SunriseOutput: Hashable, Sendable {
    /// A channel of a PWM chip: `pwm:0:1` is channel 1 of `pwmchip0`.
    case pwm(chip: Int, channel: Int)
    /// A lamp of the LED class, such as `led:bedside`.
    case led(String)

    /// Returns nil if the text names no place.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "pwm":
            let numbers = parts[1].split(separator: ":", omittingEmptySubsequences: false)
            guard numbers.count == 2, numbers.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
                let chip = Int(numbers[0]), let channel = Int(numbers[1])
            else { return nil }
            self = .pwm(chip: chip, channel: channel)
        case "led":
            let name = parts[1]
            let isPlain = name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }
            guard isPlain, !name.isEmpty, name != ".", name != "..", name.utf8.count <= 63 else { return nil }
            self = .led(name)
        default: return nil
        }
    }
}

extension SunriseOutput: CustomStringConvertible {
    /// The form that the configuration uses.
    package var description: String {
        switch self {
        case .pwm(let chip, let channel): "pwm:\(chip):\(channel)"
        case .led(let name): "led:\(name)"
        }
    }
}

package enum SunriseFailure: Error, Hashable, Sendable {
    /// `known` lists the PWM chips of this machine.
    case noChip(Int, known: [String])
    case noChannel(Int, chip: Int, count: Int)
    /// Another program or the kernel uses the channel.
    case busy(SunriseOutput)
    /// `known` lists the LEDs of this machine.
    case noLED(String, known: [String])
    /// The system does not let this user write a file.
    case noAccess(path: String)
    /// A file cannot be read or written, with this error number.
    case system(path: String, doing: String, errorNumber: Int32)
}

extension SunriseFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noChip(let chip, let known) where known.isEmpty:
            "no PWM chip pwmchip\(chip), since this machine has none: on a Raspberry Pi add 'dtoverlay=pwm' to "
                + "/boot/firmware/config.txt and restart the machine"
        case .noChip(let chip, let known):
            "no PWM chip pwmchip\(chip) (this machine has \(known.joined(separator: ", ")))"
        case .noChannel(let channel, let chip, let count):
            "pwmchip\(chip) has no channel \(channel), but only \(count): the first is 0"
        case .busy(let output): "\(output) is in use by another program or the kernel"
        case .noLED(let name, let known):
            "no LED \(name) in /sys/class/leds"
                + (known.isEmpty ? "" : " (only \(known.prefix(8).joined(separator: ", ")))")
        case .noAccess(let path):
            "no permission to write \(path): install Rooster's udev rules, then restart the machine"
        case .system(let path, let doing, let number):
            "cannot \(doing) \(path) (\(String(cString: strerror(number))))"
        }
    }
}
