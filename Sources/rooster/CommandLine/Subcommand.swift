// The description of one command, and the errors that commands throw.

import Glibc
import JSON

/// One command, with its entry in `rooster --help`.
struct Subcommand: Sendable {
    let name: String
    let summary: String
    /// The text that `rooster NAME --help` prints.
    let help: String
    /// The options that take a value, and the flags, which take none.
    let valued: Set<String>
    let flags: Set<String>
    /// The flags that a number may follow. Without a number their value is 1.
    var counted: Set<String> = []
    /// The options that take a value and may be given more than once.
    var repeated: Set<String> = []
    /// The required operands, by their names in the usage line, and the optional ones.
    let operands: [String]
    var optionalOperands: [String] = []
    var takesMoreOperands = false
    let run: @Sendable (CommandArguments) throws(CommandError) -> Void

    /// The names of all options, in order.
    var optionNames: [String] { valued.union(flags).union(counted).union(repeated).sorted() }

    /// Returns true if the option takes a value. Every command accepts `--socket`, so that scripts can
    /// always pass it; commands without a service ignore it.
    func takesValue(_ option: String) -> Bool {
        valued.contains(option) || repeated.contains(option) || option == "--socket"
    }
}

/// The failure of a command, or a fault that the command found.
enum CommandError: Error {
    /// The command could not be carried out; the exit status is 1. `answer` is the whole answer of the
    /// service, for `--json`.
    case refused(String, answer: JSON? = nil)
    /// The service stopped while its status was followed; the exit status is 1.
    case disconnected(String)
    /// There is no such alarm, calendar, sound or file; the exit status is 1.
    case notFound(String)
    /// The command printed all its results, and some of them are bad; the exit status is 1.
    case notWell(String)
    /// The arguments are wrong; the exit status is 2. `help` is printed below the reason.
    case usage(String, help: String)

    var exitStatus: Int32 { if case .usage = self { 2 } else { 1 } }

    /// The error object for `--json`; nil if standard output has all results already.
    var json: JSON? {
        let (code, message): (String, String)
        switch self {
        // Scripts receive the whole answer of the service, and people the message.
        case .refused(_, let answer?): return answer
        case .refused(let reason, nil), .disconnected(let reason): (code, message) = ("refused", reason)
        case .notFound(let reason): (code, message) = ("notFound", reason)
        case .usage(let reason, _): (code, message) = ("usage", reason)
        case .notWell: return nil
        }
        let members = [
            JSON.Member("code", .string(code)), .init("message", .string(message)), .init("problems", .array([])),
        ]
        return .object([.init("error", .object(members))])
    }
}

extension CommandError: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused(let reason, _), .disconnected(let reason), .notFound(let reason), .notWell(let reason): reason
        case .usage(let reason, let help): "\(reason)\n\(help)"
        }
    }
}

/// Prints without a line end and flushes, so that the text appears at once.
func printNow(_ text: String) throws(CommandError) {
    print(text, terminator: "")
    guard fflush(nil) == 0 else { throw .refused(unwritten("Standard output", errno)) }
}

/// Prints a line on standard error.
func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // If standard error fails, no channel is left to report it.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
