// Texts from other programs and files, made safe: they cannot move the cursor of the terminal.

import JSON
import Text

extension String {
    /// The text as a sentence on one line. The limit is higher than that of a name.
    var asSentence: String { inOneLine(atMost: 2000) }

    /// The text as one word for a shell: quoted unless it has only letters and digits.
    var asWord: String {
        let isWord = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber }
        return isWord ? inOneLine : quoted
    }
}

/// Returns the sentences as one text; nil is left out.
func sentences(_ sentences: String?...) -> String { sentences.compactMap(\.self).asSentences }

extension JSON {
    /// The value on one line. Characters that could move a cursor become JSON escapes.
    var line: String { Self.escaping(description) }

    /// The value indented over several lines, with the same escapes.
    var sheet: String { Self.escaping(indented) }

    /// Escapes these characters. They occur only within strings, where JSON allows the escape; none is
    /// beyond U+FFFF.
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
