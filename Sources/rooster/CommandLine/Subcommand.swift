// What a command of the command line is, and how it fails.

import Glibc
import JSON

/// One command, as `rooster --help` lists it.
struct Subcommand: Sendable {
    let name: String
    let summary: String
    /// All about it, as `rooster NAME --help` prints it.
    let help: String
    /// The names of its options that take a value, and of those that take none.
    let valued: Set<String>
    let flags: Set<String>
    /// The names of those among the flags behind which a number may stand; without it, it is 1.
    var counted: Set<String> = []
    /// The names of those that take a value and may be given more than once.
    var repeated: Set<String> = []
    /// What the words beside the options are called in its help.
    let words: [String]
    var optionalWords: [String] = []
    var takesMoreWords = false
    let run: @Sendable (CommandArguments) throws(CommandError) -> Void

    /// Whoever has a script that names the service always may do so; what needs none pays it no heed.
    func takesValue(_ option: String) -> Bool {
        valued.contains(option) || repeated.contains(option) || option == "--socket"
    }
}

/// Why a command did not do what it was asked.
enum CommandError: Error {
    /// It cannot be done; the exit status is 1. Where the service said more than the reason, that is all of it.
    case refused(String, answer: JSON? = nil)
    /// There is no such alarm, calendar, sound or file; the exit status is 1.
    case notFound(String)
    /// It was done, standard output has all that came of it, and not all is well; the exit status is 1.
    case notWell(String)
    /// It was asked for in the wrong way; the exit status is 2. The help is what to print beside it.
    case usage(String, help: String)

    var exitStatus: Int32 { if case .usage = self { 2 } else { 1 } }

    /// What programs are told on standard output; nil where that has it already.
    var json: JSON? {
        let (name, words): (String, String)
        switch self {
        // Scripts are told what the service says, people what to make of it.
        case .refused(_, let answer?): return answer
        case .refused(let reason, nil): (name, words) = ("refused", reason)
        case .notFound(let reason): (name, words) = ("notFound", reason)
        case .usage(let reason, _): (name, words) = ("usage", reason)
        case .notWell: return nil
        }
        let members = [
            JSON.Member("name", .string(name)), .init("words", .string(words)), .init("problems", .array([])),
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

/// Prints it at once: somebody waits for it.
func printNow(_ text: String) throws(CommandError) {
    print(text, terminator: "")
    guard fflush(nil) == 0 else { throw .refused("standard output: \(String(cString: strerror(errno)))") }
}

/// Says a line on standard error.
func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // What cannot be said on standard error cannot be said anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
