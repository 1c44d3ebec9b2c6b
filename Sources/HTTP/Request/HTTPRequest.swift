// A request that has passed the gate: everything in it is decoded, bounded and unambiguous.

import Text

package enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET", head = "HEAD", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"

    /// True if the method changes nothing, so that another site's page may cause such a request.
    package var isSafe: Bool { self == .get || self == .head }
}

/// The way in which a body is delimited.
package enum BodyFraming: Hashable, Sendable {
    case none
    case length(Int)
    case chunked
}

/// One parameter of a query, decoded.
package struct QueryItem: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

package struct HTTPRequest: Sendable, CustomStringConvertible {
    package let method: HTTPMethod
    /// The segments of the path, decoded after the split, so that a segment may contain a slash. Empty for `/`.
    package let path: [String]
    /// The parameters in their order. A name may come twice.
    package let query: [QueryItem]
    /// The name by which the client reached this server, to build links from.
    package let host: Authority
    package let connection: ConnectionAddresses
    package let body: BodyFraming
    package let contentType: MediaType?
    package let credential: Credential?
    package let ifMatch: ETagCondition?
    package let ifNoneMatch: ETagCondition?
    package let lastEventID: String?
    package let idempotencyKey: String?
    /// The compressions that the client accepts.
    package let encodings: ContentCodings
    /// The values of the headers by name in lower case. Cookies and credentials are not among them.
    let fields: [String: [String]]

    /// Returns the first value of a header. The name is in lower case.
    package func header(_ name: String) -> String? { fields[name]?.first }

    /// Returns the values of a parameter, in their order.
    package func parameters(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// The method and the path, for logs.
    package var description: String { "\(method.rawValue) /\(path.map(\.inOneLine).joined(separator: "/"))" }
}
