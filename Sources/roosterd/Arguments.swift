// The command line of roosterd.

import CivilTime
import Configuration
import SimulatedDevices
import System

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

    static let usage = """
        Usage: roosterd [--config FILE] [--state DIR] [--socket PATH] [--simulate
                        [--clock INSTANT] [--speed N] [--zone ZONE] [--silent]]
        """

    static let help = """
        \(usage)
               roosterd [--config FILE] --check-config
               roosterd [--config FILE] --lines-off

        The service of the alarm clock Rooster. It stores the alarms and rings them.

          --config FILE     the configuration file
                            (default: \(ConfigurationReading.standardPath))
          --state DIR       the folder of the alarms and their history
                            (default: \(standardState); with --simulate, a fresh
                            folder that is removed at the end)
          --socket PATH     the socket for 'rooster'
                            (default: the one in the configuration)
          --check-config    list every mistake in the configuration, and exit
          --lines-off       switch off the buzzer, the shaker and the lamps; a roosterd
                            that was killed may have left them on
          --simulate        simulate the clock and the devices at the bed, so that
                            no hardware is needed; 'rooster bedside' controls them
          --help            show this help
          --version         show the version

        With --simulate:

          --clock INSTANT   the first time of the clock, such as
                            2024-03-10T01:59:00-05:00 (default: the time of this
                            machine)
          --speed N         the number of simulated seconds per second, such as 60
                            (default: 1; any other speed is silent)
          --zone ZONE       the time zone, such as America/New_York
                            (default: the zone of this machine)
          --silent          play no sound, even if this machine has a sound card

        The exit status is 1 if the configuration has a mistake or roosterd cannot
        run, and 2 for wrong usage.
        """

    init() {}

    init(_ arguments: [String]) throws(WrongUsage) {
        if arguments.contains("--help") || arguments.contains("-h") {
            task = .showHelp
            return
        }
        let given = try GivenOptions(
            arguments, valued: ["--config", "--state", "--socket", "--clock", "--speed", "--zone"],
            flags: ["--simulate", "--silent", "--check-config", "--lines-off", "--version"])
        if given.has("--lines-off") { task = .switchLinesOff }
        if given.has("--check-config") { task = .checkConfiguration }
        if given.has("--version") { task = .showVersion }
        configuration = try given.value("--config", "a file", path)
        state = try given.value("--state", "a folder", path)
        socket = try given.value("--socket", "a path of at most \(socketPathBytesMax) bytes") { text in
            path(text).flatMap { $0.utf8.count <= socketPathBytesMax ? $0 : nil }
        }
        let simulation = try SimulationOptions(given)
        if given.has("--simulate") {
            self.simulation = simulation
        } else if let option = ["--clock", "--speed", "--zone", "--silent"].first(where: given.has) {
            throw WrongUsage(text: "\(option) needs --simulate")
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
        zone = try given.value("--zone", "a time zone such as Europe/Berlin", knownZone)
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
