// The width of texts on a terminal, and tables that fit into its width.

import CLinux

/// The width of texts in columns of a terminal: a character takes two, one or none.
struct Columns {
    /// Returns the number of columns of each scalar, by `wcwidth` of the C library.
    private static func widths(_ text: String.UnicodeScalarView) -> [Int] {
        let scalars = text.map(\.value)
        var columns = [Int32](repeating: 1, count: scalars.count)
        linux_columns(scalars, scalars.count, &columns)
        return columns.map { max(0, Int($0)) }
    }

    static func width(_ text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : widths(text.unicodeScalars).reduce(0, +)
    }

    /// Returns the text, cut with … if it is wider than `columns`.
    static func cut(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var used = 0
        var kept = String.UnicodeScalarView()
        for (scalar, width) in zip(text.unicodeScalars, widths(text.unicodeScalars)) {
            guard used + width < columns else { break }
            used += width
            kept.append(scalar)
        }
        return String(kept) + "…"
    }

    /// Returns the text in lines of at most `columns`, broken at blanks. All but the first begin with this
    /// indentation. A word that is wider than a line is cut.
    static func wrap(_ text: String, to columns: Int, indent: Int) -> [String] {
        guard width(text) > columns else { return [text] }
        var lines: [String] = []
        var line = String(text.prefix { $0 == " " })
        for word in text.split(separator: " ") {
            let isFirst = line.allSatisfy { $0 == " " }
            let longer = isFirst ? line + word : "\(line) \(word)"
            if width(longer) > columns, !isFirst {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            } else {
                line = longer
            }
        }
        return (lines + [line]).map { cut($0, to: columns) }
    }

    /// Returns the text, padded with blanks or cut to exactly `columns`.
    static func fit(_ text: String, to columns: Int) -> String {
        let text = cut(text, to: columns)
        return text + String(repeating: " ", count: max(0, columns - width(text)))
    }
}

/// A table without rules, whose columns are two blanks apart.
struct Table {
    struct Cell {
        let text: String
        var tints: [Style.Tint] = []

        init(_ text: String, _ tints: Style.Tint...) {
            self.text = text
            self.tints = tints
        }
    }

    var rows: [[Cell]] = []
    /// The column that shrinks if the terminal is too narrow.
    let elastic: Int
    /// True if the last cell gets lines of its own where the terminal is too narrow for a row.
    var wrapsLast = false
    private static let elasticColumnsMin = 8

    func lines(_ style: Style) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            rows.compactMap { $0.indices.contains(column) ? Columns.width($0[column].text) : nil }.max() ?? 0
        }
        if let columns = style.columns, widths.indices.contains(elastic) {
            let excess = widths.reduce(0, +) + 2 * (count - 1) - columns
            let least = min(widths[elastic], Table.elasticColumnsMin)
            if wrapsLast, excess > widths[elastic] - least { return wrappedLines(style, columns) }
            if excess > 0 { widths[elastic] = max(least, widths[elastic] - excess) }
        }
        return rows.map { row in line(row, widths, style) }
    }

    /// Returns the rows, each with its last cell on lines of its own.
    private func wrappedLines(_ style: Style, _ columns: Int) -> [String] {
        let heads = Table(rows: rows.map { Array($0.dropLast()) }, elastic: elastic).lines(style)
        return zip(heads, rows).flatMap { head, row in
            guard let last = row.last else { return [head] }
            let parts = Columns.wrap("    \(last.text)", to: columns, indent: 4)
            return [head] + parts.map { style.paint($0, last.tints) }
        }
    }

    private func line(_ row: [Cell], _ widths: [Int], _ style: Style) -> String {
        var line = ""
        var room = style.columns ?? .max
        for (index, cell) in row.enumerated() {
            let isLast = index == row.count - 1
            let text = isLast ? cell.text : Columns.fit(cell.text, to: widths[index])
            let shown = Columns.cut(text, to: room)
            line += style.paint(shown, cell.tints)
            room -= Columns.width(shown)
            // No further cell fits into the line.
            guard !isLast, room > 2 else { break }
            line += "  "
            room -= 2
        }
        return line
    }
}
