// Requests for tests, from lines as a client writes them.

@testable import HTTP

extension NetworkAddress {
    static let clock = NetworkAddress.v4(0xC0A8_0114)
    static let phone = NetworkAddress.v4(0xC0A8_0132)
}

extension ConnectionAddresses {
    static let lan = ConnectionAddresses(local: .clock, peer: .phone)
    static let frontEnd = ConnectionAddresses(local: .unix, peer: .unix)

    static func at(_ local: NetworkAddress) -> ConnectionAddresses { ConnectionAddresses(local: local, peer: .phone) }
}

extension RequestGate {
    /// The gate of the tests and of the oracle.
    static let fixture = RequestGate(hosts: HostPolicy(hostName: "Rooster", listed: ["clock.example", "192.0.2.7"]))

    /// Returns the refusal of a request, or nil if it is accepted.
    func refusal(of head: RequestHead) -> GateRefusal? {
        do throws(GateRefusal) {
            _ = try judge(head)
            return nil
        } catch {
            return error
        }
    }
}

extension RequestHead {
    /// Reads a request line and lines such as `Host: rooster.local`. A host is added if `host` is not nil.
    init(
        _ line: String, _ headers: [String] = [], host: String? = "rooster.local",
        on connection: ConnectionAddresses = .lan
    ) {
        let words = line.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map(Array.init)
        let fields = (host.map { ["Host: \($0)"] } ?? []) + headers
        self.init(
            method: words[0], target: words[1], version: words.count > 2 ? words[2] : Array("HTTP/1.1".utf8),
            fields: fields.map { header in
                let sides = header.utf8.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
                return HeaderField(name: Array(sides[0]), value: Array(sides[1].dropFirst()))
            }, connection: connection)
    }
}
