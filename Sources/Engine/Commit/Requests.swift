// Requests, each answered once: one that is sent again is answered as before.

/// The requests that have no answer yet, and the last ones that were answered.
struct Requests: Sendable {
    private static let rememberedMax = 256
    /// Nobody says the same more often before it is answered.
    private static let repeatsMax = 16

    /// Those without an answer by their ids, each with those that came again meanwhile.
    private var open: [String: [Request]] = [:]
    private var answers: [String: Reply] = [:]
    private var answered: [String] = []

    var openCount: Int { open.values.reduce(0) { $0 + $1.count } }
    var answerCount: Int { answers.count }

    /// What becomes of a request.
    enum Admission {
        case new
        case waits
        case answered(Reply)
    }

    mutating func admit(_ request: Request) -> Admission {
        if let reply = answers[request.id] { return .answered(reply) }
        let isNew = open[request.id] == nil
        guard open[request.id, default: []].count < Requests.repeatsMax else { return .answered(.refused(.busy)) }
        open[request.id, default: []].append(request)
        return isNew ? .new : .waits
    }

    /// Everybody who waits for this answer.
    mutating func answer(_ request: Request, _ reply: Reply) -> [Request] {
        answers[request.id] = reply
        answered.append(request.id)
        if answered.count > Requests.rememberedMax { answers[answered.removeFirst()] = nil }
        return open.removeValue(forKey: request.id) ?? []
    }
}
