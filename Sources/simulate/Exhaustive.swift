// The exhaustive search: every sequence of so many moves from each initial state.

import Alarms
import CivilTime
import Engine

/// The search through all histories of a length, shorter ones first. Equal states are explored once.
struct Exhaustive {
    private(set) var stateCount = 0
    private(set) var moveCount = 0
    private(set) var failure: String?
    private let defect: Defect?
    /// How many moves were left when a state was explored.
    private var leftByState: [Int: Int] = [:]
    private var moves: [SearchMove] = []

    init(defect: Defect? = nil) { self.defect = defect }

    mutating func run(depth: Int) {
        for (name, house) in SearchState.all(defect) {
            // Shorter histories come first, so the first failure is as short as any.
            for length in 1...max(1, depth) where failure == nil {
                leftByState = [:]
                explore(from: house, of: name, left: length)
            }
            stateCount += leftByState.count
        }
    }

    private mutating func explore(from house: SearchState, of name: String, left: Int) {
        let key = house.key
        let known = leftByState[key]
        guard known.map({ $0 < left }) ?? true else { return }
        leftByState[key] = left
        if known == nil, let words = house.missedWakeup { return fail(words, name) }
        for move in SearchMove.allCases where left > 0 && failure == nil {
            var next = house
            guard next.make(move) else { continue }
            moveCount += 1
            moves.append(move)
            if let words = Exhaustive.broken(by: move, house, next) {
                fail(words, name)
            } else {
                explore(from: next, of: name, left: left - 1)
            }
            moves.removeLast()
        }
    }

    private mutating func fail(_ words: String, _ name: String) {
        failure = (["In the house where \(name):"] + moves.map { "  \($0.rawValue)" } + [words]).joined(separator: "\n")
    }

    // MARK: what is promised

    /// What a move has broken; nil where nothing is.
    private static func broken(by move: SearchMove, _ before: SearchState, _ after: SearchState) -> String? {
        escaped(by: move, before, after) ?? after.lost ?? silent(after)
    }

    /// A session falls silent, or leaves a pause, only by the rules.
    private static func escaped(by move: SearchMove, _ before: SearchState, _ after: SearchState) -> String? {
        for old in before.status.sessions {
            let occurrence = old.session.occurrence
            // A session that was not durable is lost by a restart: it rings again if it is due by the clock then.
            guard !move.isCut || after.model.knows(occurrence) else { continue }
            let now = after.status.sessions.first { $0.session.occurrence == occurrence }
            let past = after.engine.history.last { $0.occurrence == occurrence }
            let isRight =
                switch now?.session.state ?? past.map({ .ended($0.ending) }) {
                case .ringing, .challenged: true
                case .snoozed, .resting: now.map { after.isRightlySilent($0, old, by: move, before) } ?? false
                case .ended(.dismissed): after.isDismissed(occurrence, with: past?.session?.endedWith, by: move)
                case .ended(.emergency): after.hasHeld
                case .ended(.unanswered):
                    old.session.restCount == 2 && before.hasRungUnanswered(old.session, at: after.moment)
                case .ended(.missed), .ended(.cancelled), nil: false
                }
            let state = now.map { "\($0.session.state)" } ?? past.map { "over: \($0.ending)" } ?? "gone"
            if !isRight { return "\(occurrence.alarm) was \(old.session.state), and is \(state) by \(move.rawValue)" }
        }
        return nil
    }

    /// A session that rings has a sound, and no ring that is due is left out.
    private static func silent(_ after: SearchState) -> String? {
        let rings = !after.status.ringing.isEmpty
        if rings != (after.sound != nil) { return rings ? "it rings with no sound" : "a sound is left" }
        if let next = after.status.next.first, next.occurrence.at.milliseconds <= after.moment.wallMilliseconds {
            return "\(next.occurrence.alarm) was due, and does not ring"
        }
        let paused = after.status.sessions.lazy.compactMap(\.leftMilliseconds)
        return paused.contains { $0 <= 0 } ? "a pause is over, and it is silent still" : nil
    }
}

/// A move of the search: something that may happen next.
enum SearchMove: String, CaseIterable {
    /// Time passes until the engine wants to be called.
    case timer
    case kept = "kept", notKept = "not kept"
    case stop, snooze, stopButton = "stop button", hold = "emergency way out held for 56 s"
    case rightAnswer = "right answer", wrongAnswer = "wrong answer", rightCode = "right code", wrongCode = "wrong code"
    case edit, weaken, delete, switchOff = "switch off", switchOn = "switch on", skip, masterOff = "all off"
    case cut = "power cut", cutAfterWrite = "power cut after the write"
    case stepForward = "clock an hour forward", stepBack = "clock an hour back"
    case heard, cameraBroken = "camera broken"

    var isCut: Bool { self == .cut || self == .cutAfterWrite }
}
