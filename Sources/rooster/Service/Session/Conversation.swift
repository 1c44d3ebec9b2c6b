// `rooster status --follow --type`: follows the status, and runs typed commands.

import API
import CLinux
import Glibc
import Text

/// A status that is followed, with an input line for commands.
struct Conversation {
    private let call: ServiceCall
    private let signals = StopSignals()
    private let keyboard: Keyboard
    private var typed = TypedLine()
    /// Nil if the output is not a terminal. Each change then prints a line.
    private var screen: TypingScreen?
    private var said = ""

    /// The timeout of a wait. After it the clock on the screen is redrawn.
    private static let lookMilliseconds: Int32 = 1000

    init(_ call: ServiceCall) {
        self.call = call.interrupted(by: signals)
        screen = call.style.rows == nil ? nil : TypingScreen(hint: TypedRequest.hint)
        keyboard = Keyboard(isDrawnOver: screen != nil)
    }

    private enum Event {
        case status(StatusReport)
        case keys
        case signal(Int32)
        case nothing
    }

    /// Runs until a signal, `quit`, or the end of input.
    mutating func run() throws(CommandError) {
        defer { keyboard.restore() }
        try call.service.follow()
        var status: ShownStatus?
        while true {
            switch try nextOrWait() {
            case .status(let new): status = ShownStatus(new)
            case .nothing: break
            case .signal(let number):
                try printNow(screen?.farewell() ?? "")
                keyboard.restore()
                return signals.end(by: number)
            case .keys:
                for event in keyboard.read().map({ typed.take($0) }) ?? typed.end() where !signals.areWaiting {
                    guard case .line(let line) = event, try handle(line) else {
                        return try printNow(screen?.farewell() ?? "")
                    }
                }
            }
            if let now = status?.now(call.service.socket) { try show(now) }
        }
    }

    /// Waits for the next event. If the service stops, waits until it runs again, or for a signal.
    private mutating func nextOrWait() throws(CommandError) -> Event {
        do throws(CommandError) {
            return try next()
        } catch {
            guard case .disconnected(let reason) = error else { throw error }
            if let erasure = screen?.erasure() { try printNow(erasure) }
            if call.service.isLossNews { complain("rooster: \(sentences(reason, "Waiting until it runs"))") }
            repeat {
                if let signal = signals.wait(milliseconds: RunningService.searchMilliseconds) { return .signal(signal) }
            } while try !call.service.followAgain()
            return .nothing
        }
    }

    /// Waits for the next event. A pending signal comes first, because the same signal may be ending the
    /// service.
    private func next() throws(CommandError) -> Event {
        if let signal = signals.wait(milliseconds: 0) { return .signal(signal) }
        if let status = try follow(within: 0) { return .status(status) }
        var watched = [signals.descriptor, keyboard.descriptor, call.service.descriptor].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&watched, nfds_t(watched.count), Conversation.lookMilliseconds) > 0 else { return .nothing }
        if let signal = signals.wait(milliseconds: 0) { return .signal(signal) }
        if watched[1].revents != 0 { return .keys }
        // An event of the service may arrive in several pieces.
        let status = try follow(within: Int(Conversation.lookMilliseconds))
        return status.map { .status($0) } ?? .nothing
    }

    private func follow(within milliseconds: Int) throws(CommandError) -> StatusReport? {
        try signals.unlessInterrupted { () throws(CommandError) in
            try call.service.nextFollowed(within: milliseconds)?.body.status
        }
    }

    private mutating func show(_ status: StatusReport) throws(CommandError) {
        // The terminal may have been resized.
        let style = Style.ofStandardOutput()
        let lines = StatusLines(status, style)
        if let drawing = screen?.drawing(lines.lines, typed: typed.text, style) { return try printNow(drawing) }
        let essence = StatusFollower.essence(status)
        guard essence != said else { return }
        said = essence
        try printNow("\(lines.summary)\n")
    }

    /// Runs a typed line. Returns false if the line ends the conversation.
    private mutating func handle(_ line: String) throws(CommandError) -> Bool {
        let typed = TypedRequest(line)
        // The typed line and its results stay on the screen; the status is redrawn below them.
        if let erasure = screen?.erasure(), typed != .nothing { try printNow("\(erasure)> \(line.inOneLine)\n") }
        switch typed {
        case .nothing: break
        case .quit: return false
        case .unknown: complain("rooster: Type \(TypedRequest.hint) (quit ends this)")
        case .command(let arguments): run(arguments)
        }
        return true
    }

    /// Runs a command as the command line does, but an error does not end the conversation.
    private func run(_ typed: [String]) {
        guard let command = CommandTable.command(named: typed[0]) else { return }
        do throws(CommandError) {
            var arguments = try CommandArguments(typed.dropFirst() + ["--socket", call.service.socket], of: command)
            arguments.interruption = signals.descriptor
            try command.run(arguments)
            fflush(nil)
        } catch {
            fflush(nil)
            complain("rooster: \(error)")
        }
    }
}

/// A parsed line that was typed beside the status.
enum TypedRequest: Hashable {
    case nothing
    case quit
    case command([String])
    case unknown

    /// The commands about the ring. A shell can run all others.
    static let commands = ["snooze", "stop", "awake", "answer", "unlock", "test-ring"]
    static let hint = "snooze, stop or the answer to a sum"

    init(_ line: String) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        // The status names commands as in "rooster snooze", so people may type the first word as well.
        if words.first == "rooster" { words.removeFirst() }
        guard let first = words.first?.lowercased() else {
            self = .nothing
            return
        }
        if first == "quit" || first == "exit" {
            self = .quit
        } else if words.count == 1, Int(first) != nil {
            self = .command(["answer", first])
        } else if TypedRequest.commands.contains(first) {
            self = .command([first] + words.dropFirst())
        } else {
            self = .unknown
        }
    }
}
