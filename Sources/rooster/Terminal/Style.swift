// The look of lines: coloured and cut to the terminal's width, or plain if there is no terminal.

import Glibc

/// The capabilities of the output: colours, columns and rows.
struct Style: Hashable, Sendable {
    var isColoured = false
    /// The width of a line in columns; nil if lines may have any length.
    var columns: Int?
    /// The height of the terminal in rows; nil if the output is not a terminal.
    var rows: Int?

    static let plain = Style()

    /// Returns the style of standard output. A terminal is coloured unless it is dumb or NO_COLOR is set.
    static func ofStandardOutput() -> Style {
        guard isatty(STDOUT_FILENO) == 1 else { return .plain }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        let saysNo = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        return Style(
            isColoured: !saysNo && !isDumb, columns: isKnown ? Int(size.ws_col) : 80,
            rows: isKnown ? Int(size.ws_row) : 24)
    }

    /// The same style for lines of any length.
    var unbounded: Style { Style(isColoured: isColoured, rows: rows) }

    enum Tint: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    func paint(_ text: String, _ tints: Tint...) -> String { paint(text, tints) }

    func paint(_ text: String, _ tints: [Tint]) -> String {
        guard isColoured, !text.isEmpty, !tints.isEmpty else { return text }
        let codes = tints.map { String($0.rawValue) }.joined(separator: ";")
        return "\u{1B}[\(codes)m\(text)\u{1B}[0m"
    }
}
