// The codec of the vocabulary under fuzzing: what every door is told, and what every client is answered.

import API
import JSON

/// Any line is a request or is refused in words; what is read is written and read again as the same. Likewise as an answer
/// to any form.
func fuzzRequest(_ bytes: [UInt8]) throws(BrokenPromise) {
    switch parse(bytes) {
    case .success(let request):
        guard case .success(let again) = parse(Array(request.json.description.utf8)) else {
            throw BrokenPromise(description: "\(request.json) is not read as it is written")
        }
        try same(again.json, request.json)
    case .failure(let refused): try promise(!refused.words.isEmpty, "a refusal has no words")
    }
    guard let json = try? JSON(parsing: bytes) else { return }
    for form in Forms.all { try answer(form, json) }
}

private func parse(_ bytes: [UInt8]) -> Result<Request, Refused> {
    do throws(Refused) {
        return .success(try Request(parsing: bytes))
    } catch {
        return .failure(error)
    }
}

private func answer<Filled: Form>(_ form: Filled.Type, _ json: JSON) throws(BrokenPromise) {
    guard let answer = try? Answer<Filled.Answer>(json) else { return }
    guard let again = try? Answer<Filled.Answer>(answer.json) else {
        throw BrokenPromise(description: "\(answer.json) is not read as it is written")
    }
    try same(again.json, answer.json)
}

private func same(_ a: JSON, _ b: JSON) throws(BrokenPromise) {
    try promise(a == b, "\(a) in place of \(b)")
}
