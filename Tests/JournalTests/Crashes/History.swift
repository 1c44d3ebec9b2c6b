// The histories of a journal, run while its disk is cut off or fails.

import Journal
import Oracles

/// One step of a journal's owner.
enum Step: Sendable {
    /// One commit of these appends.
    case append([[NewRecord]])
    case compact([NewRecord])
    /// The process dies but the kernel survives, and another process opens the journal.
    case restart
}

/// Steps in their order. All records differ, so that no record can be mistaken for another.
struct History: Sendable {
    var name: String
    var steps: [Step]
    private var count = 0

    init(name: String) {
        self.name = name
        steps = []
    }

    private mutating func record(_ byteCount: Int) -> NewRecord {
        count += 1
        let label = Array("\(count):".utf8)
        let payload = (0..<byteCount).map {
            $0 < label.count ? label[$0] : UInt8(truncatingIfNeeded: count &* 37 &+ $0)
        }
        return NewRecord(
            RecordKind(rawValue: UInt16(count % 7)), millisecondsSince1970: 1_767_225_600_000 + Int64(count),
            payload: payload)
    }

    /// Adds one commit of several appends, each given by the lengths of its payloads.
    mutating func append(_ appends: [Int]...) {
        steps.append(.append(appends.map { $0.map { record($0) } }))
    }

    mutating func compact(_ byteCounts: Int...) {
        steps.append(.compact(byteCounts.map { record($0) }))
    }

    mutating func restart() {
        steps.append(.restart)
    }
}

extension History {
    /// All kinds of steps: records of every alignment, appends of one and of several records, commits of
    /// several appends, a commit that needs a larger file, compactions and restarts.
    static let scripted: History = {
        var history = History(name: "scripted")
        history.append([24])
        history.append([60, 60])
        history.append([13], [60, 7], [60])
        history.compact(100, 20)
        history.append([60])
        history.append([60])
        history.restart()
        history.append([500])
        history.append([900, 300])
        // Each record has its own sector. The rest of the three must not count as successors of the one.
        history.append([440], [440], [440])
        history.append([440])
        history.append([440])
        history.compact()
        history.append([0])
        history.append([60], [60])
        history.restart()
        history.compact(60)
        history.append([60])
        return history
    }()

    /// Records of one length: the remains of a cut record lie exactly at the place of a whole one.
    static let uniform: History = {
        var history = History(name: "uniform")
        for _ in 0..<3 {
            history.append([56], [56], [56])
            history.append([56, 56])
            history.restart()
        }
        return history
    }()

    /// A short history that still continues after a restart and begins a second segment.
    static let short: History = {
        var history = History(name: "short")
        history.append([60])
        history.restart()
        history.append([60], [20, 30])
        history.compact(100)
        history.append([60])
        return history
    }()

    static func random(seed: UInt64) -> History {
        var random = SeededRandom(seed: seed)
        var history = History(name: "random \(seed)")
        for _ in 0..<12 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: history.restart()
            case 1:
                let lengths = (0..<Int.random(in: 0...4, using: &random)).map { _ in length(&random) }
                history.steps.append(.compact(lengths.map { history.record($0) }))
            default:
                let appends = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in length(&random) }
                }
                history.steps.append(.append(appends.map { $0.map { history.record($0) } }))
            }
        }
        return history
    }

    private static func length(_ random: inout SeededRandom) -> Int {
        Int.random(in: 0..<10, using: &random) == 0
            ? Int.random(in: 0...1500, using: &random) : Int.random(in: 0...120, using: &random)
    }
}
