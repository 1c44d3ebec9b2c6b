// Standard input, for a command that is typed to while it shows something.

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
