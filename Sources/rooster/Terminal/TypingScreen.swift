// Lines that the program redraws in place, with an input line below them.

/// The redrawn lines at the end of the terminal. Earlier output stays above them.
struct TypingScreen {
    /// The text of the input line while the line is empty.
    let hint: String
    private var linesAbove: Int?

    private static let prompt = "> "

    init(hint: String) { self.hint = hint }

    /// Returns the output that replaces the lines on the screen by these.
    mutating func drawing(_ lines: [String], typed: String, _ style: Style) -> String {
        let lines = lines.prefix(max(1, (style.rows ?? 24) - 1))
        defer { linesAbove = lines.count }
        // A line that fills the width of the terminal would wrap. A long input line shows its end.
        let room = max(1, (style.columns ?? 80) - TypingScreen.prompt.count - 1)
        var end = typed[...]
        while Columns.width(String(end)) > room { end = end.dropFirst() }
        let above = lines.map { "\($0)\u{1B}[K\n" }.joined()
        let hint = typed.isEmpty ? style.paint(Columns.cut(hint, to: room), .dim) : ""
        let back = typed.isEmpty ? "\r\u{1B}[\(TypingScreen.prompt.count)C" : ""
        return "\(home)\(above)\(TypingScreen.prompt)\(end)\(hint)\u{1B}[J\(back)"
    }

    mutating func erasure() -> String {
        defer { linesAbove = nil }
        return linesAbove == nil ? "" : "\(home)\u{1B}[J"
    }

    /// Returns the output that erases the input line and keeps the lines above it.
    mutating func farewell() -> String {
        defer { linesAbove = nil }
        return linesAbove == nil ? "" : "\r\u{1B}[J"
    }

    /// The output that moves the cursor to the start of the first line.
    private var home: String {
        switch linesAbove {
        case nil: ""
        case 0?: "\r"
        case let count?: "\r\u{1B}[\(count)A"
        }
    }
}
