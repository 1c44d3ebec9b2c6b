// A JSON writer: on one line for programs, indented for people.

import Text

extension JSON: CustomStringConvertible {
    /// The text on one line, without spaces.
    public var description: String { String(decoding: utf8, as: UTF8.self) }

    /// The same text as UTF-8 bytes.
    package var utf8: [UInt8] {
        var writer = JSONWriter(isIndented: false)
        writer.write(self)
        return writer.bytes
    }

    /// The text on several lines, with a final line break.
    package var indented: String {
        var writer = JSONWriter(isIndented: true)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}

private struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let isIndented: Bool
    private var depth = 0

    init(isIndented: Bool) {
        self.isIndented = isIndented
        // A record fits without repeated growth.
        bytes.reserveCapacity(256)
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: write("null")
        case .bool(let bool): write(bool ? "true" : "false")
        case .number(let digits): write(digits)
        case .string(let string): write(quoted: string)
        case .array(let elements):
            write(elements, between: UInt8(ascii: "["), UInt8(ascii: "]")) { writer, element in writer.write(element) }
        case .object(let members):
            write(members, between: UInt8(ascii: "{"), UInt8(ascii: "}")) { writer, member in
                writer.write(quoted: member.name)
                writer.bytes.append(UInt8(ascii: ":"))
                if writer.isIndented { writer.bytes.append(UInt8(ascii: " ")) }
                writer.write(member.value)
            }
        }
    }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write<Part>(
        _ parts: [Part], between open: UInt8, _ close: UInt8, _ writePart: (inout JSONWriter, Part) -> Void
    ) {
        bytes.append(open)
        depth += 1
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            writePart(&self, part)
        }
        depth -= 1
        if !parts.isEmpty { breakLine() }
        bytes.append(close)
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        write("\n" + String(repeating: "  ", count: depth))
    }

    private mutating func write(quoted string: String) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            // Most strings need no escapes.
            if text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                for byte in text { write(escaped: byte) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write("\\\"")
        case UInt8(ascii: "\\"): write("\\\\")
        case UInt8(ascii: "\n"): write("\\n")
        case UInt8(ascii: "\r"): write("\\r")
        case UInt8(ascii: "\t"): write("\\t")
        case ..<0x20: write((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
