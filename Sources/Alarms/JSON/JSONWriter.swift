// Writing JSON: on one line for programs, indented for people.

extension JSON: CustomStringConvertible {
    /// The text on one line, without spaces.
    public var description: String {
        var writer = JSONWriter(isIndented: false)
        writer.write(self)
        return writer.text
    }

    /// The text over several lines, ending with a line end.
    public var indented: String {
        var writer = JSONWriter(isIndented: true)
        writer.write(self)
        return writer.text + "\n"
    }
}

private struct JSONWriter {
    private(set) var text = ""
    private let isIndented: Bool
    private var depth = 0

    init(isIndented: Bool) {
        self.isIndented = isIndented
    }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let string): write(quoted: string)
        case .array(let elements):
            write(elements, between: "[", "]") { writer, element in writer.write(element) }
        case .object(let members):
            write(members, between: "{", "}") { writer, member in
                writer.write(quoted: member.name)
                writer.text += writer.isIndented ? ": " : ":"
                writer.write(member.value)
            }
        }
    }

    private mutating func write<Part>(
        _ parts: [Part], between open: String, _ close: String, _ writePart: (inout JSONWriter, Part) -> Void
    ) {
        text += open
        depth += 1
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "," }
            breakLine()
            writePart(&self, part)
        }
        depth -= 1
        if !parts.isEmpty { breakLine() }
        text += close
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func write(quoted string: String) {
        text += "\""
        // Most texts have nothing in them that needs more care.
        guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else {
            text += string
            text += "\""
            return
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
