// The gate: the one place that decides whether a request is well formed and meant for this server.
//
// The HTTP library is only a transport. It accepts two Host headers, two lengths and absolute targets, and
// decodes paths to C strings that end at `%00`. Each of these lets two programs see different requests in
// the same bytes. So the gate reads the raw request line and headers a second time, and nothing uses the
// library's own reading of them:
//
// 1. Bytes: method, version, names and values of headers, their number and size.
// 2. Framing: one way to tell where the body ends.
// 3. Target: split first, decoded afterwards, without dot segments and control characters.
// 4. Host: a name that no stranger can own, so that another site cannot pass for this one.
// 5. Origin: no other site's page changes anything. Reading needs no such rule, because there are no CORS
//    headers, and because the cookie is SameSite=Strict.
//
// A line that continues on the next one is not visible here: the library joins or cuts its value. The rest is
// judged like any other value, and a line break that the library kept is a control character.

/// The rules by which requests are accepted.
package struct RequestGate: Sendable {
    package var hosts: HostPolicy
    /// The name of the cookie that carries the credential of a browser.
    package let cookieName: String

    /// The usual name of that cookie.
    package static let cookieName = "rooster"

    package init(hosts: HostPolicy, cookieName: String = RequestGate.cookieName) {
        self.hosts = hosts
        self.cookieName = cookieName
    }

    /// Returns the request, or throws the first rule that it breaks.
    package func judge(_ head: RequestHead) throws(GateRefusal) -> HTTPRequest {
        guard head.method.isToken else { throw .malformedMethod }
        guard let method = HTTPMethod(rawValue: String(decoding: head.method, as: UTF8.self))
        else { throw .unknownMethod }
        let isOldVersion = head.version.elementsEqual("HTTP/1.0".utf8)
        guard isOldVersion || head.version.elementsEqual("HTTP/1.1".utf8) else { throw .unknownVersion }
        let headers = try HeaderTable(head.fields)
        let body = try headers.framing(method: method, isOldVersion: isOldVersion)
        let target = try RequestTarget(head.target)
        let host = try host(headers, at: head.connection)
        let cookie = try headers.cookie(cookieName)
        try checkOrigin(headers["origin"], method: method, host: host, hasCookie: cookie != nil, head.connection)
        return HTTPRequest(
            method: method, path: target.path, query: target.query, host: host, connection: head.connection,
            body: body, contentType: headers["content-type"].flatMap(MediaType.init(parsing:)),
            credential: headers.bearer.map(Credential.bearer) ?? cookie.map(Credential.cookie),
            ifMatch: try headers.condition("if-match"), ifNoneMatch: try headers.condition("if-none-match"),
            lastEventID: headers["last-event-id"], idempotencyKey: try headers.idempotencyKey(),
            encodings: ContentCodings(accepting: headers.all("accept-encoding")), fields: headers.withoutSecrets)
    }

    private func host(_ headers: HeaderTable, at connection: ConnectionAddresses) throws(GateRefusal) -> Authority {
        guard let text = headers["host"] else { throw .missingHost }
        guard let host = Authority(text) else { throw .malformedHost }
        guard hosts.accepts(host, at: connection.local) else { throw .foreignHost }
        return host
    }

    /// Browsers attach the cookie to requests that other pages cause, also to those of other ports of this
    /// host. They name the page in Origin with every method but GET and HEAD.
    private func checkOrigin(
        _ text: String?, method: HTTPMethod, host: Authority, hasCookie: Bool, _ connection: ConnectionAddresses
    ) throws(GateRefusal) {
        guard !method.isSafe else { return }
        guard let text else {
            guard !hasCookie else { throw .missingOrigin }
            return
        }
        guard let origin = OriginHeader(text), origin.isSame(as: host, by: connection.scheme)
        else { throw .foreignOrigin }
    }
}
