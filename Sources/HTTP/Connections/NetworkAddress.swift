// The address of one end of a connection, and the addresses that the server answers.

/// An IP address, or the end of a Unix socket. IPv4 within IPv6 (`::ffff:a.b.c.d`) is IPv4, because a
/// dual-stack socket reports each IPv4 client in that form.
package enum NetworkAddress: Hashable, Sendable {
    case unix
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    /// Creates the address of 4 or 16 bytes in network order.
    package init?(bytes: some Collection<UInt8>) {
        func number(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self = .v4(UInt32(number(bytes)))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    private init(high: UInt64, low: UInt64) {
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        self = isMapped ? .v4(UInt32(truncatingIfNeeded: low)) : .v6(high: high, low: low)
    }

    /// True for an end on this machine.
    package var isLoopback: Bool {
        switch self {
        case .unix: true
        case .v4(let address): address >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    /// True for an address that no router of the internet forwards: loopback, 10/8, 172.16/12, 192.168/16,
    /// 100.64/10 (providers and Tailscale), 169.254/16, fe80::/10 and fc00::/7.
    package var isPrivate: Bool {
        if isLoopback { return true }
        switch self {
        case .unix: return true
        case .v4(let address):
            return address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8 || address >> 22 == 0x191
                || address >> 16 == 0xA9FE
        case .v6(let high, _): return high >> 54 == 0x3FA || high >> 57 == 0x7E
        }
    }
}

extension NetworkAddress {
    /// Reads four decimal numbers. Leading zeros are refused, because some readers take them for octal.
    init?(v4 text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy(\.isDigit), part.utf8.count == 1 || part.first != "0", let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    /// Reads an IPv6 address without brackets (RFC 4291). The zone behind `%` is dropped: it names an
    /// interface of the client, which means nothing here.
    init?(v6 text: some StringProtocol) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0.isUnreserved || $0 == 0x25 }) else { return nil }
        }
        let address = parts[0]
        // The two sides of "::".
        var sides = [address[...]]
        if let gap = address.firstDoubleColon {
            sides = [address[..<gap], address[address.index(gap, offsetBy: 2)...]]
            guard sides[1].firstDoubleColon == nil else { return nil }
        }
        var groups: [[UInt16]] = []
        for (index, side) in sides.enumerated() {
            guard let side = Self.groups(side, isLast: index == sides.count - 1) else { return nil }
            groups.append(side)
        }
        let count = groups.reduce(0) { $0 + $1.count }
        guard sides.count == 1 ? count == 8 : count < 8 else { return nil }
        let all = groups[0] + Array(repeating: 0, count: 8 - count) + (sides.count == 2 ? groups[1] : [])
        self.init(bytes: all.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    /// Reads groups of up to four hexadecimal digits. The last ones may be written as IPv4.
    private static func groups(_ text: some StringProtocol, isLast: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if isLast, index == parts.count - 1, case .v4(let tail)? = NetworkAddress(v4: part) {
                groups += [UInt16(tail >> 16), UInt16(tail & 0xFFFF)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.hexadecimalValue != nil }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension StringProtocol {
    /// The index of the first of two adjacent colons.
    fileprivate var firstDoubleColon: Index? {
        zip(indices, indices.dropFirst()).first { self[$0.0] == ":" && self[$0.1] == ":" }?.0
    }
}
