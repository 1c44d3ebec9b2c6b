// The parts of the installation that only the command line can test: the service starts no programs.

import Health
import JSON
import System

/// The health of a part of the installation.
struct InstallationReport: Codable {
    /// `page` or `version`.
    let part: String
    let grade: Health.Grade
    let text: String

    /// Tests the page and the version. A part that is not installed has no report.
    static func all(
        _ sockets: WebSockets = WebSockets(), portHolder: String? = PortHolder.description(port: 80),
        versions: String? = packageVersions
    ) -> [InstallationReport] {
        [page(sockets, portHolder), versions.flatMap(version)].compactMap(\.self)
    }

    private static func page(_ sockets: WebSockets, _ portHolder: String?) -> InstallationReport? {
        switch sockets.state {
        case .missing: nil
        case .open(.lan): InstallationReport(part: "page", grade: .ok, text: "open to the home network")
        case .open(.local): InstallationReport(part: "page", grade: .ok, text: "open to this machine only")
        case .closed: InstallationReport(part: "page", grade: .warning, text: closedText(portHolder))
        }
    }

    private static func closedText(_ portHolder: String?) -> String {
        guard let portHolder else {
            return "It is not open. 'sudo rooster web --lan on' opens it to the home network."
        }
        return "It is not open, because \(portHolder) uses port 80. Stop that program, or give it another port. "
            + "Then run 'sudo rooster web --lan on'."
    }

    /// Compares the installed version with the newest one in apt's lists. `policy` is the output of `apt-cache policy`:
    /// a line with the package, then one line for each version, with a label in the user's language before the colon.
    private static func version(_ policy: String) -> InstallationReport? {
        let values = policy.split(separator: "\n").dropFirst().prefix(2).map { line in
            line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
        }
        guard values.count == 2, values.allSatisfy({ $0.first?.isWholeNumber == true }) else { return nil }
        guard values[0] != values[1] else {
            return InstallationReport(part: "version", grade: .ok, text: "\(values[0]), the newest in apt's lists")
        }
        return InstallationReport(
            part: "version", grade: .warning,
            text: "Version \(values[1]) is available, and \(values[0]) is installed. "
                + "Run 'sudo apt install rooster' to install it.")
    }

    /// The output of `apt-cache policy`; nil without apt.
    private static var packageVersions: String? {
        do {
            let command = ["/usr/bin/apt-cache", "policy", "rooster"]
            return String(decoding: try ChildOutput.read(command, bytesMax: 1 << 16, seconds: 30), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
