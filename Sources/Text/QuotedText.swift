// Untrusted text within a message: kept short, on one line, and unable to move a terminal's cursor.

extension String {
    /// The text in quotes, cut to 60 scalars, with escapes for everything that could break the line.
    package var quoted: String {
        "\"\(writtenOut { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.written })\""
    }

    /// The same without quotes, for text that is part of a name.
    package var inOneLine: String { inOneLine(atMost: 60) }

    /// Returns the same, cut to that many scalars. Sentences need more than names.
    package func inOneLine(atMost scalarsMax: Int) -> String { writtenOut(atMost: scalarsMax, \.written) }

    private func writtenOut(atMost scalarsMax: Int = 60, _ written: (Unicode.Scalar) -> String) -> String {
        // The limit counts scalars, since a single character can contain any number of them.
        let kept = unicodeScalars.prefix(scalarsMax)
        return kept.reduce(into: "") { $0 += written($1) } + (kept.endIndex < unicodeScalars.endIndex ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// True if the scalar could break a line or reorder the text around it.
    package var breaksLines: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }

    fileprivate var written: String {
        switch self {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case " "..."~": return String(self)
        default: break
        }
        return breaksLines ? numbered : String(self)
    }

    private var numbered: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
