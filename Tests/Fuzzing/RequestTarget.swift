// The fuzz target for the codec of requests and responses.

import API
import JSON

/// Checks that any line is a request or an error with a message, and that a decoded request survives
/// encoding. The same holds for the line as a response to each request.
func fuzzRequest(_ bytes: [UInt8]) throws(BrokenPromise) {
    switch parse(bytes) {
    case .success(let request):
        guard case .success(let again) = parse(Array(request.json.description.utf8)) else {
            throw BrokenPromise(description: "\(request.json) is not read as it is written")
        }
        try same(again.json, request.json)
    case .failure(let error): try promise(!error.message.isEmpty, "an error has no message")
    }
    guard let json = try? JSON(parsing: bytes) else { return }
    for type in RequestSpec.all { try response(type, json) }
}

private func parse(_ bytes: [UInt8]) -> Result<RequestEnvelope, ErrorResponse> {
    do throws(ErrorResponse) {
        return .success(try RequestEnvelope(parsing: bytes))
    } catch {
        return .failure(error)
    }
}

private func response<Sent: Request>(_ type: Sent.Type, _ json: JSON) throws(BrokenPromise) {
    guard let response = try? ResponseEnvelope<Sent.Response>(json) else { return }
    guard let again = try? ResponseEnvelope<Sent.Response>(response.json) else {
        throw BrokenPromise(description: "\(response.json) is not read as it is written")
    }
    try same(again.json, response.json)
}

private func same(_ a: JSON, _ b: JSON) throws(BrokenPromise) {
    try promise(a == b, "\(a) in place of \(b)")
}
