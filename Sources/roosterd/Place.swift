// Where a Rooster keeps its journal, and where its socket is.

import Glibc

/// Two places in the file system.
struct Place: Hashable, Sendable {
    let state: String
    let socket: String
    /// Where it is remembered how sound cards' mixers were.
    var mixers: String { "\(state)/mixers" }

    /// By what was asked for. A simulated Rooster that was given no place makes itself a fresh one: it must not ring with a
    /// real one's alarms.
    init(_ arguments: Arguments, _ configuration: Configuration) throws(StartError) {
        if let given = arguments.state {
            state = given
            guard mkdir(given, 0o700) == 0 || errno == EEXIST else {
                throw StartError("\(given): \(String(cString: strerror(errno)))")
            }
        } else if arguments.simulation != nil {
            state = try Place.fresh()
        } else {
            state = Arguments.standardState
        }
        socket =
            arguments.socket
            ?? (arguments.simulation == nil ? configuration.control.socket : "\(state)/control.sock")
        // What cannot be made is told of by whoever writes into it.
        mkdir(mixers, 0o700)
    }

    private static func fresh() throws(StartError) -> String {
        var template = Array("/tmp/rooster-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StartError("no directory can be made in /tmp: \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
