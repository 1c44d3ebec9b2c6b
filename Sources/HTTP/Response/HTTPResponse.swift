// A response: its status, its headers and the form of its body.

import JSON

package struct HTTPResponse: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package enum Body: Hashable, Sendable {
        case bytes([UInt8])
        /// A file of `StaticFiles`, by its name.
        case file(String)
        /// Server-sent events, until one end closes the connection.
        case events
    }

    /// The permission of a browser to load something on behalf of the response.
    package enum ContentPolicy: String, Sendable {
        case nothing = "default-src 'none'; frame-ancestors 'none'"
        /// A document with scripts, styles, pictures and sounds of this server, and with none of others. Its
        /// scripts cannot turn text into elements or code, so the label of an alarm stays text. Only a document of
        /// this server may frame it, as the simulated bedside does.
        case page = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
            media-src 'self' blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
            frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'
            """
    }

    /// The permission to keep the response.
    package enum CachePolicy: String, Sendable {
        /// The API: alarms and status belong in no cache.
        case nothing = "no-store"
        /// A document: it is kept, and each use asks whether it is still the same. Without this an update
        /// leaves browsers with the old page.
        case revalidated = "no-cache"
        /// A file whose name changes with its content.
        case forever = "public, max-age=31536000, immutable"
    }

    package let status: HTTPStatus
    /// All headers but Content-Length, Date and Connection, which the transport adds.
    package private(set) var fields: [HeaderField]
    package let body: Body

    /// Creates a response with the headers that every response has. There are no CORS headers: no page of
    /// another site may read a response.
    package init(
        _ status: HTTPStatus, _ body: Body = .bytes([]), type: MediaType? = nil, policy: ContentPolicy = .nothing,
        cache: CachePolicy = .nothing
    ) {
        self.status = status
        self.body = body
        fields = [
            HeaderField("Content-Security-Policy", policy.rawValue),
            HeaderField("X-Content-Type-Options", "nosniff"),
            // With "no-referrer" some requests of the page would have "null" as their Origin.
            HeaderField("Referrer-Policy", "same-origin"),
            HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
            HeaderField("Cache-Control", cache.rawValue),
        ]
        if let type { add("Content-Type", type.description) }
        if status == .unauthorized { add("WWW-Authenticate", "Bearer") }
    }

    /// The status alone: the body may be a new token.
    package var description: String { "\(status.rawValue) \(status.reason)" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Adds a header. Control characters are dropped, so that no value becomes a second header.
    package mutating func add(_ name: String, _ value: String) {
        fields.append(HeaderField(name: Array(name.utf8), value: value.utf8.filter(\.isFieldByte)))
    }

    /// Returns the response with one more header.
    package func adding(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.add(name, value)
        return response
    }
}

extension HTTPResponse {
    package static func json(_ json: JSON, _ status: HTTPStatus = .ok, tag: ETag? = nil) -> HTTPResponse {
        let response = HTTPResponse(status, .bytes(json.utf8), type: .json)
        return tag.map { response.adding("ETag", $0.description) } ?? response
    }

    package static func problem(_ problem: ProblemDocument) -> HTTPResponse {
        var response = HTTPResponse(problem.status, .bytes(problem.json.utf8), type: .problem)
        if let seconds = problem.retryAfterSeconds { response.add("Retry-After", String(seconds)) }
        return response
    }

    /// The response to a request that broke a rule of the gate.
    package static func refusal(_ refusal: GateRefusal) -> HTTPResponse {
        refusal.fields.reduce(into: problem(ProblemDocument(refusal))) { $0.fields.append($1) }
    }

    /// A browser keeps the headers of this response instead of those that it had kept, so they must be the same.
    package static func notModified(
        _ tag: ETag, policy: ContentPolicy = .nothing, cache: CachePolicy = .nothing
    ) -> HTTPResponse {
        HTTPResponse(.notModified, policy: policy, cache: cache).adding("ETag", tag.description)
    }

    /// The beginning of a stream of events. nginx would collect the events before it passes them on.
    package static var events: HTTPResponse {
        HTTPResponse(.ok, .events, type: .events).adding("X-Accel-Buffering", "no")
    }

    /// Returns the response with the cookie that carries a credential. It has no Secure attribute, because
    /// browsers drop such cookies on plain HTTP. 400 days is the longest life that browsers allow.
    package func settingCookie(_ name: String, _ secret: Secret) -> HTTPResponse {
        adding("Set-Cookie", "\(name)=\(secret.revealed); Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000")
    }

    package func removingCookie(_ name: String) -> HTTPResponse {
        adding("Set-Cookie", "\(name)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
    }
}
