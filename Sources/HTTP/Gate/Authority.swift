// The Host and Origin headers, and the names to which the server answers.
//
// A page of another site can let its own name point to this server's address ("DNS rebinding"). The
// browser then takes this server for part of that site, and the Host header is all that betrays it. So the
// server answers only to names that no stranger can own on the internet: IP addresses, `localhost`, names
// under `.local`, and names without a dot.

/// A host with an optional port, as in `rooster.local:8080` or `[fe80::1]`.
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    package enum Host: Hashable, Sendable {
        case address(NetworkAddress)
        /// A name in lower case without a final dot.
        case name(String)
    }

    package let host: Host
    package let port: Int?
    /// The header as the client wrote it, in lower case.
    package let description: String

    package static func == (a: Authority, b: Authority) -> Bool { a.host == b.host && a.port == b.port }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
    }

    /// Reads a Host header, or the end of an Origin. Returns nil for anything that a browser could not send.
    package init?(_ text: some StringProtocol) {
        let text = text.asciiLowercased
        let hostEnd: String.Index
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]"),
                let address = NetworkAddress(v6: text[..<bracket].dropFirst())
            else { return nil }
            host = .address(address)
            hostEnd = text.index(after: bracket)
        } else {
            hostEnd = text.firstIndex(of: ":") ?? text.endIndex
            guard let read = Self.host(text[..<hostEnd]) else { return nil }
            host = read
        }
        switch Self.port(text[hostEnd...]) {
        case .none: return nil
        case .some(let port): self.port = port
        }
        description = text
    }

    /// Browsers read every name that ends in a number as an IPv4 address, and refuse most of them.
    private static func host(_ text: Substring) -> Host? {
        let name = text.hasSuffix(".") ? text.dropLast() : text
        if let address = NetworkAddress(v4: name) { return .address(address) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy({ $0.isUnreserved && $0 != 0x7E }),
            labels.allSatisfy({ !$0.isEmpty }), let last = labels.last
        else { return nil }
        let isNumber =
            last.utf8.allSatisfy(\.isDigit)
            || last.hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
        return isNumber ? nil : .name(String(name))
    }

    /// Reads `:80`. An absent or empty port is a nil within the optional.
    private static func port(_ text: Substring) -> Int?? {
        if text.isEmpty || text == ":" { return .some(nil) }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.count <= 5, digits.utf8.allSatisfy(\.isDigit), let port = Int(digits),
            (1...65_535).contains(port)
        else { return nil }
        return port
    }
}

/// The names to which the server answers.
package struct HostPolicy: Hashable, Sendable {
    /// This machine's name under `.local`.
    package let localName: String
    /// Names and addresses that the owner listed, for example those of a front end.
    package let listed: Set<Authority.Host>

    /// Creates the policy of a machine. An entry of the list that is no host is ignored.
    package init(hostName: String, listed: [String] = []) {
        localName = "\(hostName.prefix { $0 != "." }.asciiLowercased).local"
        self.listed = Set(listed.compactMap { Authority($0)?.host })
    }

    /// Returns whether the server answers to this name on a connection with this local end. The port is not
    /// compared, because a router or container may have forwarded another one.
    package func accepts(_ authority: Authority, at local: NetworkAddress) -> Bool {
        if listed.contains(authority.host) { return true }
        return switch authority.host {
        case .address(let address): address == local
        case .name(let name): name == localName || !name.contains(".")
        }
    }
}

/// An Origin header.
package enum OriginHeader: Hashable, Sendable {
    package enum Scheme: String, Sendable {
        case http, https

        var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// A page without an origin of its own, such as a file or a frame in a sandbox.
    case null
    case page(Scheme, Authority)

    init?(_ text: String) {
        if text == "null" {
            self = .null
            return
        }
        guard let colon = text.firstIndex(of: ":"), let scheme = Scheme(rawValue: String(text[..<colon])),
            text[colon...].hasPrefix("://"), let authority = Authority(text[colon...].dropFirst(3))
        else { return nil }
        self = .page(scheme, authority)
    }

    /// Returns whether the page came from this host by this scheme.
    func isSame(as host: Authority, by scheme: Scheme) -> Bool {
        guard case .page(scheme, let page) = self else { return false }
        return page.host == host.host && (page.port ?? scheme.defaultPort) == (host.port ?? scheme.defaultPort)
    }
}
