// The edges of a line, random or realistic, and a model of the kernel's queue.

import Oracles

@testable import Devices

/// The history of a line.
struct EdgeTrain {
    var isDownAtFirst = false
    /// The edges in order of time. An edge without a change of level follows a lost edge.
    var edges: [Debounce.DebouncedEdge] = []
    /// The contact's movements without the bounces.
    var contacts: [Debounce.DebouncedEdge] = []

    /// The history in the oracle's format.
    var text: String { "\(isDownAtFirst ? 1 : 0)" + edges.text.dropFirst() }

    init(any random: inout SeededRandom) {
        isDownAtFirst = Bool.random(using: &random)
        var (level, uptime) = (isDownAtFirst, Int.random(in: 0...1000, using: &random))
        let gapMax = [3, 20, 60, 200].randomElement(using: &random) ?? 20
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            uptime += Int.random(in: 0...gapMax, using: &random)
            if Int.random(in: 0...9, using: &random) > 0 { level.toggle() }
            edges.append(.init(isDown: level, uptime: uptime))
        }
    }

    /// Two presses, each with bounces at both ends.
    init(pressed random: inout SeededRandom) {
        var uptime = 1000
        for isDown in [true, false, true, false] {
            uptime += Int.random(in: 70...500, using: &random)
            contacts.append(.init(isDown: isDown, uptime: uptime))
            edges.append(.init(isDown: isDown, uptime: uptime))
            let end = uptime + Int.random(in: 0...30, using: &random)
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let bounces = [uptime, uptime].map { Int.random(in: $0...end, using: &random) }.sorted()
                edges.append(.init(isDown: !isDown, uptime: bounces[0]))
                edges.append(.init(isDown: isDown, uptime: bounces[1]))
                uptime = bounces[1]
            }
        }
    }

    /// A history of continuous chatter.
    init(chattering random: inout SeededRandom) {
        var (level, uptime) = (false, 1000)
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            uptime += Int.random(in: 0...2, using: &random)
            level.toggle()
            edges.append(.init(isDown: level, uptime: uptime))
        }
    }
}

/// A line as the kernel presents it: edges wait in a queue, and a timer fires.
struct KernelLine {
    /// The kernel's treatment of edges beyond its queue.
    enum Overflow: CaseIterable {
        /// The queue is unlimited.
        case none
        /// The kernel's first interface drops the newest.
        case dropsNewest
        /// The kernel's second interface drops the oldest.
        case dropsOldest
    }

    private let train: EdgeTrain
    var isStamped = true
    var overflow = Overflow.none
    /// The number of wake-ups.
    private(set) var hearings = 0

    private static let room = 16

    init(_ train: EdgeTrain) {
        self.train = train
    }

    /// Returns the reported moves if each wake-up is this late.
    mutating func moves(lateness: () -> Int) -> [Debounce.DebouncedEdge] {
        var debounce = Debounce(isDown: train.isDownAtFirst)
        var (moves, unheard): ([Debounce.DebouncedEdge], ArraySlice<Debounce.DebouncedEdge>) = ([], train.edges[...])
        var now = 0
        while true {
            // During the deaf time, edges do not cause a wake-up.
            let next = unheard.first.map { max($0.uptime, debounce.isDeaf(at: now) ? debounce.readUptime ?? 0 : 0) }
            guard let call = [next, debounce.readUptime].compactMap(\.self).min() else { return moves }
            now = max(now, call + lateness())
            hearings += 1
            guard !debounce.isDeaf(at: now) else { continue }
            // In the same millisecond the timer comes before the edges.
            let end = call == debounce.readUptime ? now : now + 1
            let waiting = unheard.prefix { $0.uptime < end }
            unheard = unheard.dropFirst(waiting.count)
            let kept = kept(waiting)
            for edge in kept {
                moves += debounce.edge(isDown: edge.isDown, uptime: isStamped ? edge.uptime : nil, now: now)
            }
            let areLost = overflow != .none && kept.count == KernelLine.room
            if areLost { debounce.loseEdges() }
            guard areLost || debounce.readUptime.map({ $0 <= now }) ?? false else { continue }
            let level = train.edges.last { $0.uptime < end }?.isDown ?? train.isDownAtFirst
            moves += debounce.read(isDown: level, uptime: now)
        }
    }

    private func kept(_ edges: ArraySlice<Debounce.DebouncedEdge>) -> ArraySlice<Debounce.DebouncedEdge> {
        switch overflow {
        case .none: edges
        case .dropsNewest: edges.prefix(KernelLine.room)
        case .dropsOldest: edges.suffix(KernelLine.room)
        }
    }
}
