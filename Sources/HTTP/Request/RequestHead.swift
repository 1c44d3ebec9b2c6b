// The request line and the headers as the transport received them, before any of it is believed.

import Text

/// A header as bytes. Its description shows no value, because the value may be a cookie or a token.
package struct HeaderField: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let name: [UInt8]
    package let value: [UInt8]

    package init(name: [UInt8], value: [UInt8]) { (self.name, self.value) = (name, value) }

    package init(_ name: String, _ value: String) { self.init(name: Array(name.utf8), value: Array(value.utf8)) }

    /// The size in a request, with colon, space and line end.
    var byteCount: Int { name.count + value.count + 4 }

    package var description: String { "\(String(decoding: name, as: UTF8.self).inOneLine): \(value.count) bytes" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The two ends of a connection.
package struct ConnectionAddresses: Hashable, Sendable {
    package let local: NetworkAddress
    package let peer: NetworkAddress

    package init(local: NetworkAddress, peer: NetworkAddress) { (self.local, self.peer) = (local, peer) }

    /// True if the server answers. Chrome blocks parts of a page at random if its document came over a
    /// public address, so the server's own end must be private as well.
    package var areAnswered: Bool { local.isPrivate && peer.isPrivate }

    /// The scheme of the page's own address. A front end on the Unix socket serves the page by HTTPS.
    var scheme: OriginHeader.Scheme { local == .unix ? .https : .http }
}

/// A request without its body, as received.
package struct RequestHead: Hashable, Sendable, CustomStringConvertible {
    package var method: [UInt8]
    /// The target between the spaces of the request line, not decoded.
    package var target: [UInt8]
    package var version: [UInt8]
    /// All headers in their order, repeated ones included.
    package var fields: [HeaderField]
    package var connection: ConnectionAddresses

    package init(
        method: [UInt8], target: [UInt8], version: [UInt8], fields: [HeaderField], connection: ConnectionAddresses
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.connection = connection
    }

    /// The method and the path. The query is left out, because people put tokens into it.
    package var description: String {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        return [Array(method), Array(path)].map { String(decoding: $0, as: UTF8.self).inOneLine }
            .joined(separator: " ")
    }
}
