// The directory in which a started service keeps its state for the next one.

import Glibc

/// Where a test of a sound remembers how mixers were: not the service's own, whose raised mixers it must leave alone.
enum StateDirectory {
    private static let service = "/var/lib/rooster"

    /// The path for a user, by the XDG base directories; for root it is beside the state of an installed service.
    static func path(besideService: Bool, _ variable: (String) -> String?) -> String {
        if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/rooster" }
        guard !besideService, let home = variable("HOME"), home.hasPrefix("/") else { return "\(service)/sound-test" }
        return "\(home)/.local/state/rooster"
    }

    /// The path for this process's user; the directory may be missing.
    static var path: String {
        path(besideService: geteuid() == 0 && access(service, F_OK) == 0) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    /// Whether mixer settings are still recorded: the test that was to put them back was killed, or still runs.
    static var areMixersLeft: Bool {
        guard let folder = opendir("\(path)/mixers") else { return false }
        defer { closedir(folder) }
        // A third entry, beside "." and "..".
        return (0...2).allSatisfy { _ in readdir(folder) != nil }
    }
}
