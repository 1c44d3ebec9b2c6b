// Edges of a line, random ones and such as contacts make, and a kernel that keeps them.

import Oracles

@testable import Devices

/// What a line did.
struct EdgeTrain {
    var isDownAtFirst = false
    /// In the order of their times. An edge at the level that the line had is one after an edge that nobody saw.
    var edges: [Debounce.DebouncedEdge] = []
    /// What the contact did, without its bouncing.
    var contacts: [Debounce.DebouncedEdge] = []

    /// As the oracle reads it.
    var text: String { "\(isDownAtFirst ? 1 : 0)" + edges.text.dropFirst() }

    /// Anything.
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

    /// A few presses, each of which bounces at its beginning and at its end.
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

    /// Edges without an end.
    init(chattering random: inout SeededRandom) {
        var (level, uptime) = (false, 1000)
        for _ in 0..<Int.random(in: 1...400, using: &random) {
            uptime += Int.random(in: 0...2, using: &random)
            level.toggle()
            edges.append(.init(isDown: level, uptime: uptime))
        }
    }
}

/// A line as the kernel gives it: edges wait until they are heard, and a timer calls.
struct KernelLine {
    /// What becomes of edges for which there is no room.
    enum Overflow: CaseIterable {
        /// There is always room.
        case none
        /// As in the kernel's first interface.
        case dropsNewest
        /// As in its second one.
        case dropsOldest
    }

    private let train: EdgeTrain
    var isStamped = true
    var overflow = Overflow.none
    /// How often somebody was woken.
    private(set) var hearings = 0

    private static let room = 16

    init(_ train: EdgeTrain) {
        self.train = train
    }

    /// What is told when each call is heard so much late.
    mutating func moves(lateness: () -> Int) -> [Debounce.DebouncedEdge] {
        var debounce = Debounce(isDown: train.isDownAtFirst)
        var (moves, unheard): ([Debounce.DebouncedEdge], ArraySlice<Debounce.DebouncedEdge>) = ([], train.edges[...])
        var now = 0
        while true {
            // A line that is not listened to calls nobody.
            let next = unheard.first.map { max($0.uptime, debounce.isDeaf(at: now) ? debounce.readUptime ?? 0 : 0) }
            guard let call = [next, debounce.readUptime].compactMap(\.self).min() else { return moves }
            now = max(now, call + lateness())
            hearings += 1
            guard !debounce.isDeaf(at: now) else { continue }
            // Of what happens in the same millisecond, the timer is the first.
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
