// Where a command keeps what the next one has to know.

import Glibc

/// The directory in which a test of a sound remembers how mixers were.
///
/// It is not the service's own: a test must not put back a mixer that the service has raised for a ring.
enum StateDirectory {
    private static let ofRoot = "/var/lib/rooster/sound-test"

    /// Where it is for that user: as the XDG base directories say, and for root beside what the service keeps.
    static func path(isRoot: Bool, _ variable: (String) -> String?) -> String {
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/rooster" }
        guard !isRoot, let home = variable("HOME"), home.hasPrefix("/") else { return ofRoot }
        return "\(home)/.local/state/rooster"
    }

    /// Where it is for whoever runs this, if it is there.
    static var path: String {
        path(isRoot: geteuid() == 0) { name in getenv(name).map { String(cString: $0) } }
    }

    /// Makes it where it is missing. What cannot be made is told of by whoever writes into it.
    static func make() -> String {
        let path = path
        var part = ""
        for name in path.split(separator: "/") {
            part += "/\(name)"
            mkdir(part, 0o700)
        }
        return path
    }
}
