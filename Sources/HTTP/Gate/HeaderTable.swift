// The headers of a request by name, after the checks of their bytes.

/// Headers by name in lower case, their values trimmed.
struct HeaderTable {
    private let values: [String: [String]]

    /// Headers that come at most once. A second one could be the one that another program on the way believes.
    /// Host has a refusal of its own if it is missing, not if it is repeated.
    private static let single: Set = [
        "host", "content-length", "transfer-encoding", "content-type", "authorization", "cookie", "origin",
        "last-event-id", "idempotency-key",
    ]
    /// Headers that no log and no route may see.
    private static let secret: Set = ["authorization", "cookie", "proxy-authorization"]

    init(_ fields: [HeaderField]) throws(GateRefusal) {
        guard fields.count <= HeadLimits.fieldsMax else { throw .tooManyHeaders }
        guard fields.reduce(0, { $0 + $1.byteCount }) <= HeadLimits.bytesMax else { throw .headersTooLong }
        var values: [String: [String]] = [:]
        for field in fields {
            guard field.name.isToken else { throw .malformedHeaderName }
            guard field.value.allSatisfy(\.isFieldByte) else { throw .malformedHeaderValue }
            let name = String(decoding: field.name, as: UTF8.self).asciiLowercased
            let isRepeated = values[name] != nil && Self.single.contains(name)
            guard !isRepeated else { throw .repeatedHeader }
            values[name, default: []].append(String(decoding: field.value.trimmingSpaces, as: UTF8.self))
        }
        self.values = values
    }

    subscript(name: String) -> String? { values[name]?.first }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The headers without cookies and credentials.
    var withoutSecrets: [String: [String]] { values.filter { !Self.secret.contains($0.key) } }
}

extension HeaderTable {
    /// Returns how the body is delimited. Programs that choose differently between two lengths see different
    /// requests in the same bytes ("request smuggling"), so there must be nothing to choose.
    func framing(method: HTTPMethod, isOldVersion: Bool) throws(GateRefusal) -> BodyFraming {
        let framing = try framing(isOldVersion: isOldVersion)
        guard !method.isSafe || framing == .none || framing == .length(0) else { throw .unexpectedBody }
        return framing
    }

    private func framing(isOldVersion: Bool) throws(GateRefusal) -> BodyFraming {
        if let coding = self["transfer-encoding"] {
            guard self["content-length"] == nil else { throw .lengthAndCoding }
            guard !isOldVersion else { throw .codingInOldVersion }
            guard coding.asciiLowercased == "chunked" else { throw .unknownCoding }
            return .chunked
        }
        guard let length = self["content-length"] else { return .none }
        guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit) else { throw .malformedLength }
        guard let count = Int(length) else { throw .bodyTooLong }
        return .length(count)
    }

    /// The token of `Authorization: Bearer …`. Another scheme may be for a front end, and is no credential.
    var bearer: Secret? {
        guard let parts = self["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].asciiLowercased == "bearer"
        else { return nil }
        let token = parts[1].trimmingSpaces
        return token.utf8.allSatisfy { $0.isTokenByte || $0 == 0x2F || $0 == 0x3D } ? Secret(token) : nil
    }

    /// Returns the value of a cookie. Another program on this host can set a second cookie of that name for a
    /// longer path, and browsers send both.
    func cookie(_ name: String) throws(GateRefusal) -> Secret? {
        let pairs = (self["cookie"] ?? "").split(separator: ";").map(\.trimmingSpaces)
        let values = pairs.filter { $0.hasPrefix("\(name)=") }.map { $0.dropFirst(name.count + 1) }
        guard values.count <= 1 else { throw .repeatedCookie }
        return values.first.map { Secret(String($0)) }
    }

    func condition(_ name: String) throws(GateRefusal) -> ETagCondition? {
        let values = all(name)
        if values.isEmpty { return nil }
        guard let condition = ETagCondition(values.joined(separator: ",")) else { throw .malformedCondition }
        return condition
    }

    /// Returns the key that identifies repeats of a request, with or without the draft's quotes.
    func idempotencyKey() throws(GateRefusal) -> String? {
        guard let text = self["idempotency-key"] else { return nil }
        let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let key = isQuoted ? String(text.dropFirst().dropLast()) : text
        guard (1...HeadLimits.keyBytesMax).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { throw .malformedKey }
        return key
    }
}
