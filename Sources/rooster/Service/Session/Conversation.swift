// `rooster status --follow --type`: the status as it changes, while what is typed beside it is done.

import CLinux
import Glibc
import Text
import Vocabulary

/// Shows how it is and does what is typed, until somebody has enough.
struct Conversation {
    private let call: ServiceCall
    private let signals = StopSignals()
    private let keyboard: Keyboard
    private var typed = TypedLine()
    /// Nothing where lines are kept: there each change is one.
    private var screen: TypingScreen?
    private var said = ""

    /// So often it is looked whether the service has said nothing for too long.
    private static let lookMilliseconds: Int32 = 1000

    init(_ call: ServiceCall) {
        var arguments = call.arguments
        arguments.interruption = signals.descriptor
        self.call = ServiceCall(arguments)
        screen = call.style.rows == nil ? nil : TypingScreen(hint: TypedRequest.hint)
        keyboard = Keyboard(isDrawnOver: screen != nil)
    }

    private enum Event {
        case status(StatusReport)
        case keys
        case signal(Int32)
        case nothing
    }

    /// Goes on until it is interrupted, nothing more can be typed, or the service ends.
    mutating func run() throws(CommandError) {
        defer { keyboard.restore() }
        try call.service.follow()
        var status: ShownStatus?
        while true {
            switch try next() {
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
            if let now = try status?.now(call.service.socket) { try show(now) }
        }
    }

    /// A signal comes first: the service may be ending by the same.
    private func next() throws(CommandError) -> Event {
        if let signal = signals.wait(milliseconds: 0) { return .signal(signal) }
        if let status = try follow(within: 0) { return .status(status) }
        var watched = [signals.descriptor, keyboard.descriptor, call.service.descriptor].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&watched, nfds_t(watched.count), Conversation.lookMilliseconds) > 0 else { return .nothing }
        if let signal = signals.wait(milliseconds: 0) { return .signal(signal) }
        if watched[1].revents != 0 { return .keys }
        // What it says may come in more than one piece.
        let status = try follow(within: Int(Conversation.lookMilliseconds))
        return status.map { .status($0) } ?? .nothing
    }

    /// Nothing where a signal came instead: it is looked at next.
    private func follow(within milliseconds: Int) throws(CommandError) -> StatusReport? {
        do throws(CommandError) {
            return try call.service.nextFollowed(within: milliseconds)?.body.status
        } catch {
            guard signals.areWaiting else { throw error }
            return nil
        }
    }

    private mutating func show(_ status: StatusReport) throws(CommandError) {
        // The terminal may have another size by now.
        let style = Style.ofStandardOutput()
        let lines = StatusLines(status, style)
        if let drawing = screen?.drawing(lines.lines, typed: typed.text, style) { return try printNow(drawing) }
        let essence = Following.essence(status)
        guard essence != said else { return }
        said = essence
        try printNow("\(lines.summary)\n")
    }

    /// Does what a line asks for; whether it goes on after that.
    private mutating func handle(_ line: String) throws(CommandError) -> Bool {
        let typed = TypedRequest(line)
        // What is typed and what comes of it stays; the status is drawn anew below.
        if let erasure = screen?.erasure(), typed != .nothing { try printNow("\(erasure)> \(line.inOneLine)\n") }
        switch typed {
        case .nothing: break
        case .quit: return false
        case .unknown: complain("rooster: type \(TypedRequest.hint); quit ends this")
        case .command(let words): run(words)
        }
        return true
    }

    /// As the command line does; but a refusal ends nothing here.
    private func run(_ words: [String]) {
        guard let command = CommandTable.command(named: words[0]) else { return }
        do throws(CommandError) {
            var arguments = try CommandArguments(words.dropFirst() + ["--socket", call.service.socket], of: command)
            arguments.interruption = signals.descriptor
            try command.run(arguments)
            fflush(nil)
        } catch {
            fflush(nil)
            complain("rooster: \(error)")
        }
    }
}

/// What somebody wants who types beside the status.
enum TypedRequest: Hashable {
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
        } else if TypedRequest.commands.contains(first) {
            self = .command([first] + words.dropFirst())
        } else {
            self = .unknown
        }
    }
}
