// A real roosterd with a journal, a configuration and a sound card of its own.

import Alarms
import Engine
import Fixtures
import Glibc
import JSON
import Journal
import Records
import Service

/// The files of a service, which several processes can use one after the other.
final class ServiceHome {
    let folder: ScratchFolder
    private let card: MeasuredCard?
    private let state: ScratchFolder
    private let isWatched: Bool
    private let disk: Disk

    enum Disk {
        case machines
        /// A commit takes 2 ms more, about as long as on an SD card.
        case slow

        func environment() throws -> [String: String] {
            switch self {
            case .machines: [:]
            case .slow: ["LD_PRELOAD": try ChildProcess.built("librooster-slow-disk.so")]
            }
        }
    }

    enum Cards {
        case machines
        /// ALSA's `null` device, which exists everywhere, accepts all frames and plays none.
        case null
        /// A card that records the time of the first audible frame.
        case measured
    }

    /// Writes a configuration and a journal with these alarms. `lines` are added to the configuration. If
    /// `isWatched`, roosterd feeds systemd's watchdog.
    init(
        _ file: AlarmsFile, _ cards: Cards, isWatched: Bool = false, disk: Disk = .machines, lines: [String] = []
    ) throws {
        (self.isWatched, self.disk) = (isWatched, disk)
        folder = try ScratchFolder(in: "/tmp")
        state = try ScratchFolder()
        card = cards == .measured ? try MeasuredCard("card", in: folder) : nil
        var configuration = (["log: { level = \"warning\"; };"] + lines).map { $0 + "\n" }.joined()
        if let card {
            // Includes the machine's ALSA configuration, because it also takes memory in a real service.
            try MeasuredCard.configuration(of: [card], in: folder, beside: "/usr/share/alsa/alsa.conf")
        }
        if cards != .machines {
            configuration += "speaker: { routes = [ \"alsa:\(card?.device ?? "null")\" ]; };\n"
        }
        try folder.write(configuration, to: "rooster.conf")
        let journal = try Journal.open(try LinuxDisk(directory: state.path)).journal
        try journal.append(file.entries.map { NewRecord($0) })
        journal.close()
        (configurationPath, socket) = ("\(folder.path)/rooster.conf", "\(folder.path)/control.sock")
        (notifySocket, log) = ("\(folder.path)/notify.sock", "\(folder.path)/log")
    }

    /// Returns the card that the service plays on.
    func measuredCard() throws -> MeasuredCard {
        guard let card else { throw BenchmarkRefusal.wrongAnswer("there is no card to ring on") }
        return card
    }

    let socket: String
    /// The socket on which roosterd reports that it is ready.
    let notifySocket: String
    let log: String
    private let configurationPath: String

    func command() throws -> [String] {
        [
            try ChildProcess.built("roosterd"), "--config", configurationPath, "--state", state.path, "--socket",
            socket,
        ]
    }

    func environment() throws -> [String: String] {
        var environment = try disk.environment()
        environment["NOTIFY_SOCKET"] = notifySocket
        // The interval of the installed unit.
        if isWatched { environment["WATCHDOG_USEC"] = "30000000" }
        if card != nil { environment["ALSA_CONFIG_PATH"] = "\(folder.path)/alsa.conf" }
        return environment
    }
}

/// A service that has reported that it is ready. It is killed when its owner is released.
final class ServiceProcess {
    private let process: ChildProcess
    /// The time from the start of the process until its readiness report arrived.
    let readyMilliseconds: Double
    private let home: ServiceHome
    private let notices: Datagrams

    init(in home: ServiceHome) throws {
        self.home = home
        notices = Datagrams(at: home.notifySocket)
        process = try ChildProcess(try home.command(), environment: try home.environment(), errors: home.log)
        var said = notices.next()
        while let text = said, !text.contains("READY=1") { said = notices.next() }
        guard said != nil else {
            throw BenchmarkRefusal.wrongAnswer("roosterd is not ready: \(text(ofFileAt: home.log))")
        }
        readyMilliseconds = milliseconds(from: process.startNanoseconds, to: bootNanoseconds())
    }

    var id: pid_t { process.id }

    var startNanoseconds: Int { process.startNanoseconds }

    /// Kills the service as a power cut does.
    func kill() { process.kill() }

    /// Returns the number of watchdog messages since the last call, or since the service was ready.
    func countFeedings() -> Int {
        var count = 0
        while let text = notices.next(waits: false) { count += text.contains("WATCHDOG=1") ? 1 : 0 }
        return count
    }

    func client() throws -> Client { try Client(of: home.socket) }
}

extension Client {
    /// Sends a request, and throws unless roosterd carries it out.
    @discardableResult
    func done(_ line: String) throws -> JSON {
        let answer = try ask(line)
        guard answer["ok"] == .bool(true) else { throw BenchmarkRefusal.wrongAnswer("roosterd answers \(answer)") }
        return answer
    }
}
