// What somebody types to a command that shows something meanwhile: keys, and the line that they make.

import Glibc

/// What is typed: letter by letter, unseen, where the screen is drawn anew again and again; else as it comes.
final class Keyboard {
    let descriptor = STDIN_FILENO
    private var before: termios?

    /// `isDrawnOver` says whether what the terminal itself would show of the keys would be in the way.
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

    /// What was typed; nothing where there will be no more. Only to be asked when there is something.
    func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}

/// Takes what keys send, letter by letter, and gives lines.
struct TypedLine {
    enum Event: Hashable {
        case line(String)
        case end
    }

    /// Where in a key's bytes this is: those of arrows and their like begin with an escape.
    private enum Place {
        case text
        case escape
        case sequence
    }

    private var bytes: [UInt8] = []
    private var place = Place.text

    /// Nobody types more than that into one line.
    private static let bytesMax = 200

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func take(_ keys: [UInt8]) -> [Event] {
        keys.compactMap { take($0) }
    }

    /// A last line may do without its end.
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
