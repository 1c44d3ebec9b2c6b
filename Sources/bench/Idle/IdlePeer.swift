// Services that many have on such a machine, waiting for something to do.

import Glibc

/// A peer as Debian packages it, with as little to do as it can be given.
final class IdlePeer {
    let name: String
    let process: ChildProcess
    private let folder: RingFolder

    /// A broker that nobody speaks to. Root's stays root's, or it could not make its socket.
    static func mosquitto() throws -> IdlePeer? {
        try IdlePeer("mosquitto", "/usr/sbin/mosquitto", words: ["-c"]) { folder in
            """
            user root
            listener 0 \(folder.path(of: "mosquitto.sock"))
            persistence false
            log_dest none

            """
        }
    }

    /// A music player without music.
    static func mpd() throws -> IdlePeer? {
        try IdlePeer("mpd", "/usr/bin/mpd", words: ["--no-daemon"]) { folder in
            """
            bind_to_address "\(folder.path(of: "mpd.sock"))"
            music_directory "\(folder.path)"
            db_file "\(folder.path(of: "mpd.db"))"
            log_file "/dev/null"
            audio_output {
                type "null"
                name "none"
            }

            """
        }
    }

    /// Nothing where it is not installed.
    private init?(_ name: String, _ program: String, words: [String], _ configuration: (RingFolder) -> String) throws {
        guard access(program, X_OK) == 0 else {
            remark("\(name) is not installed, and so not measured: 'deploy/setup --benchmarks' installs it")
            return nil
        }
        self.name = name
        folder = try RingFolder()
        try folder.write(configuration(folder), to: "\(name).conf")
        process = try ChildProcess([program] + words + ["\(folder.path)/\(name).conf"], errors: folder.path(of: "log"))
    }
}
