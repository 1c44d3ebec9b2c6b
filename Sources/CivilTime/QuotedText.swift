// A stranger's text within a message: it stays short, in one line, and moves no terminal's cursor.

extension String {
    /// The text in quotes, cut to a bounded length, with everything that could break the line written out.
    package var quoted: String {
        "\"\(writtenOut { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.written })\""
    }

    /// The same without the quotes, for a text that stands as part of a name.
    package var inOneLine: String { writtenOut(\.written) }

    private func writtenOut(_ written: (Unicode.Scalar) -> String) -> String {
        // Counted in scalars: a single character can pile up any number of them.
        let kept = unicodeScalars.prefix(60)
        return kept.reduce(into: "") { $0 += written($1) } + (kept.endIndex < unicodeScalars.endIndex ? "…" : "")
    }
}

extension Unicode.Scalar {
    fileprivate var written: String {
        switch self {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case " "..."~": return String(self)
        default: break
        }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return numbered
        default: return properties.isBidiControl ? numbered : String(self)
        }
    }

    private var numbered: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}
