// Who has asked for what, so that every request is answered once, and one that comes again as before.

import Alarms

/// Somebody who wants something, and when it was asked for.
struct Asking: Hashable, Sendable {
    /// Nothing where nobody waits for a reply, as before a button.
    var request: Request?
    var door: Door
    var uptime: Int
    /// What was heard then: a session that comes to be heard later is not meant.
    var heard: Occurrence?
}

/// The requests that wait, and the last ones that were answered.
struct Desk: Sendable {
    /// More than this wait for nobody: a disk is slower than a crowd.
    static let waitingMax = 64
    private static let rememberedMax = 256
    /// Nobody says the same more often before it is answered.
    private static let repeatsMax = 16

    /// What is to be decided when what was asked for before is durable.
    var waiting: [(command: Command, asking: Asking)] = []
    /// Requests that have not been answered yet, each with those that came again meanwhile.
    private var open: [String: [Request]] = [:]
    private var answers: [String: Reply] = [:]
    private var answered: [String] = []
    /// The emergency way out as it is held from elsewhere.
    private(set) var hold: Hold?

    /// Who holds it says so again and again: a page that was closed holds nothing.
    struct Hold: Hashable, Sendable {
        var door: Door
        var sinceUptime: Int
        var lastUptime: Int
    }

    private static let holdMilliseconds = 5000

    /// When the one that has waited for longest was asked for.
    var waitingSinceUptime: Int? { waiting.first?.asking.uptime }

    /// Whoever has waited since then or before is to be answered now.
    mutating func giveUpWaiting(since uptime: Int) -> [Asking] {
        let tired = waiting.prefix { $0.asking.uptime <= uptime }.map(\.asking)
        waiting.removeFirst(tired.count)
        return tired
    }

    /// How many requests were not answered yet, and how many answers are remembered.
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
        guard open[request.id, default: []].count < Desk.repeatsMax else { return .answered(.refused(.busy)) }
        open[request.id, default: []].append(request)
        return isNew ? .new : .waits
    }

    /// Everybody who waits for this answer.
    mutating func answer(_ request: Request, _ reply: Reply) -> [Request] {
        answers[request.id] = reply
        answered.append(request.id)
        if answered.count > Desk.rememberedMax { answers[answered.removeFirst()] = nil }
        return open.removeValue(forKey: request.id) ?? []
    }

    mutating func hold(by door: Door, uptime: Int) {
        let since = hold.flatMap { uptime - $0.lastUptime <= Desk.holdMilliseconds ? $0.sinceUptime : nil } ?? uptime
        hold = Hold(door: door, sinceUptime: since, lastUptime: uptime)
    }

    mutating func release() {
        hold = nil
    }

    /// Since when it has been held without a break.
    func heldSinceUptime(at uptime: Int) -> Int? {
        hold.flatMap { uptime - $0.lastUptime <= Desk.holdMilliseconds ? $0.sinceUptime : nil }
    }
}
