// Where what a command starts keeps what the next one has to know.

import Glibc

/// The directory in which a test of a sound remembers how mixers were.
///
/// It is not the service's own: a test must not put back a mixer that the service has raised for a ring.
enum StateDirectory {
    private static let service = "/var/lib/rooster"

    /// Where it is for a user: as the XDG base directories say, and for root beside the state of an installed service.
    static func path(besideService: Bool, _ variable: (String) -> String?) -> String {
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/rooster" }
        guard !besideService, let home = variable("HOME"), home.hasPrefix("/") else { return "\(service)/sound-test" }
        return "\(home)/.local/state/rooster"
    }

    /// Where it is for whoever runs this, if it is there.
    static var path: String {
        path(besideService: geteuid() == 0 && access(service, F_OK) == 0) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    /// Whether it is still remembered how mixers were: whoever was to put them back was killed, or is at it.
    static var areMixersLeft: Bool {
        guard let folder = opendir("\(path)/mixers") else { return false }
        defer { closedir(folder) }
        // Beside itself and the directory that it is in, which each has.
        return (0...2).allSatisfy { _ in readdir(folder) != nil }
    }
}
