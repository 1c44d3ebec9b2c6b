// `rooster pair`: shows a code by which a phone is paired.

import API
import CodeSheets
import JSON
import System
import Text

enum PairCommand {
    static let command = Subcommand.ofService(
        "pair", "Show a code that pairs a phone",
        help: """
            Usage: rooster pair [--address ADDRESS] [OPTIONS]

            Show a code that pairs one phone within two minutes. Point the camera of the
            phone at it, in the same network. The phone may then change everything; 'rooster
            clients' lists it and forgets it.

            Options:
              --address ADDRESS
                               the address of this device as the phone sees it, such as
                               192.168.1.20, bedroom.local:8080 or https://alarm.example
                               (default: the first address of this device)
              --json           print one JSON object: secret, seconds (until it is over),
                               urls
            """,
        valued: ["--address"], run: run)

    private struct Answer: Codable {
        let secret: String
        let seconds: Int
        let urls: [String]
    }

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let given = call.arguments.value("--address")
        if let given, given.isEmpty || given.contains(where: { $0.isWhitespace || $0 == "#" }) {
            throw call.arguments.wrong("--address must be an address such as 192.168.1.20, not \(given.quoted)")
        }
        let invitation = try call.service.ask(Invite()).body
        let urls = addresses(given).map { url(of: $0, invitation.secret) }
        guard !call.isJSON else {
            return print(Answer(secret: invitation.secret, seconds: invitation.seconds, urls: urls).line)
        }
        guard let first = urls.first else { return }
        for line in try code(first).lines(call.style) { print(line) }
        print("Point the camera of the phone at this code within \(invitation.seconds / 60) minutes, or open")
        for url in urls { print("  \(url)") }
        print("The phone must be in the same network. 'rooster clients' shows it afterwards.")
    }

    private static func code(_ text: String) throws(CommandError) -> TerminalCode {
        do throws(QRSymbol.Failure) {
            return try TerminalCode(text)
        } catch {
            throw .refused("The code cannot be drawn: \(error)")
        }
    }

    /// Returns the addresses to try: the given one, or the device's first one and its name. A phone may fail to
    /// resolve the name, and the address may change.
    private static func addresses(_ given: String?) -> [String] {
        if let given { return [given] }
        let name = LocalAddresses.hostName.map { "\($0).local" }
        return [LocalAddresses.ipv4.first, name ?? "localhost"].compactMap(\.self)
    }

    static func url(of address: String, _ secret: String) -> String {
        let base = address.contains("://") ? address : "http://\(address)"
        return "\(base)\(base.hasSuffix("/") ? "" : "/")#pair=\(secret)"
    }
}
