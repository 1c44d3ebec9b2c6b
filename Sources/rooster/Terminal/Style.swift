// How lines look: coloured and as wide as the terminal, or plain where nobody looks at them.

import Glibc

/// What the place that lines are printed to can show.
struct Style: Hashable, Sendable {
    var isColoured = false
    /// How many columns a line has; nothing where lines may be as long as they like.
    var columns: Int?
    /// How many lines there are; nothing where there is no end to them.
    var rows: Int?

    static let plain = Style()

    /// What standard output can show. Colours are for terminals, and only where nobody has said no by NO_COLOR.
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
