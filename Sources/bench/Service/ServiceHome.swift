// What a service finds in the machine that it is in: its journal, its configuration, and a sound card.

import Alarms
import Engine
import Glibc
import Journal
import Service

/// A place for one service after the other.
final class ServiceHome {
    let folder: ScratchFolder
    /// The card that it plays on, where it can be asked.
    let card: MeasuredCard?
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
