// Where a Rooster keeps its journal, and where its socket is.

import CLinux
import Configuration
import Glibc
import Journal

/// Two places in the file system.
struct FileLocations: Hashable, Sendable {
    let state: String
    let socket: String
    /// Whether nobody named it.
    private let isFresh: Bool
    /// Where it is remembered how sound cards' mixers were.
    var mixers: String { "\(state)/mixers" }
    /// Where it is remembered which of the owner's sounds are being read.
    var reading: String { "\(state)/reading" }

    /// By what was asked for. A simulated Rooster that was given no place makes itself a fresh one: it must not ring with a
    /// real one's alarms.
    init(_ arguments: Arguments, _ configuration: Configuration) throws(StartError) {
        isFresh = arguments.state == nil && arguments.simulation != nil
        if let given = arguments.state {
            state = given
            try FileLocations.make(given)
        } else if isFresh {
            state = try FileLocations.fresh()
        } else {
            state = Arguments.standardState
        }
        socket =
            arguments.socket
            ?? (arguments.simulation == nil ? configuration.control.socket : "\(state)/control.sock")
        // What cannot be made is told of by whoever writes into it.
        mkdir(mixers, 0o700)
        mkdir(reading, 0o700)
    }

    /// What can be done where somebody may not use the place of the service as it is installed, or it is not installed.
    func advice(on failure: DiskError) -> String {
        guard state == Arguments.standardState, [.system(EACCES), .system(ENOENT)].contains(failure.reason) else {
            return ""
        }
        return " (--state DIR names a place of your own)"
    }

    /// Takes it away at the end, where nobody knows of it; answers with what is wrong with that.
    func leave() -> String? {
        guard isFresh, linux_remove_all(state) != 0 else { return nil }
        return "\(state) is left behind: \(String(cString: strerror(errno)))"
    }

    /// Makes a directory, and those that it is in.
    private static func make(_ path: String) throws(StartError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let number = errno
        let end = path.lastIndex { $0 != "/" } ?? path.startIndex
        guard number == ENOENT, let above = path[..<end].lastIndex(of: "/"), above > path.startIndex else {
            throw StartError("\(path): \(String(cString: strerror(number)))")
        }
        try make(String(path[..<above]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StartError("\(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func fresh() throws(StartError) -> String {
        var template = Array("/tmp/rooster-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StartError("no directory can be made in /tmp: \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
