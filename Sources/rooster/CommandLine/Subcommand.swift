// The description of one command, and the errors that commands throw.

import Glibc
import JSON

/// One command, as `rooster --help` lists it.
struct Subcommand: Sendable {
    let name: String
    let summary: String
    /// The text that `rooster NAME --help` prints.
    let help: String
    /// The options that take a value, and the flags, which take none.
    let valued: Set<String>
    let flags: Set<String>
    /// The flags that a number may follow; without a number their value is 1.
    var counted: Set<String> = []
    /// The options that take a value and can be given more than once.
    var repeated: Set<String> = []
    /// The required words as the usage line names them, and the optional ones.
    let words: [String]
    var optionalWords: [String] = []
    var takesMoreWords = false
    let run: @Sendable (CommandArguments) throws(CommandError) -> Void

    /// Every command takes `--socket`, so that scripts can always pass it; commands without a service ignore it.
    func takesValue(_ option: String) -> Bool {
        valued.contains(option) || repeated.contains(option) || option == "--socket"
    }
}

/// Why a command failed, or what it found to be wrong.
enum CommandError: Error {
    /// The command could not be done; the exit status is 1. `answer` is the service's whole answer, for `--json`.
    case refused(String, answer: JSON? = nil)
    /// There is no such alarm, calendar, sound or file; the exit status is 1.
    case notFound(String)
    /// The command printed all its results, and some of them are bad; the exit status is 1.
    case notWell(String)
    /// The arguments are wrong; the exit status is 2. `help` is printed below the reason.
    case usage(String, help: String)

    var exitStatus: Int32 { if case .usage = self { 2 } else { 1 } }

    /// The error object for `--json`; nil where standard output has all results already.
    var json: JSON? {
        let (code, message): (String, String)
        switch self {
        // Scripts get the service's own answer, people the command's words for it.
        case .refused(_, let answer?): return answer
        case .refused(let reason, nil): (code, message) = ("refused", reason)
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
        case .refused(let reason, _), .notFound(let reason), .notWell(let reason): reason
        case .usage(let reason, let help): "\(reason)\n\(help)"
        }
    }
}

/// Prints without a line end and flushes: somebody waits for the text.
func printNow(_ text: String) throws(CommandError) {
    print(text, terminator: "")
    guard fflush(nil) == 0 else { throw .refused("standard output: \(String(cString: strerror(errno)))") }
}

/// Prints a line on standard error.
func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // A failure of standard error cannot be reported anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
