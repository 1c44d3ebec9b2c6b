// Standard input while the program redraws a status: keys, and the line that they form.

import Glibc

/// Standard input. While the program redraws the screen, keys arrive at once and without echo.
final class Keyboard {
    let descriptor = STDIN_FILENO
    private var before: termios?

    /// If `isDrawnOver`, the program redraws the screen, and the terminal's echo would disturb it.
    init(isDrawnOver: Bool) {
        var mode = termios()
        guard isDrawnOver, tcgetattr(STDIN_FILENO, &mode) == 0 else {
            before = nil
            return
        }
        before = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    deinit { restore() }

    func restore() {
        guard var mode = before else { return }
        before = nil
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// Returns the typed bytes, or nil at the end of input. Blocks unless the descriptor is readable.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}

/// Collects the bytes of keys into lines.
struct TypedLine {
    enum Event: Hashable {
        case line(String)
        case end
    }

    /// The state of the parser within the bytes of a key. Arrow keys and others send escape sequences, which
    /// the parser drops.
    private enum Place {
        case text
        case escape
        case sequence
    }

    private var bytes: [UInt8] = []
    private var place = Place.text

    /// The bound on a line. The parser drops the bytes beyond it.
    private static let bytesMax = 200

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func take(_ keys: [UInt8]) -> [Event] {
        keys.compactMap { take($0) }
    }

    /// Handles the end of input, where the last line may have no line end.
    mutating func end() -> [Event] {
        bytes.isEmpty ? [.end] : [finish(), .end]
    }

    private mutating func take(_ key: UInt8) -> Event? {
        switch (place, key) {
        case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): place = .sequence
        case (.escape, _): place = .text
        case (.sequence, 0x40...0x7E): place = .text
        case (.sequence, _): break
        case (.text, 0x0A), (.text, 0x0D): return finish()
        case (.text, 0x04): return bytes.isEmpty ? .end : nil
        case (.text, 0x08), (.text, 0x7F): bytes = Array(text.dropLast().utf8)
        case (.text, 0x15): bytes = []
        case (.text, 0x1B): place = .escape
        case (.text, 0..<0x20): break
        case (.text, _): if bytes.count < TypedLine.bytesMax { bytes.append(key) }
        }
        return nil
    }

    private mutating func finish() -> Event {
        defer { bytes = [] }
        return .line(text)
    }
}
