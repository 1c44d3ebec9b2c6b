// A QR code in the terminal, two rows of squares in each line of text.

import CodeSheets

struct TerminalCode {
    private let symbol: QRSymbol

    /// The light margin around the code, in squares. A phone needs two; paper has four.
    private static let margin = 2

    init(_ text: String) throws(QRSymbol.Failure) { symbol = try QRSymbol(payload: Array(text.utf8)) }

    /// Returns the lines. Light squares are drawn and dark ones are left out. Colours make them light and
    /// dark on any terminal; without colours the terminal should have a dark background.
    func lines(_ style: Style) -> [String] {
        let places = -TerminalCode.margin..<symbol.side + TerminalCode.margin
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            let text = places.map { column in
                switch (isLight(column, row), isLight(column, row + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
            return style.isColoured ? "\u{1B}[97;40m\(text)\u{1B}[0m" : text
        }
    }

    /// True for a light square, and for the margin.
    private func isLight(_ column: Int, _ row: Int) -> Bool {
        let inside = 0..<symbol.side
        return !inside.contains(column) || !inside.contains(row) || !symbol.isDark(column: column, row: row)
    }
}
