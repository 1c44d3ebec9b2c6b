// A lamp that the kernel dims: a PWM channel, or a member of the LED class.

import Devices
import Glibc
import System

/// The files of a lamp in sysfs.
///
/// 1. An LED has `brightness`, from 0 to `max_brightness`.
/// 2. A PWM chip has a folder for each channel, once the number of the channel was written to `export`. A moment
///    later udev lets the service write in it.
/// 3. A channel has a `period` and a `duty_cycle` in nanoseconds, and `enable`. The kernel refuses a duty cycle
///    longer than the period.
struct DimmableLamp {
    private let output: SunriseOutput
    private let folder: String
    let max: Int
    private var isEnabled = false

    /// The result of an attempt to open a lamp.
    enum Opening {
        case opened(DimmableLamp)
        /// The channel has only now a folder: udev may not have given access to its files yet.
        case exported
    }

    /// 1 kHz, which no eye sees flicker.
    static let periodNanoseconds = 1_000_000

    /// Opens a lamp and switches it off. `root` is the folder of `/sys`. Without `exports`, a channel that has no
    /// folder stays so: it is off.
    static func open(
        _ output: SunriseOutput, root: String, exports: Bool = true
    ) throws(SunriseFailure) -> Opening {
        switch output {
        case .led(let name): return .opened(try DimmableLamp(led: name, in: "\(root)/sys/class/leds"))
        case .pwm(let chip, let channel):
            let (chips, folder) = ("\(root)/sys/class/pwm", "\(root)/sys/class/pwm/pwmchip\(chip)")
            guard let count = SystemFile(path: "\(folder)/npwm").text.flatMap(Int.init) else {
                throw .noChip(chip, known: Folder.readableNames(in: chips).filter { !$0.hasPrefix(".") })
            }
            guard channel < count else { throw .noChannel(channel, chip: chip, count: count) }
            guard SystemFile(path: "\(folder)/pwm\(channel)/period").exists else {
                if exports { try write(channel, to: "\(folder)/export", of: output) }
                return .exported
            }
            return .opened(try DimmableLamp(output, channel: "\(folder)/pwm\(channel)"))
        }
    }

    private init(led name: String, in leds: String) throws(SunriseFailure) {
        (output, folder) = (.led(name), "\(leds)/\(name)")
        guard let max = SystemFile(path: "\(folder)/max_brightness").text.flatMap(Int.init), max > 0 else {
            throw .noLED(name, known: Folder.readableNames(in: leds).filter { !$0.hasPrefix(".") })
        }
        self.max = max
        try set(0)
    }

    private init(_ output: SunriseOutput, channel: String) throws(SunriseFailure) {
        (self.output, folder, max) = (output, channel, DimmableLamp.periodNanoseconds)
        // A killed service may have left it on, with any period. A channel without a period takes nothing else.
        if SystemFile(path: "\(folder)/period").text != "0" { try write(0, "duty_cycle") }
        try write(DimmableLamp.periodNanoseconds, "period")
        try write(0, "enable")
    }

    /// Sets the value, from 0 to `max`.
    mutating func set(_ value: Int) throws(SunriseFailure) {
        guard case .pwm = output else { return try write(value, "brightness") }
        try write(value, "duty_cycle")
        guard isEnabled != (value > 0) else { return }
        try write(value > 0 ? 1 : 0, "enable")
        isEnabled = value > 0
    }

    private func write(_ value: Int, _ file: String) throws(SunriseFailure) {
        try DimmableLamp.write(value, to: "\(folder)/\(file)", of: output)
    }

    private static func write(_ value: Int, to path: String, of output: SunriseOutput) throws(SunriseFailure) {
        switch SystemFile(path: path).write("\(value)\n") {
        case 0: break
        case EACCES, EPERM, EROFS: throw .noAccess(path: path)
        case EBUSY: throw .busy(output)
        case let number: throw .system(path: path, doing: "write", errorNumber: number)
        }
    }
}

/// Switches off a lamp that a killed service left on. Returns the failure.
package func switchOff(_ output: SunriseOutput, root: String = "") -> SunriseFailure? {
    do throws(SunriseFailure) {
        _ = try DimmableLamp.open(output, root: root, exports: false)
        return nil
    } catch {
        return error
    }
}
