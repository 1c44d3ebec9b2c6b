// The locations of the journal and the sockets.

import CLinux
import Configuration
import Glibc
import Journal

struct ServicePaths: Hashable, Sendable {
    let state: String
    let socket: String
    /// The socket for the clients over HTTP, beside the control socket.
    let webSocket: String
    /// True if the state directory is temporary.
    private let isFresh: Bool
    var mixers: String { "\(state)/mixers" }
    var reading: String { "\(state)/reading" }
    /// The folder of the owner's sounds, unless the configuration names one.
    private var ownSounds: String { "\(state)/sounds" }

    /// Derives the paths. A simulation without --state gets a fresh directory: it must not ring real alarms.
    init(_ arguments: DaemonArguments, _ configuration: Configuration) throws(StartError) {
        isFresh = arguments.state == nil && arguments.simulation != nil
        if let given = arguments.state {
            state = given
            try ServicePaths.make(given)
        } else if isFresh {
            state = try ServicePaths.fresh()
        } else {
            state = DaemonArguments.standardState
        }
        socket =
            arguments.socket
            ?? (arguments.simulation == nil ? configuration.control.socket : "\(state)/control.sock")
        webSocket = ServicePaths.beside(socket, "web.sock")
        // If this fails, the writers to the directory report it.
        mkdir(mixers, 0o700)
        mkdir(reading, 0o700)
        mkdir(ownSounds, 0o750)
    }

    /// Returns the folder of the owner's sounds. The standard one is within the state directory, so a simulation has its
    /// own.
    func sounds(_ configuration: Configuration.SpeakerOptions) -> String {
        configuration.sounds == Configuration().speaker.sounds ? ownSounds : configuration.sounds
    }

    /// Returns a sentence of advice if the standard state directory is missing or not accessible, otherwise
    /// an empty text.
    func advice(on failure: DiskError) -> String {
        guard state == DaemonArguments.standardState, [.system(EACCES), .system(ENOENT)].contains(failure.reason) else {
            return ""
        }
        return " To use another folder, start roosterd with --state DIR."
    }

    /// Removes a temporary state directory at the end. Returns the problem, or nil.
    func removeTemporary() -> String? {
        guard isFresh, linux_remove_all(state) != 0 else { return nil }
        return "The folder \(state) cannot be removed: \(String(cString: strerror(errno)))"
    }

    /// Returns the path of a file in the folder of another.
    private static func beside(_ path: String, _ name: String) -> String {
        path.lastIndex(of: "/").map { "\(path[...$0])\(name)" } ?? name
    }

    /// Creates a directory and its missing parents.
    private static func make(_ path: String) throws(StartError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let number = errno
        let end = path.lastIndex { $0 != "/" } ?? path.startIndex
        guard number == ENOENT, let above = path[..<end].lastIndex(of: "/"), above > path.startIndex else {
            throw StartError("Cannot create the folder \(path): \(String(cString: strerror(number)))")
        }
        try make(String(path[..<above]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StartError("Cannot create the folder \(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func fresh() throws(StartError) -> String {
        var template = Array("/tmp/rooster-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StartError("Cannot create a folder in /tmp: \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
