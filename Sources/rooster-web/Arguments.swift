// The command line of rooster-web.

import System

struct WebArguments: Hashable, Sendable {
    enum Mode: Hashable, Sendable { case serve, showHelp, showVersion }

    var mode = Mode.serve
    /// The socket of the service for this program.
    var socket = "/run/rooster/web.sock"
    /// The addresses to listen on, if systemd passes no socket: `ADDRESS:PORT`, or a path.
    var listen: [String] = []
    /// Further names under which clients reach this device, such as that of a front end.
    var names: [String] = []
    /// The folder with the files of the page.
    var page = "/usr/share/rooster/page"

    static let usage = """
        Usage: rooster-web [--socket PATH] [--listen ADDRESS:PORT | --listen PATH]…
                           [--name HOST]… [--page PATH]
        """

    static let help = """
        \(usage)

        The web server of the alarm clock Rooster: the API and the page for phones,
        browsers and scripts. systemd starts it when a client connects, and it ends
        when nobody was connected for some minutes. It is a client of roosterd,
        which rings without it.

          --socket PATH    the socket of roosterd for this program
                           (default: /run/rooster/web.sock)
          --listen ADDRESS:PORT
                           listen here, for instance on 127.0.0.1:8080; may be given
                           more than once (default: the sockets from systemd)
          --listen PATH    listen on a local socket, for a front end with TLS
          --name HOST      answer to this name too, such as that of a front end
          --page PATH      the folder with the files of the page; without it only
                           the API is served (default: /usr/share/rooster/page)
          --help           show this help
          --version        show the version
        """

    init() {}

    init(_ arguments: [String]) throws(WrongUsage) {
        if arguments.contains("--help") || arguments.contains("-h") {
            mode = .showHelp
            return
        }
        let given = try GivenOptions(
            arguments, valued: ["--socket", "--listen", "--name", "--page"], flags: ["--version"],
            repeatable: ["--listen", "--name"])
        if given.has("--version") { mode = .showVersion }
        socket = try given.value("--socket", "a path") { $0.isEmpty ? nil : $0 } ?? socket
        listen = try given.values("--listen", "an address with a port, such as 127.0.0.1:8080, or a path") { text in
            text.hasPrefix("/") || text.hasPrefix("./") || text.port != nil ? text : nil
        }
        page = try given.value("--page", "a path") { $0.isEmpty ? nil : $0 } ?? page
        names = try given.values("--name", "a host") { $0.isEmpty ? nil : $0 }
    }
}

extension String {
    /// The address and the port of `ADDRESS:PORT`; nil for another text.
    var port: (address: String, port: UInt16)? {
        guard let colon = lastIndex(of: ":"), let port = UInt16(self[index(after: colon)...]) else { return nil }
        return (String(self[..<colon]), port)
    }
}
