// What a command of the command line is, and how it fails.

import Glibc
import JSON

/// One command, as `rooster --help` lists it.
struct Command: Sendable {
    let name: String
    /// What it does, in a few words.
    let summary: String
    /// All about it, as `rooster NAME --help` prints it.
    let help: String
    /// The names of its options that take a value, and of those that take none.
    let valued: Set<String>
    let flags: Set<String>
    /// The names of those among the flags behind which a number may stand.
    var counted: Set<String> = []
    /// The names of those that take a value and may be given more than once.
    var repeated: Set<String> = []
    /// What the words beside the options are called in its help.
    let words: [String]
    /// What may come behind these.
    var optionalWords: [String] = []
    /// Whether any number of words may come behind all these.
    var takesMoreWords = false
    let run: @Sendable (Arguments) throws(Refusal) -> Void

    func takesValue(_ option: String) -> Bool { valued.contains(option) || repeated.contains(option) }
}

/// Why a command did not do what it was asked.
enum Refusal: Error {
    /// It cannot be done; the exit status is 1. Where the service said more than the reason, that is all of it.
    case refused(String, answer: JSON? = nil)
    /// It was asked for in the wrong way; the exit status is 2. The help is what to print beside it.
    case usage(String, help: String)

    var exitStatus: Int32 {
        switch self {
        case .refused: 1
        case .usage: 2
        }
    }
}

extension Refusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused(let reason, _): reason
        case .usage(let reason, let help): "\(reason)\n\(help)"
        }
    }
}

/// Says a line on standard error.
func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // What cannot be said on standard error cannot be said anywhere.
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
