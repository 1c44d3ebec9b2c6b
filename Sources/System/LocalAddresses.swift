// The addresses of this machine in its networks.

import Glibc

package enum LocalAddresses {
    /// Returns the IPv4 addresses of the networks that are up, without the loopback. Private ones come first,
    /// because a phone at home reaches those.
    package static var ipv4: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [UInt32] = []
        for interface in sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap({ $0?.pointee }) {
            let flags = Int32(bitPattern: interface.ifa_flags)
            guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0
            else { continue }
            let number = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr.s_addr }
            found.append(UInt32(bigEndian: number))
        }
        return inOrder(found)
    }

    /// Returns the texts of addresses: private ones, then public ones, then those that a machine chooses by
    /// itself if no network gives it one.
    package static func inOrder(_ addresses: [UInt32]) -> [String] {
        func rank(_ address: UInt32) -> Int {
            switch address {
            case 0x0A00_0000...0x0AFF_FFFF, 0xAC10_0000...0xAC1F_FFFF, 0xC0A8_0000...0xC0A8_FFFF: 0
            case 0xA9FE_0000...0xA9FE_FFFF: 2
            default: 1
            }
        }
        return addresses.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map {
            let address = $0.element
            return [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
        }
    }

    /// The name of this machine, without a domain; nil if it has none.
    package static var hostName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ".").first.map(String.init)
    }
}
