// The fuzz target for the gate of HTTP requests.

import HTTP

/// Checks that a request is accepted or refused with a sentence. An accepted one must have safe parts, and
/// must be accepted again with the same parts if it is written anew.
func fuzzHTTPRequest(_ bytes: [UInt8]) throws(BrokenPromise) {
    let head = RequestHead(text: bytes)
    let gate = RequestGate(hosts: HostPolicy(hostName: "rooster", listed: ["clock.example"]))
    switch judge(head, by: gate) {
    case .failure(let refusal):
        try promiseReadable(refusal.sentence)
        try promise((400..<506).contains(refusal.status.rawValue), "\(refusal) has the status \(refusal.status)")
    case .success(let request):
        try promiseSafe(request)
        var again = head
        again.target = Array(request.target.utf8)
        // A letter that needs no escape becomes three bytes in an escape, so the target may be too long now.
        guard again.target.count <= HeadLimits.targetBytesMax else { return }
        guard case .success(let copy) = judge(again, by: gate) else {
            throw BrokenPromise(description: "\(request.target) is not accepted as it is written")
        }
        try promise(copy.path == request.path && copy.query == request.query, "\(request.target) has become another")
    }
}

private func judge(_ head: RequestHead, by gate: RequestGate) -> Result<HTTPRequest, GateRefusal> {
    do throws(GateRefusal) {
        return .success(try gate.judge(head))
    } catch {
        return .failure(error)
    }
}

private func promiseSafe(_ request: HTTPRequest) throws(BrokenPromise) {
    for text in request.path + request.query.flatMap({ [$0.name, $0.value] }) {
        try promise(
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control },
            "\(text.debugDescription) has a control character")
    }
    for segment in request.path {
        let parts = segment.split(separator: "/")
        try promise(!segment.isEmpty && !parts.contains("..") && !parts.contains("."), "\(segment) is a dot segment")
    }
    if request.method.isSafe {
        try promise(request.body == .none || request.body == .length(0), "a request to read has a body")
    } else if case .cookie = request.credential {
        try promise(request.header("origin") != nil, "a cookie without an origin is accepted")
    }
    try promise(request.header("cookie") == nil, "routes can see the cookie")
    try promise(request.header("authorization") == nil, "routes can see the token")
}

extension HTTPRequest {
    /// The target that a client would write for this path and query.
    fileprivate var target: String {
        let path = path.map { "/" + PercentCoding.encoded($0) }.joined()
        let items = query.map { "\(PercentCoding.encoded($0.name))=\(PercentCoding.encoded($0.value))" }
        return (path.isEmpty ? "/" : path) + (items.isEmpty ? "" : "?\(items.joined(separator: "&"))")
    }
}

extension RequestHead {
    /// Reads a request as bytes, as laxly as the transport may.
    fileprivate init(text: [UInt8]) {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        let words = lines.removeFirst().split(
            separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let fields = lines.prefix { !$0.isEmpty }.map { line in
            let sides = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            return HeaderField(name: Array(sides[0]), value: sides.count == 2 ? Array(sides[1]) : [])
        }
        self.init(
            method: Array(words[0]), target: words.count > 1 ? Array(words[1]) : [],
            version: words.count > 2 ? Array(words[2]) : [], fields: fields,
            connection: ConnectionAddresses(local: .v4(0xC0A8_0114), peer: .v4(0xC0A8_0132)))
    }
}
