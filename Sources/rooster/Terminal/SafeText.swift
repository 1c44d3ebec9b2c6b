// Texts that come from elsewhere, printed so that they move no terminal's cursor.

import JSON
import Text

extension String {
    /// A sentence of the service, or of a file: longer than a name, and still in one line.
    var asSentence: String { inOneLine(atMost: 2000) }

    /// As a shell takes it for one word.
    var asWord: String {
        let isWord = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber }
        return isWord ? inOneLine : quoted
    }
}

extension JSON {
    /// The value on one line, for scripts and for eyes: what could move a cursor is written as JSON writes it out.
    var line: String { Self.escaping(description) }

    /// The value over several lines, likewise.
    var sheet: String { Self.escaping(indented) }

    /// Such characters stand only within texts, where JSON takes them either way; beyond the first 65,536 there are none.
    private static func escaping(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        let parts = text.unicodeScalars.map { scalar in
            guard isEscaped(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }
        return parts.joined()
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7E && scalar.value < 0x10000 && scalar.breaksLines
    }
}
