// Requests and responses of HTTP as text.

import API
import Fixtures
import JSON
import Text
import WebAPI

/// A request of HTTP.
struct HTTPCall {
    var method: String
    var target: String
    var headers: [String] = []
    var body: String?
    /// A file, which is sent in place of the body.
    var file: [UInt8]?

    init(_ method: String, _ target: String, _ headers: [String] = [], body: String? = nil) {
        (self.method, self.target, self.headers, self.body) = (method, "/api/1\(target)", headers, body)
    }

    /// Creates the call of a file of the page.
    init(file: String, _ headers: [String] = []) { (method, target, self.headers) = ("GET", file, headers) }

    /// Creates the call of a request of the API: its fields go into the path, the query or the body.
    init(_ type: any Request.Type, _ fields: [JSON.Member]) {
        let spec = type.spec
        if spec.takesFile, case .string(let data)? = fields.first(where: { $0.name == "data" })?.value {
            file = [UInt8](base64: data)
        }
        let piece: Set = spec.takesFile && file != nil ? ["upload", "size", "offset", "data"] : []
        var (path, query, members) = (spec.path == "/" ? "" : spec.path, [String](), [JSON.Member]())
        for field in fields {
            // A wrong value goes where any other field would.
            if piece.contains(field.name), field.value.elements == nil { continue }
            if path.contains("{\(field.name)}") {
                path = path.replacing("{\(field.name)}", with: HTTPCall.encoded(field.value))
            } else if field.name == spec.bodyField {
                body = field.value.description
            } else if spec.method == .get || spec.bodyField != nil || spec.takesFile {
                query.append("\(field.name)=\(HTTPCall.encoded(field.value))")
            } else {
                members.append(field)
            }
        }
        if !members.isEmpty { body = JSON.object(members).description }
        (method, target) = (
            spec.method.rawValue, "/api/1\(path)\(query.isEmpty ? "" : "?")\(query.joined(separator: "&"))"
        )
        if spec.needsRevision { headers.append("If-Match: *") }
    }

    func adding(_ header: String) -> HTTPCall {
        var call = self
        call.headers.append(header)
        return call
    }

    /// The bytes of the call on a connection that stays open.
    func bytes(token: String?) -> [UInt8] {
        Array(text(token: token, isLast: false).utf8) + (file ?? [])
    }

    func text(token: String?, isLast: Bool) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1"] + headers
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        if let file { lines += ["Content-Type: application/octet-stream", "Content-Length: \(file.count)"] }
        if body == nil, file == nil, !["GET", "HEAD"].contains(method) { lines.append("Content-Length: 0") }
        if isLast { lines.append("Connection: close") }
        return lines.map { "\($0)\r\n" }.joined() + "\r\n" + (body ?? "")
    }

    /// Returns a value as text, with each byte but letters and digits as %XX.
    private static func encoded(_ value: JSON) -> String {
        let text =
            switch value {
            case .string(let text): text
            case .array(let values): values.map { encoded($0) }.joined(separator: ",")
            default: value.description
            }
        return text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension JSON {
    fileprivate var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}

/// A response of HTTP.
struct HTTPReply {
    let status: Int
    /// The headers by their names in lower case.
    let headers: [String: String]
    private(set) var body: String
    /// The body as it came: a picture is no text.
    private(set) var bytes: [UInt8] = []

    struct Unreadable: Error { let text: String }

    init(head: String, body: String) throws {
        let lines = head.split(separator: "\r\n")
        guard let parts = lines.first?.split(separator: " "), parts.count > 1, let status = Int(parts[1]) else {
            throw Unreadable(text: head)
        }
        self.status = status
        self.body = body
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                line.firstRange(of: ": ").map { (line[..<$0.lowerBound].lowercased(), String(line[$0.upperBound...])) }
            }, uniquingKeysWith: { "\($0), \($1)" })
    }

    var json: JSON { get throws { try JSON(parsing: Array(body.utf8)) } }

    /// The value at a path of the body, such as `status.sessions.0.state`; nil if there is none.
    subscript(path: String) -> JSON? {
        do { return try json[path] } catch { return nil }
    }

    func with(body: some Collection<UInt8>) -> HTTPReply {
        var reply = self
        reply.bytes = Array(body)
        reply.body = String(decoding: reply.bytes, as: UTF8.self)
        return reply
    }
}
