// `rooster web`: shows where the page is, and opens it to the home network.

import Glibc
import System
import Text

enum WebCommand {
    static let command = Subcommand(
        name: "web", summary: "Show where the page is, and open it to the network",
        help: """
            Usage: rooster web [--lan on|off]

            Show the addresses of the page and the API, and whether phones in the home
            network reach them.

            Options:
              --lan on         open the page to the home network. Everybody there can see
                               that this is a Rooster, and can ask to be paired; only paired
                               phones can see or change alarms. The network can read what is
                               sent, since there is no HTTPS. Needs sudo
              --lan off        open it to this machine only. Needs sudo
            """,
        valued: ["--lan"], flags: [], operands: [],
        run: { arguments throws(CommandError) in
            switch arguments.value("--lan") {
            case nil: print(WebSockets().report)
            case "on"?: try open(.lan)
            case "off"?: try open(.local)
            case let other?: throw arguments.wrong("--lan must be on or off, not \(other.quoted)")
            }
        })

    private static func open(_ socket: WebSockets.Unit) throws(CommandError) {
        let option = socket == .lan ? "on" : "off"
        guard geteuid() == 0 else {
            throw .refused("Only root may change this: run 'sudo rooster web --lan \(option)'")
        }
        let sockets = WebSockets()
        guard sockets.open(socket) else {
            throw .refused(
                "The page cannot be opened: \(reason(socket)). 'systemctl status \(socket.rawValue)' shows more")
        }
        print(sockets.report)
    }
}

extension WebCommand {
    private static func reason(_ socket: WebSockets.Unit) -> String {
        PortHolder.description(port: 80).map { "\($0) uses port 80. Stop that program, or give it another port" }
            ?? "\(socket.rawValue) does not start"
    }
}

/// The two sockets of the web server, of which at most one is open.
struct WebSockets {
    enum Unit: String {
        case local = "rooster-web.socket"
        case lan = "rooster-web-lan.socket"
    }

    /// Runs systemctl with these arguments, and returns whether it succeeded. Without systemd it fails.
    var systemctl: @Sendable ([String]) -> Bool = { arguments in
        guard SystemFile(path: "/run/systemd/system").exists else { return false }
        return (try? ChildOutput.read(["/usr/bin/systemctl"] + arguments, bytesMax: 1 << 16, seconds: 30)) != nil
    }
    /// The addresses of this machine in its networks, and its name.
    var addresses = LocalAddresses.ipv4
    var hostName = LocalAddresses.hostName

    /// Closes the other socket and opens this one, now and at each start of the machine.
    func open(_ unit: Unit) -> Bool {
        let other: Unit = unit == .lan ? .local : .lan
        _ = systemctl(["disable", "--now", "--quiet", other.rawValue])
        // While the service runs, it holds the socket that it was started with. The next client starts it again.
        _ = systemctl(["stop", "--quiet", "rooster-web.service"])
        return systemctl(["enable", "--now", "--quiet", unit.rawValue])
    }

    enum State {
        /// The web server is not installed, or systemd does not run.
        case missing
        case closed
        case open(Unit)
    }

    var state: State {
        if let unit = [Unit.lan, .local].first(where: { systemctl(["is-active", "--quiet", $0.rawValue]) }) {
            return .open(unit)
        }
        return systemctl(["cat", "--quiet", Unit.local.rawValue]) ? .closed : .missing
    }

    var report: String {
        switch state {
        case .open(.lan):
            let names = addresses + [hostName.map { "\($0).local" }].compactMap(\.self)
            return """
                The page is open to the home network:
                \(names.map { "  http://\($0)/" }.joined(separator: "\n"))
                'rooster pair' pairs a phone. 'sudo rooster web --lan off' closes the page again.
                """
        case .open(.local):
            return """
                The page is open to this machine only:
                  http://localhost/
                'sudo rooster web --lan on' opens it to phones in the home network.
                """
        case .closed, .missing:
            return """
                The page is not open: neither \(Unit.local.rawValue) nor \(Unit.lan.rawValue) is active.
                'sudo rooster web --lan on' opens it to the home network, and '--lan off' to this machine.
                """
        }
    }
}
