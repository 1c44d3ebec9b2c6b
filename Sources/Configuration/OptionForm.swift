// The forms of option values in a configuration file: parsing, printing and description.

import Devices
import Glibc
import Sound
import Text

struct OptionForm<Value: Sendable>: Sendable {
    /// The accepted values, as a text that follows "must be".
    let expected: String
    /// Parses the value. Returns nil if it is invalid.
    let read: @Sendable (Setting.Value) -> Value?
    /// Returns the text that parses to this value.
    let write: @Sendable (Value) -> String
    /// Returns the error of an invalid value, if it can be more exact than `expected`.
    var fault: @Sendable (Setting.Value) -> String? = { _ in nil }
}

extension OptionForm<String> {
    private static func text(_ expected: String, _ isFit: @escaping @Sendable (String) -> Bool) -> OptionForm {
        OptionForm(
            expected: expected, read: { $0.text.flatMap { isFit($0) ? $0 : nil } }, write: \.asConfigurationText)
    }

    static var path: OptionForm {
        text("an absolute path in quotes") { $0.isAbsolutePath && $0.utf8.count < PATH_MAX }
    }

    static var socketPath: OptionForm {
        text("an absolute path in quotes, of at most \(socketPathBytesMax) bytes") {
            $0.isAbsolutePath && $0.utf8.count <= socketPathBytesMax
        }
    }

    static var groupName: OptionForm {
        text("the name of a group in quotes") { name in
            let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
            return isPlain && (1...32).contains(name.utf8.count) && !name.hasPrefix("-")
        }
    }
}

extension OptionForm<Bool> {
    static var yesOrNo: OptionForm {
        OptionForm(
            expected: "true or false",
            read: { if case .bool(let bool) = $0 { bool } else { nil } },
            write: { "\($0)" })
    }
}

extension OptionForm<String> {
    /// A device by name. `empty` describes the meaning of an empty name.
    static func name(of device: String, empty: String) -> OptionForm {
        text("the name of \(device) in quotes, or \"\" for \(empty)") { $0.utf8.count < PATH_MAX }
    }
}

extension OptionForm<LineName?> {
    /// A GPIO line; empty for none.
    static var line: OptionForm {
        OptionForm(
            expected: #"a GPIO line in quotes, such as "GPIO17" or "pinctrl-rp1:GPIO17", or "" for none"#,
            read: { written in
                guard let text = written.text else { return nil }
                if text.isEmpty { return .some(nil) }
                return LineName(text: text).map { .some($0) }
            },
            write: { ($0?.description ?? "").asConfigurationText })
    }
}

extension OptionForm<SunriseOutput?> {
    /// A lamp that the kernel dims; empty for none.
    static var dimmableLamp: OptionForm {
        OptionForm(
            expected:
                #"a PWM channel such as "pwm:0:1" (channel 1 of pwmchip0), an LED such as "led:bed", or "" for none"#,
            read: { written in
                guard let text = written.text else { return nil }
                if text.isEmpty { return .some(nil) }
                return SunriseOutput(text: text).map { .some($0) }
            },
            write: { ($0?.description ?? "").asConfigurationText })
    }
}

extension OptionForm<PowerLine> {
    /// The mains frequency in hertz, "auto" or "untouched".
    static var mains: OptionForm {
        OptionForm(
            expected: "50 or 60 hertz, \"auto\", or \"untouched\"",
            read: { written in
                switch written {
                case .whole(50): .hertz50
                case .whole(60): .hertz60
                case .text("auto"): .auto
                case .text("untouched"): .untouched
                default: nil
                }
            },
            write: { line in
                switch line {
                case .hertz50, .hertz60: line.rawValue
                case .auto, .untouched: line.rawValue.asConfigurationText
                }
            })
    }
}

extension OptionForm<Set<Symbology>> {
    /// At least one kind of code.
    static var symbologies: OptionForm {
        let all = Symbology.allCases.map(\.rawValue).joined(separator: ", ")
        return OptionForm(
            expected: #"a list of codes such as [ "qr", "ean13" ], from "# + all,
            read: { written in
                guard case .list(let elements) = written else { return nil }
                let kinds = elements.compactMap { $0.text.flatMap(Symbology.init) }
                return kinds.count == elements.count && !kinds.isEmpty ? Set(kinds) : nil
            },
            write: { kinds in
                let names = Symbology.allCases.filter(kinds.contains).map(\.rawValue.asConfigurationText)
                return "[ \(names.joined(separator: ", ")) ]"
            },
            fault: { written in
                guard case .list(let elements) = written,
                    let wrong = elements.first(where: { $0.text.flatMap(Symbology.init) == nil })
                else { return nil }
                let near = Symbology.allCases.map(\.rawValue).first { wrong.text?.isNearly($0) == true }
                let meant = near.map { " (did you mean \($0.asConfigurationText)?)" } ?? ""
                return "must be a list of \(all), without \(wrong.shown)\(meant)"
            })
    }
}

/// The longest path in a socket's address, without its terminating zero.
package let socketPathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

extension OptionForm<Double?> {
    /// Decibels within a range, or false for nil.
    static func decibels(_ range: ClosedRange<Double>) -> OptionForm {
        OptionForm(
            expected: "a number of decibels from \(range.lowerBound.short) to \(range.upperBound.short), or false",
            read: { written in
                switch written {
                case .bool(false): .some(nil)
                case .whole(let number) where range.contains(Double(number)): Double(number)
                case .decimal(let number) where range.contains(number): number
                default: nil
                }
            },
            write: { $0?.short ?? "false" })
    }
}

extension OptionForm<RouteOrder> {
    /// The names of cards. An empty list means the standard order.
    static var routes: OptionForm {
        OptionForm(
            expected: #"a list of cards such as [ "usb:", "Headphones" ]"#,
            read: { written in
                guard case .list(let elements) = written else { return nil }
                let names = elements.compactMap(\.text).filter { !$0.isEmpty }
                guard names.count == elements.count else { return nil }
                return names.isEmpty ? .standard : .listed(names)
            },
            write: { order in
                switch order {
                case .standard: "[ ]"
                case .listed(let names): "[ \(names.map(\.asConfigurationText).joined(separator: ", ")) ]"
                }
            })
    }
}

extension OptionForm where Value: CaseIterable & RawRepresentable<String> {
    static func choice() -> OptionForm {
        let names = Value.allCases.map { "\"\($0.rawValue)\"" }
        return OptionForm(
            expected: "one of \(names.joined(separator: ", "))",
            read: { $0.text.flatMap(Value.init) },
            write: \.rawValue.asConfigurationText)
    }
}

extension Setting.Value {
    /// The text, or nil if it has control characters or replaced invalid bytes, and so can name nothing.
    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
        return isPlain ? text : nil
    }
}

extension Double {
    /// The number, without a fraction if it is whole.
    fileprivate var short: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}

extension String {
    /// Compares bytes, because a slash with a combining accent is another `Character`.
    fileprivate var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// The text as libconfig writes it.
    fileprivate var asConfigurationText: String {
        let written = unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\"\(written.joined())\""
    }
}
