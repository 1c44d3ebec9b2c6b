// Not drawn by lot, but all: every sequence of so many moves from each house.

import Alarms
import CivilTime
import Engine

/// The search through all histories of a length, shorter ones first. States that are the same are gone on from once.
struct Exhaustive {
    /// A history that broke a promise.
    struct Failure: CustomStringConvertible {
        let house: String
        let moves: [Move]
        let words: String

        var description: String {
            (["In the house where \(house):"] + moves.map { "  \($0.rawValue)" } + [words]).joined(separator: "\n")
        }
    }

    private(set) var stateCount = 0
    private(set) var moveCount = 0
    private(set) var failure: Failure?
    private let defect: PlantedFault?
    /// How many moves were left when a state was gone on from.
    private var leftByState: [Int: Int] = [:]
    private var moves: [Move] = []

    init(defect: PlantedFault? = nil) { self.defect = defect }

    mutating func run(depth: Int) {
        for (name, house) in House.all(defect) {
            // A history that fails is as short as any.
            for length in 1...max(1, depth) where failure == nil {
                leftByState = [:]
                goOn(from: house, of: name, left: length)
            }
            stateCount += leftByState.count
        }
    }

    private mutating func goOn(from house: House, of name: String, left: Int) {
        guard left > 0, leftByState[house.key, default: 0] < left else { return }
        leftByState[house.key] = left
        for move in Move.allCases where failure == nil {
            var next = house
            guard next.make(move) else { continue }
            moveCount += 1
            moves.append(move)
            if let words = Exhaustive.broken(by: move, house, next) {
                failure = Failure(house: name, moves: moves, words: words)
            } else {
                goOn(from: next, of: name, left: left - 1)
            }
            moves.removeLast()
        }
    }

    // MARK: what is promised

    /// What is wrong with what a move has made of a house; nil where nothing is.
    private static func broken(by move: Move, _ before: House, _ after: House) -> String? {
        let (old, new) = (before.engine.status(nextCount: 1), after.engine.status(nextCount: 1))
        return escaped(by: move, old, new, after) ?? lost(by: move, after) ?? forgotten(new, after)
            ?? silent(new, after)
    }

    /// No path leads from ringing to silence but by the rules.
    private static func escaped(by move: Move, _ old: Status, _ new: Status, _ after: House) -> String? {
        for session in old.sessions.map(\.session) where session.isRinging {
            // A restart knows nothing of a session that was not durable: it rings again if it is due by the clock then.
            guard move != .cut || after.isDurable(session.occurrence) else { continue }
            let now = new.sessions.map(\.session).first { $0.occurrence == session.occurrence }
            let past = after.engine.history.last { $0.occurrence == session.occurrence }
            let isRight =
                switch now?.state ?? past.map({ .ended($0.ending) }) {
                case .ringing, .challenged: true
                // A restart finds a pause that was durable, where its end was not.
                case .snoozed:
                    [.kept, .cut].contains(move) && now?.snoozeCount ?? .max <= session.terms.snooze.max ?? .max
                case .resting: move == .timer || move == .cut
                case .ended(.dismissed):
                    past?.session?.endedWith != nil
                        || past?.session?.doneMilliseconds.count == session.terms.challenges.count
                case .ended(.emergency): move == .hold
                case .ended(.unanswered): move == .timer
                case .ended(.missed), .ended(.cancelled), nil: false
                }
            if !isRight { return "\(session.occurrence.alarm) rang, and is \(state(now, past))" }
        }
        return nil
    }

    private static func state(_ now: Session?, _ past: PastRing?) -> String {
        now.map { "\($0.state)" } ?? past.map { "over: \($0.ending)" } ?? "gone"
    }

    /// What is acknowledged is found again after a power cut.
    private static func lost(by move: Move, _ after: House) -> String? {
        let isAcknowledged = after.replies.contains { reply in
            switch reply {
            case .done(.saved), .done(.done), .done(.skipped), .done(.snoozed), .done(.stopped): true
            case .done, .refused: false
            }
        }
        guard isAcknowledged else { return nil }
        let found = after.afterCut
        guard after.engine.status(nextCount: 0).unkeptCount == 0 else { return nil }
        if found.alarms != after.engine.alarms { return "\(move.rawValue) is acknowledged, and its alarms are lost" }
        if progress(found) != progress(after.engine) {
            return "\(move.rawValue) is acknowledged, and its ring is not so"
        }
        return nil
    }

    /// How far each ring is: how often it was snoozed, and how many of its challenges are done.
    private static func progress(_ engine: Engine) -> [Occurrence: [Int]] {
        let sessions = engine.status(nextCount: 0).sessions.map(\.session)
        return Dictionary(
            uniqueKeysWithValues: sessions.map { ($0.occurrence, [$0.snoozeCount, $0.doneMilliseconds.count]) })
    }

    /// Every state has a deadline, or is quiet for a reason.
    private static func forgotten(_ status: Status, _ after: House) -> String? {
        if status.unkeptCount > 0, after.pending == nil, after.wake.uptimeMilliseconds == nil {
            return "facts wait for the disk, and nothing calls for them"
        }
        if !status.sessions.isEmpty, after.wake.uptimeMilliseconds == nil, after.pending == nil {
            return "a session waits, and nothing calls for it"
        }
        if let next = status.next.first, after.wake.wallMilliseconds ?? .max > next.occurrence.at.milliseconds {
            return "\(next.occurrence.alarm) is to ring, and nothing calls for it"
        }
        return nil
    }

    /// What rings is heard, and what is due has its turn.
    private static func silent(_ status: Status, _ after: House) -> String? {
        let rings = status.sessions.contains { $0.session.isRinging }
        if rings != (after.sound != nil) { return rings ? "it rings with no sound" : "a sound is left" }
        if let next = status.next.first, next.occurrence.at.milliseconds <= after.moment.wallMilliseconds {
            return "\(next.occurrence.alarm) was due, and does not ring"
        }
        let paused = status.sessions.lazy.compactMap(\.leftMilliseconds)
        if paused.contains(where: { $0 <= 0 }) { return "a pause is over, and it is silent still" }
        return nil
    }
}
