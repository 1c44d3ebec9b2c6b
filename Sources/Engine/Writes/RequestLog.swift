// The log of requests: a repeated request gets the same reply and has no further effect.

/// The open requests, and the replies to the last ones.
package struct RequestLog: Sendable {
    package static let rememberedMax = 256

    /// The open requests by ID, with the number of times that each was sent.
    private var open: [String: Int] = [:]
    private var answers: [String: Reply] = [:]
    private var answered: [String] = []

    package var openCount: Int { open.count }
    package var answerCount: Int { answers.count }

    enum Admission {
        case new
        case waits
        case answered(Reply)
    }

    mutating func admit(_ request: RequestHeader) -> Admission {
        if let reply = answers[request.id] { return .answered(reply) }
        open[request.id, default: 0] += 1
        return open[request.id] == 1 ? .new : .waits
    }

    /// Stores the reply, unless it is a temporary refusal: a client that gets one sends the request again, with the
    /// same ID. Returns how many times to send it: once for each time that the request was sent.
    mutating func answer(_ request: RequestHeader, _ reply: Reply) -> Int {
        let count = open.removeValue(forKey: request.id) ?? 0
        if case .refused(let refusal) = reply, refusal.code.isTemporary { return count }
        answers[request.id] = reply
        answered.append(request.id)
        if answered.count > RequestLog.rememberedMax { answers[answered.removeFirst()] = nil }
        return count
    }
}
