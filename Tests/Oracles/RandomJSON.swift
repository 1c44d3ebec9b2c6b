// The generator of random JSON values and of their many spellings.

import JSON
import Text

/// Generates values, texts and damaged texts from a seed.
package struct RandomJSON {
    package var random: SeededRandom

    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    package mutating func chance(_ percent: Int) -> Bool {
        number(1...100) <= percent
    }

    package mutating func one<Element>(of elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    package mutating func value(depth: Int = 0) -> JSON {
        switch number(depth < 5 ? 0...9 : 0...5) {
        case 0: .null
        case 1: .bool(chance(50))
        case 2, 3: .number(digits())
        case 4, 5: .string(text())
        case 6, 7: .array((0..<number(0...4)).map { _ in value(depth: depth + 1) })
        default: .object(members(0...4, depth: depth + 1))
        }
    }

    /// Returns members with distinct names.
    package mutating func members(_ count: ClosedRange<Int>, depth: Int = 3) -> [JSON.Member] {
        let names = Set((0..<number(count)).map { _ in "\(one(of: ["", "X", "é", "\u{1F413}"]))\(text())" })
        return names.sorted().map { JSON.Member($0, value(depth: depth)) }
    }

    /// Returns members that Rooster does not define, or none.
    package mutating func unknown() -> [JSON.Member] {
        guard chance(25) else { return [] }
        return members(1...2).map { JSON.Member("x\($0.name)", $0.value) }
    }

    package mutating func text() -> String {
        var text = ""
        for _ in 0..<number(0...6) { text.unicodeScalars.append(scalar()) }
        return text
    }

    private mutating func scalar() -> Unicode.Scalar {
        let value: Int =
            switch number(0...9) {
            case 0: number(0...0x1F)
            case 1: Int(UInt8(ascii: one(of: ["\"", "\\", "/", "u", "n", "\u{7F}", "{", ","])))
            case 2: number(0x80...0x7FF)
            case 3: one(of: [0x301, 0x316, 0x200D, 0x2028, 0xFEFF, 0xFFFD, 0xD7FF, 0xE000, 0xFFFF])
            case 4: number(0x10000...0x10FFFF)
            default: number(0x20...0x7E)
            }
        return Unicode.Scalar(UInt32(value)) ?? "?"
    }

    /// Returns a number by JSON's grammar; most exceed the range of the machine's integers.
    private mutating func digits() -> String {
        var text = chance(30) ? "-" : ""
        text += chance(20) ? "0" : "\(number(1...9))"
        if text.last != "0" { text += (0..<number(0...30)).map { _ in "\(number(0...9))" }.joined() }
        if chance(30) { text += "." + (0...number(0...20)).map { _ in "\(number(0...9))" }.joined() }
        if chance(25) { text += one(of: ["e", "E", "e+", "E-"]) + "\(number(0...999))" }
        return text
    }

    /// Returns the value as text, with white space and escapes at random places where JSON allows them.
    package mutating func spelling(of value: JSON) -> String {
        let spelt: String
        switch value {
        case .array(let elements):
            spelt = "[" + space() + elements.map { spelling(of: $0) }.joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.map { "\(space())\(quoted($0.name))\(space()):\(spelling(of: $0.value))" }
            spelt = "{" + space() + parts.joined(separator: ",") + "}"
        case .string(let text): spelt = quoted(text)
        case .null, .bool, .number: spelt = value.description
        }
        return space() + spelt + space()
    }

    private mutating func space() -> String {
        chance(70) ? "" : (0..<number(1...3)).map { _ in one(of: [" ", "\n", "\t", "\r"]) }.joined()
    }

    private mutating func quoted(_ text: String) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": "\"", "\\": "\\", "/": "/", "\u{8}": "b", "\u{C}": "f", "\n": "n", "\r": "r", "\t": "t",
        ]
        var spelt = ""
        for scalar in text.unicodeScalars {
            if let letter = short[scalar], chance(50) {
                spelt += "\\" + letter
            } else if scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || chance(20) {
                for unit in String(Character(scalar)).utf16 {
                    let digits = String(unit, radix: 16, uppercase: chance(50))
                    spelt += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                spelt.unicodeScalars.append(scalar)
            }
        }
        return "\"" + spelt + "\""
    }

    /// Returns the text with one to three edits: bytes removed, repeated, changed or inserted.
    package mutating func mutilated(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        let tokens = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\u+123", "0", "-", "+", ".", "e", "1e5",
            "NaN",
            "Infinity", "null", "tru", "\u{FEFF}", "\0", "\n", "'", "//", "\"a\":1,", "\u{A0}", "٣",
        ]
        for _ in 0..<number(1...3) {
            let place = number(0...bytes.count)
            let rest = bytes.count - place
            switch number(0...4) {
            case 0: bytes.removeSubrange(place..<place + min(number(1...3), rest))
            case 1: bytes.insert(contentsOf: bytes[place..<place + min(number(1...12), rest)], at: place)
            case 2: if rest > 0 { bytes[place] = UInt8(number(0...255)) }
            default: bytes.insert(contentsOf: Array(one(of: tokens).utf8), at: place)
            }
        }
        return bytes
    }
}
