// A stranger's text within a message: it stays short, in one line, and moves no terminal's cursor.

extension String {
    /// The text in quotes, cut to a bounded length, with everything that could break the line written out.
    package var quoted: String {
        "\"\(writtenOut { $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.written })\""
    }

    /// The same without the quotes, for a text that stands as part of a name.
    package var inOneLine: String { inOneLine(atMost: 60) }

    /// The same, cut to that many scalars: sentences need more room than names.
    package func inOneLine(atMost scalarsMax: Int) -> String { writtenOut(atMost: scalarsMax, \.written) }

    private func writtenOut(atMost scalarsMax: Int = 60, _ written: (Unicode.Scalar) -> String) -> String {
        // Counted in scalars: a single character can pile up any number of them.
        let kept = unicodeScalars.prefix(scalarsMax)
        return kept.reduce(into: "") { $0 += written($1) } + (kept.endIndex < unicodeScalars.endIndex ? "…" : "")
    }
}

extension Unicode.Scalar {
    /// Whether it could break a line, or move what stands in it.
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
