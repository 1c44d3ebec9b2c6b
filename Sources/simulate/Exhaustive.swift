// The exhaustive search: every sequence of moves up to a length, from each initial state.

import Alarms
import CivilTime
import Engine

/// A search through all histories up to a length. It explores a state again only with more moves left.
struct Exhaustive {
    private(set) var stateCount = 0
    private(set) var moveCount = 0
    private(set) var failure: String?
    private let defect: Defect?
    /// The number of moves that were left when a state was explored.
    private var leftByState: [Int: Int] = [:]
    private var moves: [SearchMove] = []

    init(defect: Defect? = nil) { self.defect = defect }

    mutating func run(depth: Int) {
        for (name, state) in SearchState.all(defect) {
            // Shorter histories come first, so the first failure is as short as any from this state.
            for length in 1...max(1, depth) where failure == nil {
                leftByState = [:]
                explore(from: state, of: name, left: length)
            }
            stateCount += leftByState.count
        }
    }

    private mutating func explore(from state: SearchState, of name: String, left: Int) {
        let key = state.key
        let known = leftByState[key]
        guard known.map({ $0 < left }) ?? true else { return }
        leftByState[key] = left
        if known == nil, let text = state.missedWakeup { return fail(text, name) }
        for move in SearchMove.allCases where left > 0 && failure == nil {
            var next = state
            guard next.make(move) else { continue }
            moveCount += 1
            moves.append(move)
            if let text = Exhaustive.broken(by: move, state, next) {
                fail(text, name)
            } else {
                explore(from: next, of: name, left: left - 1)
            }
            moves.removeLast()
        }
    }

    private mutating func fail(_ text: String, _ name: String) {
        failure = (["If at first \(name):"] + moves.map { "  \($0.rawValue)" } + [text]).joined(separator: "\n")
    }

    // MARK: promises

    /// Returns a description of the promise that a move has broken, or nil.
    private static func broken(by move: SearchMove, _ before: SearchState, _ after: SearchState) -> String? {
        escaped(by: move, before, after) ?? after.lost ?? silent(after)
    }

    /// Returns a description of a session that is silent, over or gone now, although no rule allows it.
    private static func escaped(by move: SearchMove, _ before: SearchState, _ after: SearchState) -> String? {
        for old in before.status.sessions {
            let occurrence = old.session.occurrence
            // A restart loses a session that was not durable, and rings it again if it is still due.
            guard !move.isCut || after.model.knows(occurrence) else { continue }
            let now = after.status.sessions.first { $0.session.occurrence == occurrence }
            let past = after.engine.history.last { $0.occurrence == occurrence }
            let isRight =
                switch now?.session.state ?? past.map({ .ended($0.ending) }) {
                case .ringing, .challenged: true
                case .checking: now.map { after.isRightlyChecking($0, old, by: move) } ?? false
                case .snoozed, .resting: now.map { after.isRightlySilent($0, old, by: move, before) } ?? false
                case .ended(.dismissed) where old.session.isChecking: before.isCheckAnswered(old, by: move)
                case .ended(.dismissed): after.isDismissed(occurrence, with: past?.session?.endedWith, by: move)
                case .ended(.emergency): after.hasHeld
                case .ended(.unanswered):
                    old.session.restCount == 2 && before.hasRungUnanswered(old.session, at: after.moment)
                case .ended(.postponed):
                    old.session.terms.challenges.isEmpty && (move == .kept || move.isCut)
                case .ended(.missed), .ended(.done), .ended(.cancelled), nil: false
                }
            let state = now.map { "\($0.session.state)" } ?? past.map { "ended (\($0.ending))" } ?? "gone"
            if !isRight {
                return "\(occurrence.alarm) was \(old.session.state) and became \(state) by \(move.rawValue)"
            }
        }
        return nil
    }

    /// Returns a description of a ring without sound, a due ring left out, or an exceeded pause.
    private static func silent(_ after: SearchState) -> String? {
        let rings = !after.status.ringing.isEmpty
        let isChime = after.status.sessions.contains { $0.asksMilliseconds == 0 && !rings }
        if rings != (after.sound != nil), !isChime {
            return rings ? "a session rings without a sound" : "a sound plays without a session"
        }
        if let next = after.status.next.first, next.at.milliseconds <= after.moment.wallMilliseconds {
            return "\(next.occurrence.alarm) is due but does not ring"
        }
        let paused = after.status.sessions.lazy.compactMap(\.leftMilliseconds)
        return paused.contains { $0 <= 0 } ? "a session is silent after its pause" : nil
    }
}

extension SearchState {
    /// Returns true if a session may wait for its check: it goes on, or its challenges are done.
    func isRightlyChecking(_ now: SessionStatus, _ old: SessionStatus, by move: SearchMove) -> Bool {
        let occurrence = now.session.occurrence
        if old.session.isChecking, !move.isCut { return now.leftMilliseconds ?? .max <= old.leftMilliseconds ?? 0 }
        if move.isCut { return (model.open[occurrence]?.checkCount ?? 0) == now.session.checkCount }
        return isDismissed(occurrence, with: nil, by: move)
    }

    /// Returns true if a move answers the check of a session in this state.
    func isCheckAnswered(_ session: SessionStatus, by move: SearchMove) -> Bool {
        // A second passes before each move.
        session.asksMilliseconds.map { $0 <= 1000 } ?? false && status.ringing.isEmpty
            && [.stop, .stopButton, .done, .rightCode].contains(move)
    }
}

/// A move of the search: an event or a request.
enum SearchMove: String, CaseIterable {
    /// Time passes until the engine's next wake.
    case timer
    case kept = "kept", notKept = "not kept"
    case stop, snooze, stopButton = "stop button", hold = "both buttons held for 56 s"
    case rightAnswer = "right answer", wrongAnswer = "wrong answer", rightCode = "right code", wrongCode = "wrong code"
    case edit, weaken, delete, switchOff = "switch off", switchOn = "switch on", skip, postpone, done
    case masterOff = "all off", clear = "clear the history"
    case cut = "power cut", cutAfterWrite = "power cut after the write"
    case stepForward = "clock an hour forward", stepBack = "clock an hour back"
    case heard, cameraBroken = "camera broken", movement = "somebody moves"

    var isCut: Bool { self == .cut || self == .cutAfterWrite }
}
