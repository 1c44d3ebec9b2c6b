// Many nights, and what became of them.

import Dispatch
import Engine
import Synchronization

/// A run of nights.
struct Simulation {
    let seed: UInt64
    let faults: Set<Happening.Kind>
    private(set) var nights = 0
    private(set) var rings = 0
    private(set) var inputs = 0
    /// How many rings that were told had their turn.
    private(set) var judged = 0
    /// How many answers were taken of which either would have been.
    private(set) var excused = 0
    private(set) var trace: UInt64 = 0
    /// Every way that a session has gone from one state to another.
    private(set) var steps: Set<SessionStep> = []
    private(set) var failure: Failure?

    /// A promise that was broken.
    struct Failure: Sendable {
        var night: Night
        var promise: Promise
        var violation: String
        var lastInputs: [String]
    }

    /// Runs so many nights, or until a promise is broken; several at once, but counts them in their order.
    mutating func run(_ count: Int, from first: Int = 0, defect: (@Sendable () -> Defect)? = nil) {
        var next = first
        while next < first + count, failure == nil {
            let numbers = next..<min(next + Simulation.nightsAtOnce, first + count)
            let (seed, faults) = (seed, faults)
            let outcomes = Mutex<[Int: Simulation]>([:])
            DispatchQueue.concurrentPerform(iterations: numbers.count) { index in
                let number = numbers.lowerBound + index
                let world = World.afterwards(Night(seed: seed, number: number, faults: faults), defect)
                let outcome = Simulation(of: world, faults: faults)
                outcomes.withLock { $0[number] = outcome }
            }
            let all = outcomes.withLock { $0 }
            for number in numbers where failure == nil {
                if let outcome = all[number] { add(outcome) }
            }
            next = numbers.upperBound
        }
    }

    private static let nightsAtOnce = 64

    private mutating func add(_ outcome: Simulation) {
        nights += outcome.nights
        rings += outcome.rings
        inputs += outcome.inputs
        judged += outcome.judged
        excused += outcome.excused
        steps.formUnion(outcome.steps)
        trace = trace &* 31 &+ outcome.trace
        failure = outcome.failure
    }
}

extension Simulation {
    /// A run of a single night that is over.
    private init(of world: World, faults: Set<Happening.Kind>) {
        self.init(
            seed: world.night.seed, faults: faults, nights: 1, rings: world.watcher.ringCount,
            inputs: world.inputCount, judged: world.watcher.told.judgedCount,
            excused: world.watcher.told.excusedCount, trace: world.trace.value,
            steps: world.watcher.sessions.steps, failure: Failure(of: world))
    }
}

extension World {
    /// A night that is over. One that broke a promise is run again, and its last events are kept.
    fileprivate static func afterwards(_ night: Night, _ defect: (@Sendable () -> Defect)?) -> World {
        let world = World(night, defect: defect?())
        world.run()
        guard world.watcher.violation != nil else { return world }
        let again = World(night, defect: defect?(), keepsEvents: true)
        again.run()
        return again
    }
}

extension Simulation.Failure {
    /// What broke a promise in a night that is over; nothing where all were kept.
    fileprivate init?(of world: World) {
        guard let promise = world.watcher.broken, let violation = world.watcher.violation else { return nil }
        self.init(night: world.night, promise: promise, violation: violation, lastInputs: world.last?.words ?? [])
    }

    /// The same failure with as few alarms and happenings as still break the same promise: whoever looks into it has less
    /// to read.
    func shortened(defect: (@Sendable () -> Defect)? = nil) -> Simulation.Failure {
        var best = self
        var isShorter = true
        while isShorter {
            isShorter = false
            for leaveOut in best.night.parts.reversed() {
                var night = best.night
                leaveOut(&night)
                let world = World.afterwards(night, defect)
                guard let failure = Simulation.Failure(of: world), failure.promise == best.promise else { continue }
                best = failure
                isShorter = true
            }
        }
        return best
    }
}

extension Night {
    /// Whatever can be left out of it. Leaving one out moves none that comes before it.
    fileprivate var parts: [(inout Night) -> Void] {
        alarms.indices.map { index in { $0.alarms.remove(at: index) } }
            + happenings.indices.map { index in { $0.happenings.remove(at: index) } }
    }
}

extension Simulation {
    /// The kinds of what could happen, as they are asked for.
    private var kinds: [String] { Happening.Kind.allCases.filter(faults.contains).map(\.rawValue) }

    /// What broke a promise, as little of it as still does, and how to see it again.
    func lines(of failure: Failure) -> [String] {
        let isAll = faults.count == Happening.Kind.allCases.count
        let list = isAll ? "all" : kinds.isEmpty ? "none" : kinds.joined(separator: ",")
        var lines = ["Night \(failure.night.number) of seed \(seed) broke \(failure.violation)"]
        lines += ["Which is: \(failure.promise.sentence)", "The alarms:"]
        lines += failure.night.alarms.map { "  \($0.json)" }
        lines.append("What happened, as little as still breaks it:")
        lines += failure.night.happenings.map { at, happening in "  \(at) ms: \(happening)" }
        lines.append("The last of it:")
        lines += failure.lastInputs.map { "  \($0)" }
        lines.append("Again: simulate --nights 1 --seed \(seed) --from \(failure.night.number) --faults \(list)")
        return lines
    }

    /// The last line, for scripts.
    func line(with failure: Failure?) -> String {
        let names = kinds.map { "\"\($0)\"" }.joined(separator: ",")
        let broken = failure.map { failure in
            ",\"night\":\(failure.night.number),\"broke\":\"\(failure.violation.filter { $0 != "\"" })\""
        }
        return "{\"nights\":\(nights),\"seed\":\(seed),\"faults\":[\(names)],\"rings\":\(rings),\"inputs\":\(inputs),"
            + "\"judged\":\(judged),\"excused\":\(excused),\"trace\":\"\(String(trace, radix: 16))\",\"violations\":\(failure == nil ? 0 : 1)\(broken ?? "")}"
    }
}
