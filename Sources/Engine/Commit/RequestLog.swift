// Makes requests idempotent: one that is sent again gets the same reply, and has no further effect.

/// The open requests, and the replies to the last ones.
struct RequestLog: Sendable {
    private static let rememberedMax = 256
    /// The bound on repeats of an open request.
    private static let repeatsMax = 16

    /// The open requests by id, each with its repeats.
    private var open: [String: [RequestHeader]] = [:]
    private var answers: [String: Reply] = [:]
    private var answered: [String] = []

    var openCount: Int { open.values.reduce(0) { $0 + $1.count } }
    var answerCount: Int { answers.count }

    /// How a request is treated.
    enum Admission {
        case new
        case waits
        case answered(Reply)
    }

    mutating func admit(_ request: RequestHeader) -> Admission {
        if let reply = answers[request.id] { return .answered(reply) }
        let isNew = open[request.id] == nil
        guard open[request.id, default: []].count < RequestLog.repeatsMax else { return .answered(.refused(.busy)) }
        open[request.id, default: []].append(request)
        return isNew ? .new : .waits
    }

    /// Stores the reply. Returns the request and its repeats, which all get it.
    mutating func answer(_ request: RequestHeader, _ reply: Reply) -> [RequestHeader] {
        answers[request.id] = reply
        answered.append(request.id)
        if answered.count > RequestLog.rememberedMax { answers[answered.removeFirst()] = nil }
        return open.removeValue(forKey: request.id) ?? []
    }
}
