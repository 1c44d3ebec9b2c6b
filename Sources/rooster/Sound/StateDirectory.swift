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
        let isRoot = geteuid() == 0
        return path(besideService: isRoot && access(service, F_OK) == 0) { name in
            // Root has a home even where the environment is empty: the place of a service must not be made for a test.
            getenv(name).map { String(cString: $0) } ?? (isRoot && name == "HOME" ? "/root" : nil)
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
