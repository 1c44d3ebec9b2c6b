// What somebody wants who types beside the status.

enum TypedWish: Hashable {
    case nothing
    case quit
    case command([String])
    case unknown

    /// What is about the ring. The rest has a shell for it.
    static let commands = ["snooze", "stop", "answer", "unlock", "test-ring"]
    static let hint = "snooze, stop, or the answer to a sum"

    init(_ line: String) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        // Whoever does as the status says types that too.
        if words.first == "rooster" { words.removeFirst() }
        guard let first = words.first?.lowercased() else {
            self = .nothing
            return
        }
        if first == "quit" || first == "exit" {
            self = .quit
        } else if words.count == 1, Int(first) != nil {
            self = .command(["answer", first])
        } else if TypedWish.commands.contains(first) {
            self = .command([first] + words.dropFirst())
        } else {
            self = .unknown
        }
    }
}
