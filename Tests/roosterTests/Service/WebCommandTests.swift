// The tests of `rooster web`: it opens one socket of the web server and closes the other.

import Synchronization
import Testing

@testable import rooster

@Suite struct WebCommandTests {
    /// The units that are open, as systemd would keep them.
    private final class Units: Sendable {
        let open: Mutex<Set<String>>

        init(_ open: Set<String>) { self.open = Mutex(open) }

        func run(_ arguments: [String]) -> Bool {
            open.withLock { open in
                let unit = arguments.last ?? ""
                switch arguments.first {
                // systemd opens no other socket for a service that runs.
                case "enable" where open.contains("rooster-web.service"): return false
                case "enable": open.insert(unit)
                case "disable", "stop": open.remove(unit)
                default: return open.contains(unit)
                }
                return true
            }
        }
    }

    private func sockets(_ units: Units) -> WebSockets {
        WebSockets(systemctl: { units.run($0) }, addresses: ["192.168.1.20"], hostName: "bedroom")
    }

    @Test func oneSocketIsOpen_andTheReportNamesItsAddresses() {
        let units = Units([])
        let sockets = sockets(units)
        #expect(sockets.report.hasPrefix("The page is not open"))
        #expect(sockets.open(.local))
        #expect(sockets.report.contains("http://localhost/"))
        #expect(sockets.open(.lan))
        #expect(units.open.withLock { $0 } == ["rooster-web-lan.socket"])
        #expect(sockets.report.contains("  http://192.168.1.20/\n  http://bedroom.local/\n"))
        #expect(sockets.open(.local))
        #expect(units.open.withLock { $0 } == ["rooster-web.socket"])
    }

    /// A phone that uses the page does not keep it from being opened to the network, or closed.
    @Test func socket_isOpened_whileTheServiceRuns() {
        let units = Units(["rooster-web.socket", "rooster-web.service"])
        #expect(sockets(units).open(.lan))
        #expect(units.open.withLock { $0 } == ["rooster-web-lan.socket"])
    }

    @Test func help_fitsATerminal() {
        #expect(WebCommand.command.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
