// The command line of roosterd.

import CivilTime
import Configuration
import SimulatedDevices

struct DaemonArguments: Hashable, Sendable {
    enum Mode: Hashable, Sendable {
        case serve
        case checkConfiguration
        case switchLinesOff
        case showHelp
        case showVersion
    }

    struct SimulationOptions: Hashable, Sendable {
        /// The clock's time at the start; nil for the machine's.
        var clock: Instant?
        /// The number of simulated seconds per real second.
        var speed = 1.0
        /// The simulated zone; nil for the machine's.
        var zone: String?
        /// True if the cards are simulated although the machine has one.
        var isSilent = false
    }

    var task = Mode.serve
    var configuration: String?
    var state: String?
    /// The control socket, if it differs from the configuration.
    var socket: String?
    /// Nil if roosterd runs on the machine's own devices.
    var simulation: SimulationOptions?

    /// The standard directory of the journal.
    static let standardState = "/var/lib/rooster"

    static let usage =
        "Usage: roosterd [--config FILE] [--state DIR] [--socket PATH] "
        + "[--simulate [--clock INSTANT] [--speed N] [--zone ZONE] [--silent]]"

    static let help = """
        \(usage)
               roosterd [--config FILE] --check-config
               roosterd [--config FILE] --lines-off

        Rooster's service: it rings.

          --config FILE     the configuration, in place of \(ConfigurationReading.standardPath)
          --state DIR       where alarms and all that happened are kept, in place of \(standardState); a simulated
                            Rooster makes itself a fresh directory and takes it away when it ends
          --socket PATH     the socket that 'rooster' talks to, in place of the one in the configuration
          --check-config    only tells every mistake in the configuration, with its file, line and option
          --lines-off       only switches off the buzzer and the lamps that a Rooster which was killed may have left on
          --simulate        needs no hardware: all that stands at the bed and the clock are simulated ones, and 'rooster bedside' makes
                            things happen to them; the rest is as the configuration says

        Of a simulated bedside, and of nothing else:

          --clock INSTANT   what its clock shows at first, as in 2024-03-10T01:59:00-05:00; without it, what this machine's
                            does
          --speed N         how many of its seconds pass in one, as in 60; other than 1, it is silent
          --zone ZONE       the zone it is in, as in America/New_York; without it, this machine's
          --silent          nothing is heard, though this machine has a sound card

        --help shows this, --version the version. The exit status is 1 when something is wrong with the configuration or
        roosterd cannot run, and 2 when it was started in the wrong way.
        """

    init() {}

    init(_ words: [String]) throws(WrongUsage) {
        if words.contains("--help") || words.contains("-h") {
            task = .showHelp
            return
        }
        let given = try GivenOptions(
            words, valued: ["--config", "--state", "--socket", "--clock", "--speed", "--zone"],
            flags: ["--simulate", "--silent", "--check-config", "--lines-off", "--version"])
        if given.has("--lines-off") { task = .switchLinesOff }
        if given.has("--check-config") { task = .checkConfiguration }
        if given.has("--version") { task = .showVersion }
        configuration = try given.value("--config", "the name of a file", path)
        state = try given.value("--state", "the name of a directory", path)
        socket = try given.value("--socket", "a path of at most \(socketPathBytesMax) bytes") { text in
            path(text).flatMap { $0.utf8.count <= socketPathBytesMax ? $0 : nil }
        }
        let simulation = try SimulationOptions(given)
        if given.has("--simulate") {
            self.simulation = simulation
        } else if let option = ["--clock", "--speed", "--zone", "--silent"].first(where: given.has) {
            throw WrongUsage(words: "\(option) is for a simulated bedside: it needs --simulate")
        }
    }
}

extension DaemonArguments.SimulationOptions {
    fileprivate init(_ given: GivenOptions) throws(WrongUsage) {
        clock = try given.value("--clock", "an instant such as 2024-03-10T01:59:00-05:00") { text in
            Instant(text, rounding: .down)
        }
        let speeds = SimulatedClock.speeds
        let speed = try given.value("--speed", "a number from \(speeds.lowerBound) to \(Int(speeds.upperBound))") {
            text in
            Double(text).flatMap { speeds.contains($0) ? $0 : nil }
        }
        self.speed = speed ?? self.speed
        zone = try given.value("--zone", "a time zone that this machine knows, as Europe/Berlin", knownZone)
        isSilent = given.has("--silent")
    }
}

/// Checks a zone's name at the start. With a misspelt one, alarms would ring by another zone.
private func knownZone(_ name: String) -> String? {
    var zones = ZoneCatalogue()
    do {
        return try zones.zone(named: name).name
    } catch {
        return nil
    }
}

private func path(_ text: String) -> String? { text.isEmpty ? nil : text }
