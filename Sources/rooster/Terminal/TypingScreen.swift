// Lines that are drawn over again and again, with one below them to type into.

/// What stands on a terminal for now. What was printed before it stays above it.
struct TypingScreen {
    /// What stands in the last line while nothing is typed.
    let hint: String
    private var linesAbove: Int?

    private static let prompt = "> "

    init(hint: String) { self.hint = hint }

    /// What draws these lines in the place of those that stand there.
    mutating func drawing(_ lines: [String], typed: String, _ style: Style) -> String {
        let lines = lines.prefix(max(1, (style.rows ?? 24) - 1))
        defer { linesAbove = lines.count }
        // A line that fills the terminal's width would wrap; of what is typed, the end is of interest.
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

    /// What leaves the lines, and takes the one to type into away.
    mutating func farewell() -> String {
        defer { linesAbove = nil }
        return linesAbove == nil ? "" : "\r\u{1B}[J"
    }

    /// To where the first line begins.
    private var home: String {
        switch linesAbove {
        case nil: ""
        case 0?: "\r"
        case let count?: "\r\u{1B}[\(count)A"
        }
    }
}
