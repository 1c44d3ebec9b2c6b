// A real roosterd, and what it finds in the machine that it is in: its journal, its configuration, and a sound card.

import Alarms
import Engine
import Fixtures
import Glibc
import JSON
import Journal
import Records
import Service

/// A place for one service after the other.
final class ServiceHome {
    let folder: ScratchFolder
    private let card: MeasuredCard?
    private let state: ScratchFolder
    private let isWatched: Bool

    enum Cards {
        /// Whatever the machine has.
        case machines
        /// One that ALSA has everywhere: it takes all, and nothing is heard.
        case null
        /// One that says what it is given, and when.
        case measured
    }

    /// A home with these alarms and cards, and systemd's watchdog if it is to be watched; `lines` are more of its configuration.
    init(_ file: AlarmsFile, _ cards: Cards, isWatched: Bool = false, lines: [String] = []) throws {
        self.isWatched = isWatched
        folder = try ScratchFolder(in: "/tmp")
        state = try ScratchFolder()
        card = cards == .measured ? try MeasuredCard("card", in: folder) : nil
        var configuration = (["log: { level = \"warning\"; };"] + lines).map { $0 + "\n" }.joined()
        if let card {
            // With all else that a machine's ALSA knows: whoever opens a card has that in memory.
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

    /// The card that it plays on, which says when it is heard.
    func measuredCard() throws -> MeasuredCard {
        guard let card else { throw BenchmarkRefusal.wrongAnswer("there is no card to ring with") }
        return card
    }

    let socket: String
    /// Where it is to say that it is ready.
    let notifySocket: String
    let log: String
    private let configurationPath: String

    func words() throws -> [String] {
        [
            try ChildProcess.built("roosterd"), "--config", configurationPath, "--state", state.path, "--socket",
            socket,
        ]
    }

    var environment: [String: String] {
        var environment = ["NOTIFY_SOCKET": notifySocket]
        // As often as the unit says.
        if isWatched { environment["WATCHDOG_USEC"] = "30000000" }
        if card != nil { environment["ALSA_CONFIG_PATH"] = "\(folder.path)/alsa.conf" }
        return environment
    }
}

/// A service that has said that it is ready; it is killed with its owner.
final class ServiceProcess {
    private let process: ChildProcess
    /// From its start until it was heard to be ready.
    let readyMilliseconds: Double
    private let home: ServiceHome
    private let notices: Datagrams

    init(in home: ServiceHome) throws {
        self.home = home
        notices = Datagrams(at: home.notifySocket)
        process = try ChildProcess(try home.words(), environment: home.environment, errors: home.log)
        var said = notices.next()
        while let words = said, !words.contains("READY=1") { said = notices.next() }
        guard said != nil else {
            throw BenchmarkRefusal.wrongAnswer("roosterd is not ready: \(text(ofFileAt: home.log))")
        }
        readyMilliseconds = milliseconds(from: process.startNanoseconds, to: bootNanoseconds())
    }

    var id: pid_t { process.id }

    var startNanoseconds: Int { process.startNanoseconds }

    /// As a power cut does.
    func kill() { process.kill() }

    /// How often it has said that it is alive since this was asked last, or since it was ready.
    func countFeedings() -> Int {
        var count = 0
        while let words = notices.next(waits: false) { count += words.contains("WATCHDOG=1") ? 1 : 0 }
        return count
    }

    func client() throws -> Client { try Client(of: home.socket) }
}

extension Client {
    /// Asks for something that has to be done.
    @discardableResult
    func done(_ line: String) throws -> JSON {
        let answer = try ask(line)
        guard answer["ok"] == .bool(true) else { throw BenchmarkRefusal.wrongAnswer("roosterd says \(answer)") }
        return answer
    }
}
